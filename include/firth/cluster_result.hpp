// What every clustering algorithm returns.
//
//   const firth::ClusterResult result = firth::cluster_exchange(counts, {.classes = 200}, {});
//   for (const firth::IterationStats& step : result.iterations) use(step.stage, step.moved, step.ami_bits);
//   firth::save_clustering("out", result.clustering, firth::ClusterFormat::firth);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firth/clustering.hpp"

namespace firth {

/// One line of the log of a run: a pass, a merge-down, a cycle. Goes into run.json.
struct IterationStats {
  std::string stage;          ///< e.g. "exchange pass"
  std::uint64_t classes = 0;  ///< classes at its end
  std::uint64_t moved = 0;    ///< words that changed their class
  double ami_bits = 0;        ///< AMI at its end
  double seconds = 0;         ///< wall time it took
};

/// What became of the clustering that a run started from.
struct WarmStart {
  std::uint64_t known = 0;  ///< words of the text that it had
  std::uint64_t kept = 0;   ///< of those, words that kept their class
  std::uint64_t added = 0;  ///< words of the text that it did not have
};

/// A clustering, its score on the counts it was made from, and how it came about.
struct ClusterResult {
  Clustering clustering;
  double ami_bits = 0;
  /// AMI before the sizes of classes were limited, if they were: the difference is what the limit costs.
  std::optional<double> free_ami_bits = std::nullopt;
  /// Whether the method ran to its end; false if it ended early, with the best classes so far.
  bool complete = true;
  std::vector<IterationStats> iterations;
  std::optional<WarmStart> warm_start = std::nullopt;
  /// More numbers that the method wants to be kept in run.json, e.g. one residual for each singular vector.
  std::vector<std::pair<std::string, std::vector<double>>> series;
};

}  // namespace firth

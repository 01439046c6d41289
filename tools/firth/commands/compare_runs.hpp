// The clusterings of `firth compare`: made, or taken from the folder of an earlier run that was ended.
#pragma once

#include <cstdint>
#include <firth/cluster.hpp>
#include <firth/run_record.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace firth::cli {

/// A method as `--methods` names it.
struct NamedClusterMethod {
  std::string name;  ///< "brown", "auto:fast"
  ClusterMethod method;

  /// Whether other seeds give other classes.
  bool uses_seed() const { return !std::holds_alternative<BrownOptions>(method); }
};

/// Throws UsageError that lists what there is.
std::vector<NamedClusterMethod> parse_methods(const std::string& list);

/// One clustering to be made.
struct PlannedRun {
  NamedClusterMethod method;
  ClassId classes = 0;
  std::uint64_t seed = 1;
};

/// A clustering and what it cost when it was made.
struct FinishedRun {
  Clustering clustering;
  double cpu_seconds = 0;
  std::optional<std::uint64_t> peak_memory = {};
  bool found = false;  ///< it was there already
};

/// Makes clusterings of one text, each in a folder of its own below a common one.
class RunStore {
 public:
  /// `folder` "" keeps nothing. `origin`: inputs and options that a result must have been made with to be taken over.
  RunStore(std::string folder, RunRecord origin) : folder_(std::move(folder)), origin_(std::move(origin)) {}

  FinishedRun get(const PlannedRun& plan, const Counts& counts, RunOptions run) const;

 private:
  std::string folder_of(const PlannedRun& plan) const;
  RunRecord record_of(const PlannedRun& plan) const;
  std::optional<FinishedRun> find(const PlannedRun& plan) const;

  std::string folder_;
  RunRecord origin_;
};

}  // namespace firth::cli

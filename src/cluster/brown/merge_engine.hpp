// What the outer loop needs of an engine, whichever clusters may merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "firth/types.hpp"

namespace firth::brown {

/// A cluster on its way from one engine to another.
struct ClusterWords {
  std::uint32_t node = 0;  ///< as the recorder numbers it
  std::vector<WordId> words;
};

class MergeEngine {
 public:
  virtual ~MergeEngine() = default;

  /// Number of clusters.
  virtual std::size_t live() const = 0;
  /// Merges the pair of least loss.
  virtual void merge_best() = 0;
  /// A merge that is known from a checkpoint, without a search: nodes as the recorder numbers them. False,
  /// and nothing done, if these two clusters cannot merge.
  virtual bool replay_merge(std::uint32_t left, std::uint32_t right) = 0;

  /// All clusters, in no particular order.
  virtual std::vector<ClusterWords> clusters() const = 0;

  /// Recomputes all sums and searches by brute force; throws std::logic_error if one differs.
  virtual void check() = 0;
};

}  // namespace firth::brown

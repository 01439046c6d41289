// One matrix from the pairs of all ranks.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/ranks.hpp"
#include "counts/pairs/build_pairs.hpp"
#include "counts/pairs/pair_source.hpp"

namespace firth::counts {

/// Pairs that are already there.
class StoredPairs final : public PairSource {
 public:
  explicit StoredPairs(std::vector<PairCount> pairs) : pairs_(std::move(pairs)) {}

  void for_each(const Visit& visit) const override { visit(pairs_); }
  std::uint64_t max_pairs() const override { return pairs_.size(); }

 private:
  std::vector<PairCount> pairs_;
};

/// How the pairs of all ranks become one matrix.
struct JoinOptions {
  std::size_t words = 0;
  BuildOptions build = {};  ///< of each rank; with a limit, pairs wait on disk
  std::uint64_t bytes_per_round = std::uint64_t{64} << 20;  ///< that a rank sends at a time
};

/// Adds up equal pairs of all sources of all ranks; on rank 0 the matrix that one process would build, on other
/// ranks nothing.
PairCounts join_pairs(const std::vector<std::unique_ptr<PairSource>>& sources, const JoinOptions& options,
                      const base::Ranks& ranks, const RunOptions& run);

}  // namespace firth::counts

// Building a matrix that does not fit the memory, part by part on disk.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "counts/pairs/build_pairs.hpp"
#include "counts/pairs/pair_partitions.hpp"

namespace firth::counts {

/// As build_pairs, with at most about `options.max_bytes` of memory besides the row offsets (more only if
/// one row is larger than its share).
PairCounts build_spilled(std::size_t words, const std::vector<std::unique_ptr<PairSource>>& sources,
                         PairPartitions& partitions, const BuildOptions& options, const RunOptions& run);

}  // namespace firth::counts

// How much memory and time a clustering will take, before it is made.
//
//   const auto need = firth::estimate_clustering(counts, firth::AutoOptions{.classes = 1000});
//   if (need) use(need->memory_bytes, need->cpu_seconds);
#pragma once

#include <cstdint>
#include <optional>

#include "firth/cluster.hpp"
#include "firth/counts.hpp"

namespace firth {

/// Memory and time of a run.
struct ClusterEstimate {
  /// Peak memory with the counts.
  std::uint64_t memory_bytes = 0;
  /// CPU seconds; rough: from measurements on one machine, usually within a factor of two on others.
  double cpu_seconds = 0;
};

/// For AutoOptions, ExchangeOptions, BrownOptions of the plain variant, and SpectralOptions with a window whose context was
/// counted; nothing for others. Limits of a search (SearchLimits) are not taken into account. `shards`: ranks that
/// hold the neighbour lists of AutoOptions and ExchangeOptions together (World::shard_lists); the memory is then that of
/// each rank but rank 0, which also has the counts. `threads`: on one, the two searches of an AutoOptions::effort above
/// fast are made one after the other; 0 = two or more. O(words).
[[nodiscard]] std::optional<ClusterEstimate> estimate_clustering(const Counts& counts,
                                                                 const ClusterMethod& method,
                                                                 unsigned shards = 1, unsigned threads = 0);

}  // namespace firth

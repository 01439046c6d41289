// The counts that rank 0 has read, on all ranks.
#pragma once

#include "base/ranks.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

/// The pairs of rank 0, on every rank.
PairCounts share_pairs(const PairCounts& own, const base::Ranks& ranks);

/// `counts` of rank 0, on every rank; what the others pass is ignored. Where ranks shard neighbour lists, the
/// others get the words and no pairs.
Counts share_counts(const Counts& counts, const base::Ranks& ranks);

}  // namespace firth::counts

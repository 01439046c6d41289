// One matrix on rank 0 from the rows of all ranks.
#pragma once

#include <cstdint>

#include "base/ranks.hpp"
#include "counts/pairs/build_pairs.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

/// The rows of `own`, which no other rank has, beside those of the other ranks: rows of a rank come before those of the
/// next. The matrix is on rank 0; other ranks get nothing. With a limit in `build`, it lies in files without a name. Rank 0
/// receives about `bytes_per_round` at a time.
PairCounts gather_rows(const PairCounts& own, const BuildOptions& build, std::uint64_t bytes_per_round,
                       const base::Ranks& ranks);

}  // namespace firth::counts

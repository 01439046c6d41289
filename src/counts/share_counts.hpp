// The counts that rank 0 has read, on all ranks.
#pragma once

#include "base/ranks.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

/// `counts` of rank 0, on every rank; what the others pass is not looked at.
Counts share_counts(const Counts& counts, const base::Ranks& ranks);

}  // namespace firth::counts

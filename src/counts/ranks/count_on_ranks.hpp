// Counting that several ranks share.
#pragma once

#include <vector>

#include "counts/count/counting.hpp"

namespace firth::counts {

/// As count_restricted(), by all ranks of the run; the result is on rank 0, and empty on the others. `files` are
/// used on rank 0 only; every rank must be able to open them by the same names.
Counts count_on_ranks(const std::vector<text::InputFile>& files, const CountOptions& options,
                      const RunOptions& run);

}  // namespace firth::counts

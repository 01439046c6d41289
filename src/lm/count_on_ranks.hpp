// N-grams counted by several ranks.
#pragma once

#include <string>
#include <vector>

#include "firth/lm_counts.hpp"
#include "text/inputs.hpp"

namespace firth::lm {

/// As count_ngrams(), by all ranks of the run: rank 0 writes the file that one process would write. `files` are used on
/// rank 0 only; every rank must be able to open them by the same names. The result is the same on every rank.
LmCountsInfo count_on_ranks(const std::string& path, const std::vector<text::InputFile>& files,
                            const LmCountOptions& options, const RunOptions& run);

}  // namespace firth::lm

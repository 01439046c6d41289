// Many runs of words become one vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "counts/count/rank_words.hpp"
#include "counts/words/word_run.hpp"
#include "firth/run.hpp"

namespace firth::counts {

/// Adds up the counts of equal words and ranks them as rank_words() does; ids of the runs are below `ids`. What
/// a word is called in several runs makes no difference, nor does the number of threads. A vocabulary of more
/// than `max_bytes` (0 = no limit) lies in a mapped temporary file. Throws InputError if counts add up to more
/// than 2^64 - 1, ResourceError beyond 2^32 - 2 words, IoError, Cancelled.
RankedWords merge_words(const std::vector<std::unique_ptr<WordRun>>& runs, std::uint64_t ids,
                        std::uint64_t max_bytes, const RunOptions& run);

}  // namespace firth::counts

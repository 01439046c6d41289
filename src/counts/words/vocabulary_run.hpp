// Sorted runs of the words of vocabularies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "counts/words/word_run.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth::counts {

/// Every word of the vocabularies, as runs of limited length that all threads sort; word w of the first
/// vocabulary has id w, those of the next go on from there. Four bytes per word. Throws Cancelled.
std::vector<std::unique_ptr<WordRun>> vocabulary_runs(const std::vector<Vocabulary>& vocabularies,
                                                      const RunOptions& run);

}  // namespace firth::counts

// Words in order of their frequency.
#pragma once

#include <span>
#include <vector>

#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "text/word_order.hpp"

namespace firth::counts {

using text::CountedWord;

/// A vocabulary and where each word went.
struct RankedWords {
  Vocabulary vocabulary;
  std::vector<WordId> ranks;  ///< ranks[i]: the id of words[i], kNoWord if it was left out
};

/// Which words of the vocabulary the options let pass.
std::vector<bool> choose_words(const Vocabulary& vocabulary, const VocabularyOptions& options,
                               const RunOptions& run);

/// Sorts distinct words by falling count, then by bytes. Words with count 0 are left out.
RankedWords rank_words(std::span<const CountedWord> words);

}  // namespace firth::counts

// Words in order of their frequency.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "firth/counts.hpp"

namespace firth::counts {

/// A word on its way into a vocabulary.
struct CountedWord {
  std::string_view word;
  Count count = 0;
};

/// A vocabulary and where each word went.
struct RankedWords {
  Vocabulary vocabulary;
  std::vector<WordId> ranks;  ///< ranks[i]: the id of words[i], kNoWord if it was left out
};

/// Sorts distinct words by falling count, then by bytes. Words with count 0 are left out.
RankedWords rank_words(std::span<const CountedWord> words);

}  // namespace firth::counts

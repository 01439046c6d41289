// How often a word was seen in the text that was clustered, and how often its letters in another case.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "firth/clustering.hpp"
#include "tagger/feature_index.hpp"
#include "text/unicode_words.hpp"

namespace firth::tagger {

/// Counts of words as levels, four to a factor of two: one byte per word is enough for features, and a model
/// that was read has the same features as when it was trained.
class CaseCounts {
 public:
  /// What is known about a word, coarse enough for features.
  struct Seen {
    int ratio = 0;      ///< log2 of its count over that of its letters in other cases, -6..6
    int frequency = 0;  ///< log4 of its count
  };

  /// Knows nothing.
  CaseCounts() = default;
  /// `levels` of the words, one each, or none if nothing is known.
  CaseCounts(const Vocabulary& words, std::vector<std::uint8_t> levels);

  bool empty() const noexcept { return levels_.empty(); }
  std::span<const std::uint8_t> levels() const noexcept { return levels_; }

  /// `lower` is the word in lower case.
  Seen find(std::string_view word, std::string_view lower) const;

 private:
  std::vector<std::uint8_t> levels_;  // by word
  FeatureIndex words_;
  std::vector<std::uint8_t> known_;  // levels by number in words_
  FeatureIndex letters_;             // words in lower case
  std::vector<Count> totals_;        // by number in letters_: the counts of all forms
};

/// The level of a count: the largest k with 2^(k/4) <= count + 1.
std::uint8_t level_of(Count count);

/// The levels of all words; none if no word has a count.
std::vector<std::uint8_t> levels_of(const Vocabulary& words);

}  // namespace firth::tagger

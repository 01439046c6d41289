// Which word is in which slot of the window, and back.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "cluster/brown/count_rows.hpp"
#include "firth/types.hpp"

namespace firth::brown {

/// The words of a slot are a chain.
class WordSlots {
 public:
  WordSlots(std::size_t words, std::size_t slots)
      : slot_of_(words, kNoSlot), next_(words, kNoWord), first_(slots, kNoWord), last_(slots, kNoWord) {}

  /// kNoSlot for a word outside.
  Slot slot_of(WordId word) const { return slot_of_[word]; }
  /// No word above it is inside.
  WordId last_word() const noexcept { return last_word_; }

  std::vector<WordId> words(Slot slot) const {
    std::vector<WordId> words;
    for (WordId word = first_[slot]; word != kNoWord; word = next_[word]) words.push_back(word);
    return words;
  }

  void add(WordId word, Slot slot) {
    slot_of_[word] = slot;
    last_word_ = std::max(last_word_, word);
    next_[word] = first_[slot];
    if (first_[slot] == kNoWord) last_[slot] = word;
    first_[slot] = word;
  }

  void merge(Slot kept, Slot gone) {
    for (WordId word = first_[gone]; word != kNoWord; word = next_[word]) slot_of_[word] = kept;
    next_[last_[gone]] = first_[kept];
    first_[kept] = first_[gone];
    first_[gone] = last_[gone] = kNoWord;
  }

  /// The slots `kept`, rising, move to the front.
  void compact(std::span<const Slot> kept) {
    for (std::vector<WordId>* const ends : {&first_, &last_}) {
      for (std::size_t i = 0; i < kept.size(); ++i) (*ends)[i] = (*ends)[kept[i]];
      std::fill(ends->begin() + static_cast<std::ptrdiff_t>(kept.size()), ends->end(), kNoWord);
    }
    for (Slot slot = 0; slot < kept.size(); ++slot)
      for (WordId word = first_[slot]; word != kNoWord; word = next_[word]) slot_of_[word] = slot;
  }

 private:
  static constexpr WordId kNoWord = static_cast<WordId>(-1);

  std::vector<Slot> slot_of_;  ///< by word
  std::vector<WordId> next_;   ///< by word
  std::vector<WordId> first_;  ///< by slot
  std::vector<WordId> last_;   ///< by slot
  WordId last_word_ = 0;
};

}  // namespace firth::brown

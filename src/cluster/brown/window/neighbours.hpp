// How often a word outside the window is next to the clusters inside.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cluster/brown/engine_input.hpp"
#include "cluster/brown/window/new_word.hpp"

namespace firth::brown {

/// Sums a word's neighbours by cluster. Not shared between threads.
class NeighbourCounter {
 public:
  explicit NeighbourCounter(const EngineInput& input)
      : input_(input), by_id_(std::is_sorted(input.rank.begin(), input.rank.end())) {}

  /// `Clusters`: a window, which says where words are.
  template <class Clusters>
  void count(const Clusters& window, WordId word, NewWord& result) {
    place_.resize(window.stride());
    result.word = word;
    result.neighbours.clear();
    result.first_outside = UINT32_MAX;
    add(window, input_.counts.bigrams(), word, &Neighbour::after, result);
    add(window, input_.transposed, word, &Neighbour::before, result);
    result.self = self_count(word);
    result.left_degree = result.right_degree = result.self;
    for (const Neighbour& neighbour : result.neighbours) {
      place_[neighbour.slot] = 0;
      result.left_degree += neighbour.after;
      result.right_degree += neighbour.before;
    }
  }

 private:
  template <class Clusters>
  void add(const Clusters& window, const PairCounts& pairs, WordId word, Count Neighbour::*side,
           NewWord& result) {
    const auto others = pairs.right_words(word);
    const auto counts = pairs.right_counts(word);
    // No word further on is inside: frequent words have most of their neighbours there.
    const WordId last = by_id_ ? std::max(window.last_word(), word) : static_cast<WordId>(-1);
    for (std::size_t i = 0; i < others.size() && others[i] <= last; ++i) {
      const Slot slot = window.slot_of(others[i]);
      if (slot == kNoSlot) {
        result.first_outside = std::min(result.first_outside, input_.rank[others[i]]);
        continue;
      }
      if (place_[slot] == 0) {
        result.neighbours.push_back({slot, 0, 0});
        place_[slot] = static_cast<std::uint32_t>(result.neighbours.size());
      }
      result.neighbours[place_[slot] - 1].*side += counts[i];
    }
  }

  Count self_count(WordId word) const;

  const EngineInput& input_;
  bool by_id_;                        ///< ranks rise with the ids of words
  std::vector<std::uint32_t> place_;  ///< by slot: 1 + its place in the list, 0 = not there
};

}  // namespace firth::brown

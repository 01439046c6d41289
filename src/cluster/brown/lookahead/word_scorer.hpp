// What one thread needs to score new words against a window.
#pragma once

#include <span>
#include <vector>

#include "cluster/brown/engine_input.hpp"
#include "cluster/brown/window/neighbours.hpp"
#include "cluster/brown/window/row_scorer.hpp"
#include "cluster/brown/window/window.hpp"

namespace firth::brown {

/// The loss of merging a word with one cluster.
struct SlotLoss {
  Slot slot;
  Score loss;
};

/// A word and its least losses at some time.
struct ScoredWord {
  NewWord word;
  std::vector<SlotLoss> near;  ///< the clusters whose loss is at most ...
  Score limit = 0;             ///< ... this
  /// A neighbour of the word will enter before it: it must be scored at its turn, and nothing else is set.
  bool follows_neighbour = false;
};

template <class Cell>
struct WordScorer {
  WordScorer(const EngineInput& input, const Window<Cell>& from)
      : window(from), rows(from), counter(input), losses(from.stride()) {}

  /// The least losses of the word. `losses` has all of them, by lane.
  void score(WordId word, std::uint32_t rank, ScoredWord& scored);

  const Window<Cell>& window;
  RowScorer<Cell> rows;
  NeighbourCounter counter;
  std::vector<Score> losses;
  std::vector<std::uint32_t> lanes;
};

extern template struct WordScorer<std::uint32_t>;
extern template struct WordScorer<std::uint64_t>;

}  // namespace firth::brown

// What one thread needs to score new words against a window.
#pragma once

#include <span>
#include <vector>

#include "cluster/brown/window/engine.hpp"
#include "cluster/brown/window/neighbours.hpp"
#include "cluster/brown/window/row_scorer.hpp"
#include "cluster/brown/window/window.hpp"

namespace firth::brown {

/// The loss of merging a word with one cluster.
struct Lane {
  Slot slot;
  Score loss;
};

/// A word and its least losses at some time.
struct Scored {
  NewWord word;
  std::vector<Lane> near;  ///< the clusters that lose at most ...
  Score limit = 0;         ///< ... this
  bool follows = false;  ///< a neighbour of it comes before it: to be scored at its turn, nothing else is set
};

template <class Cell>
struct WordScorer {
  WordScorer(const EngineInput& input, const Window<Cell>& from)
      : window(from), rows(from), gatherer(input), losses(from.stride()) {}

  /// The least losses of the word. `losses` has all of them, by lane.
  void score(WordId word, std::uint32_t rank, Scored& scored);

  const Window<Cell>& window;
  RowScorer<Cell> rows;
  NeighbourCounter gatherer;
  std::vector<Score> losses;
  std::vector<std::uint32_t> lanes;
};

extern template struct WordScorer<std::uint32_t>;
extern template struct WordScorer<std::uint64_t>;

}  // namespace firth::brown

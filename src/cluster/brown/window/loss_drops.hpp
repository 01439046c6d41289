// By how much a merge can lower the losses of other pairs (MATH.md, section 3, facts 2 and 3).
#pragma once

#include <span>
#include <vector>

#include "cluster/brown/window/window.hpp"

namespace firth::brown {

/// More than all rounding errors in the few cells of a loss that one merge changes.
inline constexpr Score kTouchSlack = Score{1} << 14;

/// Clusters s and t merge: the loss of a pair (v,w) of others falls by at most drops[v] + drops[w].
template <class Cell>
void merge_drops(const Window<Cell>& window, Slot s, Slot t, std::span<Score> drops);

/// By how much the loss of one pair falls.
struct PairDrop {
  Slot v;
  Slot w;
  Score drop;
};

/// The same pair by pair, exactly, where t has few neighbours: only pairs with one of them are concerned.
/// False if they are too many.
template <class Cell>
bool merge_pair_drops(const Window<Cell>& window, Slot s, Slot t, std::vector<PairDrop>& drops);

/// By how much losses of pairs with one cluster may fall.
struct Drop {
  Slot slot;
  Score drop;
};
struct Drops {
  bool by_lane = false;      ///< they are in `lanes`, else in the list
  std::vector<Score> lanes;  ///< 0: losses do not fall
  std::vector<Drop> list;
};

/// The same when a new word, not yet in the window, becomes part of cluster s for `loss`: against the losses
/// before it entered. Clusters that are not listed keep their losses; s itself is left to the caller.
template <class Cell>
void absorb_drops(const Window<Cell>& window, const NewWord& word, Slot s, Score loss, Drops& drops);

}  // namespace firth::brown

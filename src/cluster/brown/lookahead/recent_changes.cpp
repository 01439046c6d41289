#include "cluster/brown/lookahead/recent_changes.hpp"

#include <algorithm>
#include <limits>

#include "cluster/brown/window/loss_drops.hpp"

namespace firth::brown {

template <class Cell>
void RecentChanges<Cell>::add(std::uint32_t number, const NewWord& word, Placement placement) {
  Recent& recent = recent_[number % recent_.size()];
  recent.slot = placement.slot;
  recent.neighbours.clear();
  for (const Neighbour& neighbour : word.neighbours) recent.neighbours.push_back(neighbour.slot);
  if (placement.gone != kNoSlot) first_known_ = number + 1;  // two clusters merged: all losses may change
}

// Where the word is no neighbour of the cluster s that grew, a cluster w that has the newcomer as neighbour d
// times loses d ln(1 + M/Mw) more with the word than before.
template <class Cell>
void RecentChanges<Cell>::mark(const NewWord& word, std::uint32_t seen, std::uint32_t now) {
  for (const Neighbour& neighbour : word.neighbours) is_neighbour_[neighbour.slot] = 1;
  for (std::uint32_t i = seen; i < now; ++i) {
    const Slot slot = recent(i).slot;
    const Change change = is_neighbour_[slot] != 0 ? Change::any : Change::risen;
    changes_[slot] = Change::any;
    for (const Slot other : recent(i).neighbours) changes_[other] = std::max(changes_[other], change);
  }
  for (const Neighbour& neighbour : word.neighbours) is_neighbour_[neighbour.slot] = 0;
}

template <class Cell>
bool RecentChanges<Cell>::update(const typename LookaheadScorers<Cell>::Report& report, std::uint32_t now,
                                 const RowScorer<Cell>& rows, std::vector<SlotLoss>& candidates) {
  const auto& [scored, seen] = report;
  if (scored.follows_neighbour || seen < first_known_) return false;
  mark(scored.word, seen, now);
  candidates.clear();
  Score least = std::numeric_limits<Score>::max();
  const auto add = [&](Slot slot, Score loss) {
    candidates.push_back({slot, loss});
    least = std::min(least, loss);
  };
  const auto score_again = [&](Slot slot) { add(slot, rows.lane(report.scored.word, slot)); };
  for (const auto& [slot, loss] : scored.near)
    if (changes_[slot] == Change::none) add(slot, loss);
  const auto score_once = [&](Slot slot) {
    if (changes_[slot] != Change::any) return;
    changes_[slot] = Change::none;
    score_again(slot);
  };
  for (std::uint32_t i = seen; i < now; ++i) {
    score_once(recent(i).slot);
    for (const Slot slot : recent(i).neighbours) score_once(slot);
  }
  for (const auto& [slot, loss] : scored.near)
    if (changes_[slot] == Change::risen && loss <= least + kTouchSlack) score_again(slot);
  for (std::uint32_t i = seen; i < now; ++i)
    for (const Slot slot : recent(i).neighbours) changes_[slot] = Change::none;
  return least + kTouchSlack <= scored.limit;
}

template class RecentChanges<std::uint32_t>;
template class RecentChanges<std::uint64_t>;

}  // namespace firth::brown

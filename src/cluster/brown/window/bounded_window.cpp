#include "cluster/brown/window/bounded_window.hpp"

#include <algorithm>
#include <utility>

namespace firth::brown {
namespace {

/// No loss of a pair is above F, and F is at most the bigrams times the logarithm of the window.
Score largest_loss(const ObjectiveTerms& terms, std::size_t capacity) {
  return terms.weigh(static_cast<double>(std::max<Count>(terms.total(), 1)),
                     ObjectiveTerms::ln(std::max<std::size_t>(capacity, 2)));
}

}  // namespace

template <class Cell>
BoundedWindow<Cell>::BoundedWindow(const EngineInput& input, std::size_t capacity, Recorder& recorder)
    : input_(input),
      recorder_(recorder),
      window_(input.terms, capacity, input.counts.vocabulary().size()),
      closed_(window_.stride(), input.line_ends),
      bounds_(capacity, largest_loss(input.terms, capacity), closed_),
      scorer_(window_),
      drops_(window_.stride()) {
  window_.set_line_end(input.line_ends);
}

template <class Cell>
bool BoundedWindow<Cell>::is_bound(WordId word) const {
  const auto others = input_.apart_of(word);
  return std::any_of(others.begin(), others.end(),
                     [&](WordId other) { return window_.slot_of(other) != kNoSlot; });
}

template <class Cell>
void BoundedWindow<Cell>::open_all() {
  if (closed_.clear()) has_bounds_ = false;
}

template <class Cell>
void BoundedWindow<Cell>::require_bounds() {
  if (has_bounds_) return;
  has_bounds_ = true;
  // Bounds may be left of an earlier call: those of clusters that have merged since must go first.
  for (Slot slot = 0; slot < window_.used(); ++slot)
    if (!window_.is_live(slot)) bounds_.remove_row(slot);
  for (Slot slot = 0; slot < window_.used(); ++slot)
    if (window_.is_live(slot)) bounds_.add_row(slot);
}

template <class Cell>
Slot BoundedWindow<Cell>::insert_in_window(const NewWord& word) {
  const Slot slot = window_.insert(word, input_.rank[word.word]);
  bounds_.set_lanes(window_.lanes());
  for (const WordId other : input_.apart_of(word.word))
    if (const Slot closed = window_.slot_of(other); closed != kNoSlot) closed_.add(slot, closed);
  recorder_.inserted(state());
  return slot;
}

template <class Cell>
void BoundedWindow<Cell>::insert(const NewWord& word) {
  bounds_.add_row(insert_in_window(word));
  lower_neighbours(word);
}

template <class Cell>
void BoundedWindow<Cell>::insert(const NewWord& word, std::span<const Score> losses) {
  bounds_.add_row(insert_in_window(word), losses);
  lower_neighbours(word);
}

/// Only rounding can have lowered the losses of an inserted word's neighbours.
template <class Cell>
void BoundedWindow<Cell>::lower_neighbours(const NewWord& word) {
  for (const Neighbour& neighbour : word.neighbours) bounds_.lower(neighbour.slot, kTouchSlack);
}

template <class Cell>
void BoundedWindow<Cell>::lower(const Drops& drops) {
  if (drops.by_lane) return bounds_.lower(drops.lanes);
  for (const auto& [w, drop] : drops.list) bounds_.lower(w, drop);
}

template <class Cell>
void BoundedWindow<Cell>::absorb(const NewWord& word, Slot slot, Score loss) {
  const Score gain = window_.gain(word);
  recorder_.inserted({window_.objective() + gain, window_.inside() + word.new_pairs(), window_.live() + 1});
  absorb_drops(window_, word, slot, loss, word_drops_);
  lower(word_drops_);
  bounds_.lower(slot, loss + row_slack());
  const std::uint32_t other = window_.node(slot);
  const bool before = window_.slots().head(slot) < word.word;
  window_.absorb(word, slot, gain - loss, input_.rank[word.word]);
  window_.set_node(slot, recorder_.merged(before ? other : word.word, before ? word.word : other, state()));
}

/// The cluster with fewer neighbours moves.
template <class Cell>
MergedSlots BoundedWindow<Cell>::merge(const Candidate& best) {
  const bool swap = neighbour_count(best.v) < neighbour_count(best.w);
  const Slot kept = swap ? best.w : best.v;
  const Slot gone = swap ? best.v : best.w;
  const bool by_pairs = merge_pair_drops(window_, kept, gone, pair_drops_);
  for (const auto& [v, w, drop] : pair_drops_) bounds_.lower_pair(v, w, drop);
  if (by_pairs && scorer_.is_worth_it(neighbour_count(kept) + neighbour_count(gone))) {
    merge_in_window(kept, gone, best.loss);
    bounds_.remove_row(gone);
    bounds_.add_row(kept, scorer_.losses(kept));
  } else {
    const std::span<Score> drops(drops_.data(), window_.lanes());
    if (!by_pairs) merge_drops(window_, kept, gone, drops);
    bounds_.merge_rows(kept, gone, best.loss + row_slack(), by_pairs ? std::span<Score>() : drops);
    merge_in_window(kept, gone, best.loss);
  }
  return {kept, gone};
}

template <class Cell>
void BoundedWindow<Cell>::merge_in_window(Slot kept, Slot gone, Score loss) {
  std::uint32_t left = window_.node(kept);
  std::uint32_t right = window_.node(gone);
  if (window_.slots().head(gone) < window_.slots().head(kept)) std::swap(left, right);
  window_.merge(kept, gone, loss);
  closed_.merge(kept, gone);
  window_.set_node(kept, recorder_.merged(left, right, state()));
}

template <class Cell>
void BoundedWindow<Cell>::replay_insert(const NewWord& word) {
  has_bounds_ = false;
  insert_in_window(word);
}

template <class Cell>
void BoundedWindow<Cell>::replay_merge(Slot kept, Slot gone) {
  has_bounds_ = false;
  merge_in_window(kept, gone, window_.loss(kept, gone));
}

template <class Cell>
void BoundedWindow<Cell>::add_cluster(const ClusterWords& cluster, NeighbourCounter& counter) {
  has_bounds_ = false;
  const RowScorer<Cell> scorer(window_);
  NewWord new_word;
  counter.count(window_, cluster.words[0], new_word);
  const Slot slot = window_.insert(new_word, input_.rank[cluster.words[0]]);
  for (const WordId word : std::span(cluster.words).subspan(1)) {
    counter.count(window_, word, new_word);
    const Score change = window_.gain(new_word) - scorer.lane(new_word, slot);
    window_.absorb(new_word, slot, change, input_.rank[word]);
  }
  window_.set_node(slot, cluster.node);
  bounds_.set_lanes(window_.lanes());
}

template <class Cell>
void BoundedWindow<Cell>::compact_if_empty() {
  if (window_.live() >= window_.used() - window_.used() / 4) return;
  const bool all_inside = recorder_.entered() == input_.rank.size();
  const std::vector<Slot> moved = window_.compact(all_inside);
  bounds_.compact(moved, window_.stride(), window_.lanes());
  closed_.compact(moved);
}

template class BoundedWindow<std::uint32_t>;
template class BoundedWindow<std::uint64_t>;

}  // namespace firth::brown

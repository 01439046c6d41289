#include "cluster/brown/window/window.hpp"

#include <algorithm>

namespace firth::brown {

template <class Cell>
Window<Cell>::Window(const ObjectiveTerms& terms, std::size_t capacity, std::size_t words)
    : terms_(terms),
      cells_(padded(capacity)),
      sides_(cells_.stride()),
      rates_(cells_.stride()),
      slots_(cells_.stride()),
      words_(words, cells_.stride()) {}

template <class Cell>
std::uint64_t Window<Cell>::bytes(std::size_t capacity, std::size_t words) {
  constexpr std::uint64_t kSlotBytes = 2 * Side<Cell>::kBytesPerSlot + RateBounds<Cell>::kBytesPerSlot + 28;
  const std::uint64_t stride = padded(capacity);
  return SquareCounts<Cell>::bytes(stride) + stride * kSlotBytes + words * 8;
}

template <class Cell>
Score Window<Cell>::shared_loss(Slot v, Slot w) const {
  const std::size_t words = lanes() / 64;
  const bool in_table = cells_.peak(v) + cells_.peak(w) < terms_.table().size();
  return shared_phi(cells_.after_row(v), cells_.after_row(w), words, terms_, in_table) +
         shared_phi(cells_.before_row(v), cells_.before_row(w), words, terms_, in_table);
}

template <class Cell>
Score Window<Cell>::own_loss(Slot v, Slot w) const {
  const Count vv = after(v)[v];
  const Count vw = after(v)[w];
  const Count wv = after(w)[v];
  const Count ww = after(w)[w];
  return terms_.phi(vv, vw, wv, ww) - terms_.phi(vv, wv) - terms_.phi(vw, ww) - terms_.phi(vv, vw) -
         terms_.phi(wv, ww) + sides_.left.loss(v, w, terms_) + sides_.right.loss(v, w, terms_);
}

template <class Cell>
Score Window<Cell>::gain(const NewWord& word) const {
  const auto& [left, right] = sides_;
  Score sum = terms_.h(word.self);
  for (const auto& [c, after, before] : word.neighbours) {
    sum += terms_.h(after) + terms_.h(before);
    if (before > 0) sum -= left.weigh_with(c, before, terms_) - left.weighed[c];
    if (after > 0) sum -= right.weigh_with(c, after, terms_) - right.weighed[c];
  }
  const Count left_marginal = terms_.left_marginal(word.word);
  const Count right_marginal = terms_.right_marginal(word.word);
  return sum - terms_.weigh(static_cast<double>(word.left_degree), ObjectiveTerms::ln(left_marginal)) -
         terms_.weigh(static_cast<double>(word.right_degree), ObjectiveTerms::ln(right_marginal));
}

/// The word's counts become part of a cluster, which is empty if it is new.
template <class Cell>
void Window<Cell>::add_word(const NewWord& word, Slot slot, Score change) {
  objective_ += change;
  inside_ += word.new_pairs();
  Count own_after = 0;
  Count own_before = 0;
  for (const auto& [c, after, before] : word.neighbours) {
    if (c == slot) {
      own_after = after;
      own_before = before;
      cells_.add(slot, slot, after + before);
      continue;
    }
    cells_.add(slot, c, after);
    cells_.add(c, slot, before);
    if (before > 0) sides_.left.add_degree(c, before, terms_);
    if (after > 0) sides_.right.add_degree(c, after, terms_);
  }
  cells_.add(slot, slot, word.self);
  sides_.left.add(slot, static_cast<Degree<Cell>>(word.left_degree + own_before),
                  terms_.left_marginal(word.word), terms_);
  sides_.right.add(slot, static_cast<Degree<Cell>>(word.right_degree + own_after),
                   terms_.right_marginal(word.word), terms_);
  changes_.push_back(slot);
  words_.add(word.word, slot);
}

template <class Cell>
void Window<Cell>::raise_rates(const NewWord& word, Slot slot) {
  for (const Neighbour& neighbour : word.neighbours) {
    rates_.raise(slot, neighbour.slot, cells_, sides_);
    rates_.raise(neighbour.slot, slot, cells_, sides_);
  }
}

template <class Cell>
Slot Window<Cell>::insert(const NewWord& word, std::uint32_t rank) {
  const Score change = gain(word);
  const Slot slot = slots_.take(word.word, rank);
  cells_.start(slot);
  add_word(word, slot, change);
  renew_rates(slot);
  raise_rates(word, slot);
  return slot;
}

// The cells that a word changes lie far apart, and other threads have read them: all are asked for at once.
template <class Cell>
void Window<Cell>::prefetch(const NewWord& word, Slot slot) const {
  for (const auto& [c, after, before] : word.neighbours) {
    if (after > 0) {
      cells_.prefetch(slot, c);
      sides_.right.prefetch(c);
    }
    if (before > 0) {
      cells_.prefetch(c, slot);
      sides_.left.prefetch(c);
    }
    cells_.prefetch_peak(c);
  }
}

template <class Cell>
void Window<Cell>::absorb(const NewWord& word, Slot slot, Score change, std::uint32_t rank) {
  prefetch(word, slot);
  add_word(word, slot, change);
  raise_rates(word, slot);
  rates_.raise(slot, slot, cells_, sides_);
  if (rates_.is_old(slot)) renew_rates(slot);
  slots_.join(slot, word.word, rank);
}

template <class Cell>
void Window<Cell>::merge(Slot kept, Slot gone, Score loss) {
  objective_ -= loss;
  const std::size_t words = lanes() / 64;
  for_each_bit(words, cells_.after_bits(gone), [&](Slot c) {
    const Count count = after(gone)[c];
    cells_.clear(gone, c);
    cells_.add(kept, c == gone ? kept : c, count);
  });
  for_each_bit(words, cells_.before_bits(gone), [&](Slot c) {
    const Count count = before(gone)[c];
    cells_.clear(c, gone);
    cells_.add(c, kept, count);
  });
  sides_.left.merge(kept, gone, terms_);
  sides_.right.merge(kept, gone, terms_);
  renew_rates(kept);
  changes_.insert(changes_.end(), {kept, gone});
  slots_.join(kept, slots_.head(gone), slots_.rank(gone));
  words_.merge(kept, gone);
  slots_.release(gone);
}

template <class Cell>
std::vector<Slot> Window<Cell>::compact(bool shrink) {
  const std::vector<Slot> kept = slots_.list_live();
  std::vector<Slot> moved(stride(), kNoSlot);
  for (Slot slot = 0; slot < kept.size(); ++slot) moved[kept[slot]] = slot;
  cells_.compact(kept, shrink ? padded(kept.size()) : stride());
  sides_.left.compact(kept);
  sides_.right.compact(kept);
  rates_.compact(kept);
  slots_.compact(kept);
  words_.compact(kept);
  changes_.clear();
  ++compactions_;
  return moved;
}

template <class Cell>
void Window<Cell>::check() const {
  cells_.check(used());
  const auto& [left, right] = sides_;
  Score objective = 0;
  Count inside = 0;
  for (Slot v = 0; v < used(); ++v) {
    Count row = 0;
    Count column = 0;
    for (Slot w = 0; w < used(); ++w) {
      objective += terms_.h(after(v)[w]);
      row += after(v)[w];
      column += before(v)[w];
    }
    inside += row;
    const auto below = [](double rate, double bound) { return rate <= bound * (1 + 1e-12); };
    expect_same(below(largest_rate(before(v), left.inverse.data(), lanes()), rates_.before(v)) &&
                below(largest_rate(after(v), right.inverse.data(), lanes()), rates_.after(v)));
    expect_same(static_cast<Degree<Cell>>(row) == left.degree[v] &&
                static_cast<Degree<Cell>>(column) == right.degree[v]);
    objective -= terms_.weigh(static_cast<double>(row), ObjectiveTerms::ln(left.marginal[v])) +
                 terms_.weigh(static_cast<double>(column), ObjectiveTerms::ln(right.marginal[v]));
  }
  expect_same(objective == objective_ && inside == inside_);
}

template class Window<std::uint32_t>;
template class Window<std::uint64_t>;

}  // namespace firth::brown

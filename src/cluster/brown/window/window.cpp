#include "cluster/brown/window/window.hpp"

#include <algorithm>
#include <stdexcept>

namespace firth::brown {
namespace {

constexpr WordId kNoWord = static_cast<WordId>(-1);
constexpr std::uint32_t kRateAge = 8;  // rates fall as marginals grow: computed anew now and then

std::size_t padded(std::size_t lanes) {
  return (lanes + kLaneBlock - 1) / kLaneBlock * kLaneBlock;
}

template <class Cell>
void resize_side(Side<Cell>& side, std::size_t size) {
  side.degree.resize(size);
  side.marginal.resize(size);
  side.ln_marginal.resize(size);
  side.inverse.resize(size);
  side.weighed.resize(size);
}

}  // namespace

template <class Cell>
Window<Cell>::Window(const Measure& measure, std::size_t capacity, std::size_t words)
    : measure_(measure),
      stride_(padded(std::max<std::size_t>(capacity, 1))),
      after_(stride_ * stride_),
      before_(stride_ * stride_),
      diagonal_(stride_),
      after_bits_(stride_ * stride_ / 64),
      before_bits_(stride_ * stride_ / 64),
      peak_(stride_),
      before_rate_(stride_),
      after_rate_(stride_),
      rate_age_(stride_),
      after_fill_(stride_),
      before_fill_(stride_),
      rank_(stride_),
      node_(stride_),
      head_(stride_),
      live_flag_(stride_),
      slot_of_(words, kNoSlot),
      first_of_(stride_, kNoWord),
      last_of_(stride_, kNoWord),
      next_of_(words, kNoWord) {
  resize_side(left_, stride_);
  resize_side(right_, stride_);
}

template <class Cell>
std::uint64_t Window<Cell>::bytes(std::size_t capacity, std::size_t words) {
  const std::uint64_t stride = padded(std::max<std::size_t>(capacity, 1));
  return stride * stride * 2 * sizeof(Cell) + stride * stride / 4 + stride * 148 + words * 8;
}

template <class Cell>
void Window<Cell>::update_lanes() {
  lanes_ = padded(used_);
}

template <class Cell>
Score Window<Cell>::shared_loss(Slot v, Slot w, std::size_t begin, std::size_t end) const {
  const std::size_t words = (end - begin) / 64;
  const bool inside = peak_[v] + peak_[w] < measure_.table().size();
  const auto after_row = [&](Slot c) { return BitRow<Cell>{after(c) + begin, after_bits(c) + begin / 64}; };
  const auto before_row = [&](Slot c) {
    return BitRow<Cell>{before(c) + begin, before_bits(c) + begin / 64};
  };
  return shared_phi(after_row(v), after_row(w), words, measure_, inside) +
         shared_phi(before_row(v), before_row(w), words, measure_, inside);
}

template <class Cell>
Score Window<Cell>::own_loss(Slot v, Slot w) const {
  const Count vv = after(v)[v];
  const Count vw = after(v)[w];
  const Count wv = after(w)[v];
  const Count ww = after(w)[w];
  Score sum = measure_.phi(vv, vw, wv, ww) - measure_.phi(vv, wv) - measure_.phi(vw, ww) -
              measure_.phi(vv, vw) - measure_.phi(wv, ww);
  for (const Side<Cell>* side : {&left_, &right_})
    sum += measure_.weigh(static_cast<double>(side->degree[v] + side->degree[w]),
                          Measure::ln(side->marginal[v] + side->marginal[w])) -
           side->weighed[v] - side->weighed[w];
  return sum;
}

template <class Cell>
void Window<Cell>::list_meetings(Slot slot, std::vector<Neighbour>& meetings) const {
  meetings.clear();
  const auto either = [&](std::size_t i) { return after_bits(slot)[i] | before_bits(slot)[i]; };
  for_each_bit(lanes_ / 64, either, [&](Slot c) {
    meetings.push_back({c, after(slot)[c], before(slot)[c]});
  });
}

template <class Cell>
Score Window<Cell>::gain(const NewWord& word) const {
  const auto weigh_more = [&](const Side<Cell>& side, Slot c, Count more) {
    return measure_.weigh(static_cast<double>(side.degree[c] + static_cast<Degree<Cell>>(more)),
                          side.ln_marginal[c]);
  };
  Score sum = measure_.h(word.self);
  for (const Neighbour& meeting : word.meetings) {
    sum += measure_.h(meeting.after) + measure_.h(meeting.before);
    const Slot c = meeting.slot;
    if (meeting.before > 0) sum -= weigh_more(left_, c, meeting.before) - left_.weighed[c];
    if (meeting.after > 0) sum -= weigh_more(right_, c, meeting.after) - right_.weighed[c];
  }
  const Count left = measure_.left_marginal(word.word);
  const Count right = measure_.right_marginal(word.word);
  return sum - measure_.weigh(static_cast<double>(word.left_degree), Measure::ln(left)) -
         measure_.weigh(static_cast<double>(word.right_degree), Measure::ln(right));
}

template <class Cell>
void Window<Cell>::add(Slot from, Slot to, Count count) {
  if (count == 0) return;
  Cell& cell = after_[from * stride_ + to];
  if (cell == 0) {
    ++after_fill_[from];
    ++before_fill_[to];
  }
  cell = static_cast<Cell>(cell + count);
  before_[to * stride_ + from] = cell;
  after_bits_[from * (stride_ / 64) + to / 64] |= std::uint64_t{1} << (to % 64);
  before_bits_[to * (stride_ / 64) + from / 64] |= std::uint64_t{1} << (from % 64);
  peak_[from] = std::max<Count>(peak_[from], cell);
  peak_[to] = std::max<Count>(peak_[to], cell);
  if (from == to) diagonal_[from] = cell;
}

template <class Cell>
void Window<Cell>::clear(Slot from, Slot to) {
  --after_fill_[from];
  --before_fill_[to];
  after_[from * stride_ + to] = 0;
  before_[to * stride_ + from] = 0;
  after_bits_[from * (stride_ / 64) + to / 64] &= ~(std::uint64_t{1} << (to % 64));
  before_bits_[to * (stride_ / 64) + from / 64] &= ~(std::uint64_t{1} << (from % 64));
  if (from == to) diagonal_[from] = 0;
}

template <class Cell>
void Window<Cell>::set_side(Side<Cell>& side, Slot slot, Degree<Cell> degree, Count marginal) {
  side.degree[slot] = degree;
  side.marginal[slot] = marginal;
  side.ln_marginal[slot] = Measure::ln(marginal);
  side.inverse[slot] = marginal == 0 ? 0.0 : 1.0 / static_cast<double>(marginal);
  side.weighed[slot] = measure_.weigh(static_cast<double>(degree), side.ln_marginal[slot]);
}

template <class Cell>
void Window<Cell>::change_degree(Side<Cell>& side, Slot slot, Count by) {
  side.degree[slot] += static_cast<Degree<Cell>>(by);
  side.weighed[slot] = measure_.weigh(static_cast<double>(side.degree[slot]), side.ln_marginal[slot]);
}

template <class Cell>
void Window<Cell>::raise_rates(Slot from, Slot to) {
  const auto cell = static_cast<double>(after(from)[to]);
  before_rate_[to] = std::max(before_rate_[to], cell * left_.inverse[from]);
  after_rate_[from] = std::max(after_rate_[from], cell * right_.inverse[to]);
}

template <class Cell>
void Window<Cell>::renew_rates(Slot slot) {
  before_rate_[slot] = largest_rate(before(slot), left_.inverse.data(), lanes_);
  after_rate_[slot] = largest_rate(after(slot), right_.inverse.data(), lanes_);
  rate_age_[slot] = 0;
}

template <class Cell>
Slot Window<Cell>::insert(const NewWord& word, std::uint32_t rank) {
  objective_ += gain(word);
  inside_ += word.left_degree + word.right_degree - word.self;
  Slot slot = static_cast<Slot>(used_);
  if (free_.empty()) {
    ++used_;
    update_lanes();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  ++live_;
  live_flag_[slot] = 1;
  rank_[slot] = rank;
  node_[slot] = word.word;
  head_[slot] = word.word;
  peak_[slot] = 0;
  for (const Neighbour& meeting : word.meetings) {
    add(slot, meeting.slot, meeting.after);
    add(meeting.slot, slot, meeting.before);
    if (meeting.before > 0) change_degree(left_, meeting.slot, meeting.before);
    if (meeting.after > 0) change_degree(right_, meeting.slot, meeting.after);
  }
  add(slot, slot, word.self);
  set_side(left_, slot, static_cast<Degree<Cell>>(word.left_degree), measure_.left_marginal(word.word));
  set_side(right_, slot, static_cast<Degree<Cell>>(word.right_degree), measure_.right_marginal(word.word));
  renew_rates(slot);
  for (const Neighbour& meeting : word.meetings) {
    raise_rates(slot, meeting.slot);
    raise_rates(meeting.slot, slot);
  }
  changes_.push_back(slot);
  slot_of_[word.word] = slot;
  last_word_ = std::max(last_word_, word.word);
  first_of_[slot] = last_of_[slot] = word.word;
  next_of_[word.word] = kNoWord;
  return slot;
}

// The cells that a word changes lie far apart, and other threads have read them: all are asked for at once.
template <class Cell>
void Window<Cell>::fetch_cells(const NewWord& word, Slot slot) const {
  const auto fetch_pair = [&](Slot from, Slot to) {
    __builtin_prefetch(&after_[from * stride_ + to], 1);
    __builtin_prefetch(&before_[to * stride_ + from], 1);
    __builtin_prefetch(&after_bits_[(from * stride_ + to) / 64], 1);
    __builtin_prefetch(&before_bits_[(to * stride_ + from) / 64], 1);
  };
  const auto fetch_side = [](const Side<Cell>& side, Slot c) {
    __builtin_prefetch(&side.degree[c], 1);
    __builtin_prefetch(&side.weighed[c], 1);
  };
  for (const auto& [c, after, before] : word.meetings) {
    if (after > 0) {
      fetch_pair(slot, c);
      fetch_side(right_, c);
    }
    if (before > 0) {
      fetch_pair(c, slot);
      fetch_side(left_, c);
    }
    __builtin_prefetch(&peak_[c], 1);
  }
}

template <class Cell>
void Window<Cell>::absorb(const NewWord& word, Slot slot, Score change, std::uint32_t rank) {
  fetch_cells(word, slot);
  objective_ += change;
  inside_ += word.left_degree + word.right_degree - word.self;
  Count own_after = 0;
  Count own_before = 0;
  for (const Neighbour& meeting : word.meetings) {
    if (meeting.slot == slot) {
      own_after = meeting.after;
      own_before = meeting.before;
      add(slot, slot, meeting.after + meeting.before);
      continue;
    }
    add(slot, meeting.slot, meeting.after);
    add(meeting.slot, slot, meeting.before);
    if (meeting.before > 0) change_degree(left_, meeting.slot, meeting.before);
    if (meeting.after > 0) change_degree(right_, meeting.slot, meeting.after);
  }
  add(slot, slot, word.self);
  set_side(left_, slot, left_.degree[slot] + static_cast<Degree<Cell>>(word.left_degree + own_before),
           left_.marginal[slot] + measure_.left_marginal(word.word));
  set_side(right_, slot, right_.degree[slot] + static_cast<Degree<Cell>>(word.right_degree + own_after),
           right_.marginal[slot] + measure_.right_marginal(word.word));
  for (const Neighbour& meeting : word.meetings) {
    raise_rates(slot, meeting.slot);
    raise_rates(meeting.slot, slot);
  }
  raise_rates(slot, slot);
  if (++rate_age_[slot] >= kRateAge) renew_rates(slot);
  changes_.push_back(slot);
  rank_[slot] = std::min(rank_[slot], rank);
  head_[slot] = std::min(head_[slot], word.word);
  slot_of_[word.word] = slot;
  last_word_ = std::max(last_word_, word.word);
  next_of_[word.word] = first_of_[slot];
  first_of_[slot] = word.word;
}

template <class Cell>
void Window<Cell>::relabel(Slot from, Slot to) {
  for (WordId word = first_of_[from]; word != kNoWord; word = next_of_[word]) slot_of_[word] = to;
  next_of_[last_of_[from]] = first_of_[to];
  first_of_[to] = first_of_[from];
  first_of_[from] = last_of_[from] = kNoWord;
}

template <class Cell>
void Window<Cell>::merge(Slot kept, Slot gone, Score loss) {
  objective_ -= loss;
  const std::size_t words = lanes_ / 64;
  for_each_bit(words, after_bits(gone), [&](Slot c) {
    const Count count = after(gone)[c];
    clear(gone, c);
    add(kept, c == gone ? kept : c, count);
  });
  for_each_bit(words, before_bits(gone), [&](Slot c) {
    const Count count = before(gone)[c];
    clear(c, gone);
    add(c, kept, count);
  });
  set_side(left_, kept, left_.degree[kept] + left_.degree[gone], left_.marginal[kept] + left_.marginal[gone]);
  set_side(right_, kept, right_.degree[kept] + right_.degree[gone],
           right_.marginal[kept] + right_.marginal[gone]);
  set_side(left_, gone, 0, 0);
  set_side(right_, gone, 0, 0);
  renew_rates(kept);
  changes_.insert(changes_.end(), {kept, gone});
  rank_[kept] = std::min(rank_[kept], rank_[gone]);
  head_[kept] = std::min(head_[kept], head_[gone]);
  relabel(gone, kept);
  live_flag_[gone] = 0;
  --live_;
  free_.push_back(gone);
}

template class Window<std::uint32_t>;
template class Window<std::uint64_t>;

}  // namespace firth::brown

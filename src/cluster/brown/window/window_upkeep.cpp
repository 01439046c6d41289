// Parts of Window that are not on the hot path: moving clusters together, checking the sums.
#include <algorithm>
#include <stdexcept>

#include "cluster/brown/window/window.hpp"

namespace firth::brown {
namespace {

// Values of `kept` slots (rising) to the front.
template <class T>
void gather(std::vector<T>& values, const std::vector<Slot>& kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
  std::fill(values.begin() + static_cast<std::ptrdiff_t>(kept.size()), values.end(), T{});
}

template <class Cell>
void gather(Side<Cell>& side, const std::vector<Slot>& kept) {
  gather(side.degree, kept);
  gather(side.marginal, kept);
  gather(side.ln_marginal, kept);
  gather(side.inverse, kept);
  gather(side.weighed, kept);
}

// In place: every cell moves to a smaller address or stays, in rising order, so none is lost.
template <class T>
void gather_square(std::vector<T>& cells, const std::vector<Slot>& kept, std::size_t from, std::size_t to) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = 0; j < kept.size(); ++j) cells[i * to + j] = cells[kept[i] * from + kept[j]];
    std::fill_n(cells.begin() + static_cast<std::ptrdiff_t>(i * to + kept.size()), to - kept.size(), T{});
  }
  std::fill(cells.begin() + static_cast<std::ptrdiff_t>(kept.size() * to), cells.end(), T{});
}

template <class Cell>
void set_bits(std::vector<std::uint64_t>& bits, const std::vector<Cell>& cells, std::size_t size) {
  std::fill(bits.begin(), bits.end(), 0);
  for (std::size_t i = 0; i < size; ++i)
    if (cells[i] != 0) bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

void expect(bool same) {
  if (!same) throw std::logic_error("Brown clustering: a sum kept up to date differs from its recomputation");
}

}  // namespace

template <class Cell>
std::vector<Slot> Window<Cell>::compact(bool shrink) {
  std::vector<Slot> kept;
  std::vector<Slot> moved(stride_, kNoSlot);
  for (Slot slot = 0; slot < used_; ++slot)
    if (is_live(slot)) {
      moved[slot] = static_cast<Slot>(kept.size());
      kept.push_back(slot);
    }
  const std::size_t stride = shrink ? (kept.size() + kLaneBlock - 1) / kLaneBlock * kLaneBlock : stride_;
  gather_square(after_, kept, stride_, stride);
  gather_square(before_, kept, stride_, stride);
  set_bits(after_bits_, after_, stride * stride);
  set_bits(before_bits_, before_, stride * stride);
  gather(diagonal_, kept);
  gather(peak_, kept);
  gather(before_rate_, kept);
  gather(after_rate_, kept);
  gather(rate_age_, kept);
  gather(left_, kept);
  gather(right_, kept);
  gather(after_fill_, kept);
  gather(before_fill_, kept);
  gather(rank_, kept);
  gather(node_, kept);
  gather(head_, kept);
  gather(live_flag_, kept);
  gather(first_of_, kept);
  gather(last_of_, kept);
  for (Slot& slot : slot_of_)
    if (slot != kNoSlot) slot = moved[slot];
  free_.clear();
  changes_.clear();
  ++compactions_;
  stride_ = stride;
  used_ = kept.size();
  update_lanes();
  return moved;
}

template <class Cell>
void Window<Cell>::check() const {
  Score objective = 0;
  Count inside = 0;
  for (Slot v = 0; v < used_; ++v) {
    Count row = 0;
    Count column = 0;
    for (Slot w = 0; w < used_; ++w) {
      expect(after(v)[w] == before(w)[v]);
      expect((after_bits(v)[w / 64] >> (w % 64) & 1) == (after(v)[w] != 0));
      expect((before_bits(w)[v / 64] >> (v % 64) & 1) == (after(v)[w] != 0));
      objective += measure_.h(after(v)[w]);
      row += after(v)[w];
      column += before(v)[w];
    }
    inside += row;
    const auto below = [](double rate, double bound) { return rate <= bound * (1 + 1e-12); };
    expect(below(largest_rate(before(v), left_.inverse.data(), lanes_), before_rate_[v]) &&
           below(largest_rate(after(v), right_.inverse.data(), lanes_), after_rate_[v]));
    expect(static_cast<Degree<Cell>>(row) == left_.degree[v] &&
           static_cast<Degree<Cell>>(column) == right_.degree[v]);
    expect(diagonal_[v] == after(v)[v]);
    objective -= measure_.weigh(static_cast<double>(row), Measure::ln(left_.marginal[v])) +
                 measure_.weigh(static_cast<double>(column), Measure::ln(right_.marginal[v]));
  }
  expect(objective == objective_ && inside == inside_);
}

template std::vector<Slot> Window<std::uint32_t>::compact(bool);
template std::vector<Slot> Window<std::uint64_t>::compact(bool);
template void Window<std::uint32_t>::check() const;
template void Window<std::uint64_t>::check() const;

}  // namespace firth::brown

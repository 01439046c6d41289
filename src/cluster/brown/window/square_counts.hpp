// How often each cluster of the window follows each other one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/count_rows.hpp"
#include "cluster/brown/window/new_word.hpp"

namespace firth::brown {

/// N(v, w) by row and, transposed, by column.
template <class Cell>
class SquareCounts {
 public:
  explicit SquareCounts(std::size_t stride)
      : after_(stride, stride),
        before_(stride, stride),
        diagonal_(stride),
        peak_(stride),
        after_fill_(stride),
        before_fill_(stride) {}

  static std::uint64_t bytes(std::uint64_t stride) {
    return 2 * CountRows<Cell>::bytes(stride, stride) + stride * (sizeof(Cell) + 16);
  }

  std::size_t stride() const noexcept { return after_.stride(); }

  /// N(slot, .) and N(., slot) by lane, and the bit sets of their non-zeros.
  const Cell* after(Slot slot) const { return after_.cells(slot); }
  const Cell* before(Slot slot) const { return before_.cells(slot); }
  const std::uint64_t* after_bits(Slot slot) const { return after_.bits(slot); }
  const std::uint64_t* before_bits(Slot slot) const { return before_.bits(slot); }
  BitRow<Cell> after_row(Slot slot, std::size_t begin = 0) const { return after_.row(slot, begin); }
  BitRow<Cell> before_row(Slot slot, std::size_t begin = 0) const { return before_.row(slot, begin); }
  std::span<const Cell> diagonal() const { return diagonal_; }
  /// Number of non-zeros of after(slot) and before(slot).
  std::uint32_t after_fill(Slot slot) const { return after_fill_[slot]; }
  std::uint32_t before_fill(Slot slot) const { return before_fill_[slot]; }
  /// At least as large as every cell of after(slot) and before(slot).
  Count peak(Slot slot) const { return peak_[slot]; }

  /// All neighbours of the cluster in the first `lanes`, itself included.
  void list_neighbours(Slot slot, std::size_t lanes, std::vector<Neighbour>& neighbours) const {
    neighbours.clear();
    const auto either = [&](std::size_t i) { return after_bits(slot)[i] | before_bits(slot)[i]; };
    for_each_bit(lanes / 64, either, [&](Slot c) {
      neighbours.push_back({c, after(slot)[c], before(slot)[c]});
    });
  }

  /// A new cluster: the slot's row and column are empty.
  void start(Slot slot) { peak_[slot] = 0; }

  void add(Slot from, Slot to, Count count) {
    if (count == 0) return;
    const Cell old = after_.cells(from)[to];
    if (old == 0) {
      ++after_fill_[from];
      ++before_fill_[to];
    }
    const auto cell = static_cast<Cell>(old + count);
    after_.set_positive(from, to, cell);
    before_.set_positive(to, from, cell);
    peak_[from] = std::max<Count>(peak_[from], cell);
    peak_[to] = std::max<Count>(peak_[to], cell);
    if (from == to) diagonal_[from] = cell;
  }

  /// A cell that is not 0 becomes 0.
  void clear(Slot from, Slot to) {
    --after_fill_[from];
    --before_fill_[to];
    after_.clear(from, to);
    before_.clear(to, from);
    if (from == to) diagonal_[from] = 0;
  }

  /// The cell will be written soon.
  void prefetch(Slot from, Slot to) const {
    after_.prefetch(from, to);
    before_.prefetch(to, from);
  }
  void prefetch_peak(Slot slot) const { __builtin_prefetch(&peak_[slot], 1); }

  /// The slots `kept`, rising, move to the front, and rows become `stride` long.
  void compact(std::span<const Slot> kept, std::size_t stride);

  /// Throws std::logic_error if rows, columns, bit sets or diagonal of the first `used` slots differ.
  void check(std::size_t used) const;

 private:
  CountRows<Cell> after_, before_;
  std::vector<Cell> diagonal_;
  std::vector<Count> peak_;
  std::vector<std::uint32_t> after_fill_, before_fill_;
};

/// Values of the slots `kept`, rising, move to the front.
template <class T>
void move_to_front(std::vector<T>& values, std::span<const Slot> kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
  std::fill(values.begin() + static_cast<std::ptrdiff_t>(kept.size()), values.end(), T{});
}

/// Throws std::logic_error.
void expect_same(bool same);

extern template class SquareCounts<std::uint32_t>;
extern template class SquareCounts<std::uint64_t>;

}  // namespace firth::brown

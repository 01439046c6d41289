// Rows of counts by lane, each with the bit set of its non-zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/kernel.hpp"

namespace firth::brown {

/// Number of a place in the window: a lane, and in a square table a row, too.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = static_cast<Slot>(-1);

/// Lanes, at least one, rounded up to whole blocks.
inline std::size_t padded(std::size_t lanes) {
  return (lanes + (lanes == 0) + kLaneBlock - 1) / kLaneBlock * kLaneBlock;
}

/// Cell is the type of one count: 32 bits where the number of bigrams allows, else 64.
template <class Cell>
class CountRows {
 public:
  /// `stride`: lanes of a row, padded.
  CountRows(std::size_t rows, std::size_t stride)
      : stride_(stride), cells_(rows * stride), bits_(rows * stride / 64) {}

  static std::uint64_t bytes(std::uint64_t rows, std::uint64_t stride) {
    return rows * stride * sizeof(Cell) + rows * stride / 8;
  }

  std::size_t stride() const noexcept { return stride_; }
  const Cell* cells(std::size_t row) const { return cells_.data() + row * stride_; }
  const std::uint64_t* bits(std::size_t row) const { return bits_.data() + row * (stride_ / 64); }
  /// Both, from lane `begin` on, a multiple of kLaneBlock.
  BitRow<Cell> row(std::size_t row, std::size_t begin = 0) const {
    return {cells(row) + begin, bits(row) + begin / 64};
  }

  void set_positive(std::size_t row, Slot lane, Cell count) {
    cells_[row * stride_ + lane] = count;
    bits_[row * (stride_ / 64) + lane / 64] |= std::uint64_t{1} << (lane % 64);
  }
  void clear(std::size_t row, Slot lane) {
    cells_[row * stride_ + lane] = 0;
    bits_[row * (stride_ / 64) + lane / 64] &= ~(std::uint64_t{1} << (lane % 64));
  }
  void set(std::size_t row, Slot lane, Cell count) {
    if (count == 0) return clear(row, lane);
    set_positive(row, lane, count);
  }

  /// The cell will be written soon.
  void prefetch(std::size_t row, Slot lane) const {
    __builtin_prefetch(&cells_[row * stride_ + lane], 1);
    __builtin_prefetch(&bits_[(row * stride_ + lane) / 64], 1);
  }

  /// For a square table: the rows and lanes `kept`, rising, move to the front, and rows become `stride` long.
  void compact(std::span<const Slot> kept, std::size_t stride);

 private:
  std::size_t stride_;
  std::vector<Cell> cells_;
  std::vector<std::uint64_t> bits_;
};

extern template class CountRows<std::uint32_t>;
extern template class CountRows<std::uint64_t>;

}  // namespace firth::brown

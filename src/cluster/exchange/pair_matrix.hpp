// Counts of class pairs, in cells of four or eight bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/aligned.hpp"
#include "firth/types.hpp"

namespace firth::exchange {

/// Four bytes keep the matrices of nearly all texts in the cache.
using Cell = std::uint32_t;
/// For the rest.
using WideCell = std::uint64_t;

/// Largest count in a Cell: counts are converted to floats as signed numbers, which processors do best.
inline constexpr Count kMaxCell = std::numeric_limits<std::int32_t>::max();

/// Classes of a row, padded to whole cache lines and to whole blocks of the kernel.
std::size_t padded_lanes(ClassId classes);

/// Counts of class pairs in one orientation, rows padded, with the worth of one more count beside each. Cells
/// are narrow until widen().
class PairMatrix {
 public:
  void resize(ClassId classes);

  std::size_t stride() const noexcept { return stride_; }
  bool is_wide() const noexcept { return !wide_.empty(); }
  const Cell* row(ClassId c) const { return cells_.data() + c * stride_; }
  const WideCell* wide_row(ClassId c) const { return wide_.data() + c * stride_; }
  const float* step_row(ClassId c) const { return steps_.data() + c * stride_; }

  Count at(ClassId row, ClassId column) const {
    const std::size_t place = row * stride_ + column;
    return is_wide() ? wide_[place] : cells_[place];
  }
  /// `count` must be at most kMaxCell unless the matrix is wide.
  void set(ClassId row, ClassId column, Count count, float step) {
    const std::size_t place = row * stride_ + column;
    steps_[place] = step;
    if (is_wide()) {
      wide_[place] = count;
    } else {
      cells_[place] = static_cast<Cell>(count);
    }
  }
  void set_step(ClassId row, ClassId column, float step) { steps_[row * stride_ + column] = step; }

  /// Adds to a count, below 0 by wrapping, and returns what it was; its step is left as it is. The sum must be at most kMaxCell
  /// unless the matrix is wide.
  Count add(ClassId row, ClassId column, Count change) {
    const std::size_t place = row * stride_ + column;
    if (is_wide()) return std::exchange(wide_[place], wide_[place] + change);
    return std::exchange(cells_[place], static_cast<Cell>(cells_[place] + change));
  }
  /// The same, where several threads may do so at the same time.
  Count add_shared(ClassId row, ClassId column, Count change) {
    const std::size_t place = row * stride_ + column;
    if (is_wide()) return std::atomic_ref(wide_[place]).fetch_add(change, std::memory_order_relaxed);
    return std::atomic_ref(cells_[place]).fetch_add(static_cast<Cell>(change), std::memory_order_relaxed);
  }
  /// A count will be read soon.
  void prefetch(ClassId row, ClassId column) const {
    const std::size_t place = row * stride_ + column;
    if (is_wide()) {
      __builtin_prefetch(wide_.data() + place);
    } else {
      __builtin_prefetch(cells_.data() + place);
    }
  }

  /// Cells of eight bytes from now on.
  void widen();

  /// Bytes of a matrix of this many classes.
  static std::uint64_t bytes(ClassId classes, bool wide);

  friend bool operator==(const PairMatrix&, const PairMatrix&) = default;

 private:
  std::size_t stride_ = 0;
  base::AlignedVector<Cell> cells_;     // empty when wide
  base::AlignedVector<WideCell> wide_;  // empty when narrow
  base::AlignedVector<float> steps_;
};

}  // namespace firth::exchange

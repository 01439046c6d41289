// Logarithms as integers: sums of them are exact, so they are the same in any order and for any number of
// threads, and two losses are tied exactly when their integers are equal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firth/types.hpp"

namespace firth::base {

/// h(x) = x ln x and ln x in fixed point. The scale 2^shift is as fine as the total allows: every sum of
/// h over counts that add up to at most 4 * total stays below 2^62 (h is superadditive, so such sums are
/// bounded by h(4 * total)). At total = 1e6 the step is 3e-11 nats, at 1e9 5e-8; from 2^54 on the shift is
/// negative, and at 2^63 the step is 1024 nats.
class FixedLog {
 public:
  /// `total`: the largest sum of counts that will occur (T in the formulas). `threads` make the table.
  explicit FixedLog(Count total, std::size_t table_size = std::size_t{1} << 20, unsigned threads = 1);

  /// x ln x, 0 at 0.
  std::int64_t h(Count x) const { return x < table_.size() ? table_[x] : compute_h(x); }

  /// ln x for x >= 1 (0 at 0), in the same units.
  std::int64_t ln(Count x) const;

  /// The first values of h, for loops that look up by themselves.
  std::span<const std::int64_t> table() const noexcept { return table_; }

  int shift() const noexcept { return shift_; }

  /// Fixed point to nats.
  double nats(std::int64_t value) const noexcept { return static_cast<double>(value) * step_; }

 private:
  std::int64_t compute_h(Count x) const;

  int shift_;
  double step_;
  std::vector<std::int64_t> table_;
};

}  // namespace firth::base

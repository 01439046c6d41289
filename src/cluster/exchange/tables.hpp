// Values of h(x) = x ln x and its differences, exact for decisions and in single precision for screening.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed_log.hpp"
#include "cluster/exchange/problem.hpp"

namespace firth::exchange {

/// Contexts seen at most so often are scored through tables, the others by formula.
inline constexpr Cell kTableCount = 8;
/// Length of a correction table; beyond it the correction is below kTableCount^2 / (2 * kTableLength) nats.
inline constexpr std::size_t kTableLength = 4096;

class Tables {
 public:
  explicit Tables(Count total);

  const base::FixedLog& fixed() const noexcept { return fixed_; }
  std::int64_t h(Count x) const { return fixed_.h(x); }
  double nats(std::int64_t value) const { return fixed_.nats(value); }

  /// h(n + 1) - h(n): what one more count is worth.
  float step(Cell n) const {
    if (n < steps_.size()) return steps_[n];
    const double x = n;
    return static_cast<float>(std::log(x) + 1 + 0.5 / x);
  }

  /// h(n + k) - h(n) - k step(n) by n < kTableLength, for 2 <= k <= kTableCount: the larger n, the closer to
  /// 0.
  std::span<const float> excess(Cell k) const { return excess_[k]; }

 private:
  base::FixedLog fixed_;
  std::vector<float> steps_;
  std::array<std::vector<float>, kTableCount + 1> excess_;
};

}  // namespace firth::exchange

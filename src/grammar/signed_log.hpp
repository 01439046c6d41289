// Numbers that are too small for floating point and may be negative: spectral parameters give such
// "probabilities" when they were learned from little data.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace firth::grammar {

/// sign * exp(log); sign 0 is zero.
struct SignedLog {
  double log = -std::numeric_limits<double>::infinity();
  int sign = 0;

  /// value * 2^exponent
  static SignedLog of(double value, std::int64_t exponent) {
    if (value == 0) return {};
    constexpr double kLn2 = 0.693147180559945309417;
    return {std::log(std::abs(value)) + static_cast<double>(exponent) * kLn2, value < 0 ? -1 : 1};
  }

  double value() const { return sign * std::exp(log); }
};

}  // namespace firth::grammar

// What k more counts are worth beyond k times one more, without a logarithm.
#pragma once

#include <array>

#include "firth/types.hpp"

namespace firth::exchange {

/// Contexts seen at most this often are scored by fits, the others by formula.
inline constexpr Count kFittedCount = 96;

/// h(n + k) - h(n) - k (h(n + 1) - h(n)), h(x) = x ln x, for one k and any n >= 0: a quotient of two polynomials in n, to
/// about 1.5e-5 k. It is k (k - 1) / 2 times a mean of 1 / (n + t) over 0 <= t <= k (h'' is 1 / x), which such quotients
/// approach quickly; all coefficients are positive, so nothing cancels.
struct ExcessFit {
  static constexpr int kMinDegree = 3;
  static constexpr int kMaxDegree = 5;

  int degree = 0;                             ///< of the denominator; that of the numerator is one less
  std::array<float, kMaxDegree> numerator{};  ///< coefficients, n^0 first
  std::array<float, kMaxDegree + 1> denominator{};
  float largest =
      0;  ///< n above this count as this: powers must not overflow, and there is hardly any excess left
};

/// 2 <= k <= kFittedCount.
ExcessFit fit_excess(Count k);

}  // namespace firth::exchange

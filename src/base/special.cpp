#include "base/special.hpp"

#include <cmath>
#include <numbers>

namespace firth::base {
namespace {

constexpr double kLarge = 10;  // from here on the series are exact to 1e-13

}  // namespace

double digamma(double x) {
  double result = 0;
  for (; x < kLarge; x += 1) result -= 1 / x;
  const double f = 1 / (x * x);
  // ln x - 1/2x - sum of B_2k / (2k x^2k), Abramowitz & Stegun 6.3.18.
  return result + std::log(x) - 0.5 / x -
         f * (1.0 / 12 - f * (1.0 / 120 - f * (1.0 / 252 - f * (1.0 / 240 - f * (1.0 / 132)))));
}

double log_gamma(double x) {
  double result = 0;
  double product = 1;
  for (; x < kLarge; x += 1) product *= x;
  result -= std::log(product);
  const double f = 1 / (x * x);
  // Stirling's series, Abramowitz & Stegun 6.1.41.
  return result + (x - 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) +
         (1.0 / 12 - f * (1.0 / 360 - f * (1.0 / 1260 - f * (1.0 / 1680 - f / 1188)))) / x;
}

}  // namespace firth::base

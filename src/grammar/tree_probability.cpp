#include "grammar/tree_probability.hpp"

#include <algorithm>

namespace firth::grammar {

void normalize(std::vector<double>& values, std::int64_t& exponent) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0 || !std::isfinite(largest)) return;
  int shift = 0;
  std::frexp(largest, &shift);
  for (double& value : values) value = std::ldexp(value, -shift);
  exponent += shift;
}

}  // namespace firth::grammar

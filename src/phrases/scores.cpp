#include "phrases/scores.hpp"

#include <cmath>

namespace firth::phrases {
namespace {

double number(Count count) {
  return static_cast<double>(count);
}

/// k ln(k T / (row column)): one cell of G^2 / 2.
double cell(double observed, double row, double column, double total) {
  return observed > 0 ? observed * std::log(observed * total / (row * column)) : 0;
}

}  // namespace

double npmi(const PairTable& pair) {
  if (pair.count == 0) return -1;
  if (pair.count == pair.total) return 1;
  const double total = number(pair.total);
  const double together = number(pair.count) / total;
  const double chance = number(pair.left) / total * (number(pair.right) / total);
  return std::log(together / chance) / -std::log(together);
}

double likelihood_ratio(const PairTable& pair) {
  const double total = number(pair.total);
  const double both = number(pair.count);
  const double left = number(pair.left);
  const double right = number(pair.right);
  if (both * total <= left * right) return 0;
  const double sum = cell(both, left, right, total) + cell(left - both, left, total - right, total) +
                     cell(right - both, total - left, right, total) +
                     cell(total - left - right + both, total - left, total - right, total);
  return 2 * sum;
}

}  // namespace firth::phrases

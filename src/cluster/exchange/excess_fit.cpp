#include "cluster/exchange/excess_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace firth::exchange {
namespace {

using Polynomial = std::vector<double>;  // coefficients, x^0 first

double h(double x) {
  return x > 0 ? x * std::log(x) : 0;
}

double excess(double n, double k) {
  return h(n + k) - h(n) - k * (h(n + 1) - h(n));
}

/// More counts need more poles for the same error.
int degree_for(Count k) {
  constexpr Count kFew = 6;
  constexpr Count kSome = 24;
  return k <= kFew ? 3 : k <= kSome ? 4 : 5;
}

/// Where the quotient is exact: 0, then 1 to k in equal ratios, and one far out.
std::vector<double> nodes_for(double k, int degree) {
  constexpr double kFar = 4;
  const int between = 2 * degree - 2;
  std::vector<double> nodes = {0};
  for (int i = 0; i < between; ++i) nodes.push_back(std::pow(k, i / (between - 1.0)));
  nodes.push_back(kFar * k);
  return nodes;
}

/// a * p + (x - node) * q.
Polynomial combine(double a, const Polynomial& p, double node, const Polynomial& q) {
  Polynomial sum(std::max(p.size(), q.size() + 1), 0.0);
  for (std::size_t i = 0; i < p.size(); ++i) sum[i] += a * p[i];
  for (std::size_t i = 0; i < q.size(); ++i) {
    sum[i] -= node * q[i];
    sum[i + 1] += q[i];
  }
  return sum;
}

}  // namespace

// Thiele's continued fraction through 1 / excess, a0 + (x - x0) / (a1 + (x - x1) / (a2 + ...)), multiplied out from its end.
ExcessFit fit_excess(Count k) {
  ExcessFit fit;
  fit.degree = degree_for(k);
  const std::vector<double> nodes = nodes_for(static_cast<double>(k), fit.degree);
  std::vector<double> a;
  for (const double node : nodes) {
    double value = 1 / excess(node, static_cast<double>(k));
    for (std::size_t i = 0; i < a.size(); ++i) value = (node - nodes[i]) / (value - a[i]);
    a.push_back(value);
  }
  Polynomial above = {a.back()};
  Polynomial below = {1};
  for (std::size_t i = a.size() - 1; i-- > 0;)
    below = std::exchange(above, combine(a[i], above, nodes[i], below));
  // Upside down: `above` is the denominator of the excess itself.
  const auto scaled = [&](double coefficient) { return static_cast<float>(coefficient / above[0]); };
  std::transform(below.begin(), below.end(), fit.numerator.begin(), scaled);
  std::transform(above.begin(), above.end(), fit.denominator.begin(), scaled);
  fit.largest = std::exp2(std::floor(124.0F / static_cast<float>(fit.degree)));
  return fit;
}

}  // namespace firth::exchange

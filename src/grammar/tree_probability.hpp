// Figure 2 of Cohen et al. 2012: the probability of a tree.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "grammar/latent_grammar.hpp"
#include "grammar/signed_log.hpp"
#include "treebank/binary_tree.hpp"

namespace firth::grammar {

/// Brings the largest of values * 2^exponent to [0.5, 1) by a power of two, without rounding.
void normalize(std::vector<double>& values, std::int64_t& exponent);

/// Inside terms of a subtree: values * 2^exponent.
struct ScaledVector {
  std::vector<double> values;
  std::int64_t exponent = 0;
};

/// f^i = f^gamma C^{r_i}(f^beta) of figure 2. `tensor` is T[h_a][h_b][h_c].
template <typename Real>
ScaledVector apply_rule(std::span<const Real> tensor, const ScaledVector& left, const ScaledVector& right) {
  const std::size_t pairs = left.values.size() * right.values.size();
  ScaledVector result;
  result.exponent = left.exponent + right.exponent;
  for (std::size_t begin = 0; begin < tensor.size(); begin += pairs) {
    double sum = 0;
    std::size_t at = begin;
    for (const double l : left.values) {
      for (const double r : right.values) sum += static_cast<double>(tensor[at++]) * l * r;
    }
    result.values.push_back(sum);
  }
  normalize(result.values, result.exponent);
  return result;
}

/// p(tree), where `leaf(node)` gives the vector of a node above a word, and `rule(node)` the tensor of any
/// other, a span. `root(symbol)` is c^1. Grammar-independent, so that trainers, models and tests share it.
template <typename Leaf, typename Rule, typename Root>
SignedLog tree_probability(const treebank::BinaryTree& tree, const Leaf& leaf, const Rule& rule,
                           const Root& root) {
  std::vector<ScaledVector> inside(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    const treebank::BinaryNode& node = tree.nodes[i];
    if (node.is_leaf()) {
      const auto values = leaf(node);
      inside[i].values.assign(values.begin(), values.end());
      normalize(inside[i].values, inside[i].exponent);
    } else {
      inside[i] = apply_rule(rule(node), inside[node.left], inside[node.right]);
      inside[node.left] = {};
      inside[node.right] = {};
    }
  }
  double sum = 0;
  const auto weights = root(tree.nodes.front().symbol);
  for (std::size_t h = 0; h < weights.size(); ++h) {
    sum += static_cast<double>(weights[h]) * inside.front().values[h];
  }
  return SignedLog::of(sum, inside.front().exponent);
}

}  // namespace firth::grammar

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

SignedLog tree_probability(const LatentGrammar& grammar, const treebank::BinaryTree& tree) {
  using treebank::BinaryNode;
  return tree_probability(
      tree, [&](const BinaryNode& node) { return grammar.vector(node.rule); },
      [&](const BinaryNode& node) { return grammar.tensor(node.rule); },
      [&](SymbolId symbol) { return grammar.root(symbol); });
}

}  // namespace firth::grammar

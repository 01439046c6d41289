// Figures 2 and 3 against the enumeration of all trees.
#include "reference/exact_chart.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/exact_chart.hpp"
#include "reference/naive_grammar.hpp"

namespace firth {
namespace {

using grammar::LatentGrammar;
using reference::ExactChart;

struct Case {
  LatentGrammar grammar;
  std::vector<grammar::TerminalId> sentence;
};

Case random_case(base::Rng& rng, std::size_t longest) {
  reference::RandomGrammarOptions options;
  options.phrases = 1 + rng.below(3);
  options.tags = 1 + rng.below(3);
  options.negative = rng.below(2) == 1;
  options.density = 0.2 + 0.6 * rng.uniform();
  options.max_states = 1 + static_cast<std::uint32_t>(rng.below(4));
  Case result = {reference::random_grammar(rng, options), {}};
  const std::size_t length = 1 + rng.below(longest);
  for (std::size_t i = 0; i < length; ++i) {
    result.sentence.push_back(static_cast<grammar::TerminalId>(rng.below(options.terminals)));
  }
  return result;
}

TEST(ExactChart, EqualsEnumeration) {
  base::Rng rng(1);
  std::size_t with_trees = 0;
  for (int round = 0; round < 300; ++round) {
    const Case c = random_case(rng, 4);
    const auto naive = reference::naive_marginals(c.grammar, c.sentence);
    const ExactChart chart(c.grammar, c.sentence);
    double size = 0;  // of the terms that cancel
    for (const auto& tree : reference::enumerate_trees(c.grammar, c.sentence)) {
      size += std::abs(reference::naive_probability(c.grammar, *tree));
    }
    const double p = chart.sentence_probability().value();
    ASSERT_NEAR(p, naive.sentence, 1e-10 * size);
    if (size == 0 || std::abs(p) < 1e-3 * size) continue;
    ++with_trees;
    for (grammar::SymbolId symbol = 0; symbol < c.grammar.states.size(); ++symbol) {
      for (std::size_t begin = 0; begin < c.sentence.size(); ++begin) {
        for (std::size_t end = begin + 1; end <= c.sentence.size(); ++end) {
          const auto found = naive.spans.find({symbol, begin, end});
          const double expected = found == naive.spans.end() ? 0 : found->second / naive.sentence;
          ASSERT_NEAR(chart.marginal(symbol, begin, end), expected, 1e-6) << round;
        }
      }
    }
  }
  EXPECT_GT(with_trees, 100U);
}

TEST(ExactChart, DoesNotUnderflow) {
  base::Rng rng(3);
  reference::RandomGrammarOptions options;
  options.density = 1;
  options.max_states = 2;
  LatentGrammar grammar = reference::random_grammar(rng, options);
  for (double& value : grammar.vectors) value *= 1e-30;
  const std::vector<grammar::TerminalId> sentence(60, 0);
  const ExactChart chart(grammar, sentence);
  EXPECT_EQ(chart.sentence_probability().sign, 1);
  EXPECT_TRUE(std::isfinite(chart.sentence_probability().log));
  double tags = 0;
  for (grammar::SymbolId tag = 3; tag < 6; ++tag) tags += chart.marginal(tag, 7, 8);
  EXPECT_NEAR(tags, 1, 1e-9);
}

treebank::BinaryTree binary(const reference::NaiveTree& tree) {
  treebank::BinaryTree result;
  const auto add = [&](const auto& self, const reference::NaiveTree& node,
                       std::uint32_t parent) -> std::uint32_t {
    const auto number = static_cast<std::uint32_t>(result.nodes.size());
    treebank::BinaryNode made;
    made.symbol = node.symbol;
    made.parent = parent;
    made.begin = static_cast<std::uint32_t>(node.begin);
    made.end = static_cast<std::uint32_t>(node.end);
    made.rule = static_cast<std::uint32_t>(node.rule);
    result.nodes.push_back(made);
    if (node.left) {
      const std::uint32_t left = self(self, *node.left, number);
      const std::uint32_t right = self(self, *node.right, number);
      result.nodes[number].left = left;
      result.nodes[number].right = right;
    }
    return number;
  };
  add(add, tree, treebank::kNoNode);
  return result;
}

TEST(TreeProbability, EqualsTheNaiveOne) {
  base::Rng rng(2);
  std::size_t trees = 0;
  for (int round = 0; round < 100; ++round) {
    const Case c = random_case(rng, 4);
    for (const auto& tree : reference::enumerate_trees(c.grammar, c.sentence)) {
      const double expected = reference::naive_probability(c.grammar, *tree);
      const double p = reference::tree_probability(c.grammar, binary(*tree)).value();
      ASSERT_NEAR(p, expected, 1e-9 * std::max(1.0, std::abs(expected)));
      ++trees;
    }
  }
  EXPECT_GT(trees, 1000U);
}

}  // namespace
}  // namespace firth

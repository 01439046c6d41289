#include "sample/random_lpcfg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "reference/exact_chart.hpp"

namespace firth {
namespace {

TEST(RandomLpcfg, IsProper) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const grammar::LatentGrammar grammar = sample::draw_lpcfg({.states = 3}, seed);
    std::vector<double> sums(grammar.roots.size(), 0.0);
    for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
      const auto tensor = grammar.tensor(r);
      for (std::size_t i = 0; i < tensor.size(); ++i)
        sums[grammar.root_begin[grammar.rules[r].parent] + i / 9] += tensor[i];
    }
    for (std::size_t r = 0; r < grammar.lexical.size(); ++r)
      for (std::size_t h = 0; h < 3; ++h)
        sums[grammar.root_begin[grammar.lexical[r].tag] + h] += grammar.vector(r)[h];
    for (const double sum : sums) EXPECT_NEAR(sum, 1, 1e-12);
    for (std::size_t r = 1; r < grammar.rules.size(); ++r) {
      const auto key = [&](std::size_t i) {
        return std::tuple(grammar.rules[i].left, grammar.rules[i].right, grammar.rules[i].parent);
      };
      EXPECT_LT(key(r - 1), key(r));
    }
  }
}

/// The signature of a tree: its rules from the root down, left before right.
std::vector<std::uint32_t> rules_of(const treebank::BinaryTree& tree) {
  std::vector<std::uint32_t> rules;
  for (const auto& node : tree.nodes) rules.push_back(node.rule);
  return rules;
}

TEST(TreeSampler, DrawsTreesAsOftenAsTheirProbabilitySays) {
  const grammar::LatentGrammar grammar =
      sample::draw_lpcfg({.phrases = 2, .tags = 2, .words = 4, .states = 2, .rules = 3}, 5);
  const sample::TreeSampler sampler(grammar);
  base::Rng rng(1);
  constexpr std::size_t kDraws = 20000;
  std::map<std::vector<std::uint32_t>, std::pair<std::size_t, treebank::BinaryTree>> seen;
  std::vector<std::uint32_t> states;
  for (std::size_t i = 0; i < kDraws; ++i) {
    treebank::BinaryTree tree = sampler.draw(rng, states);
    ASSERT_EQ(states.size(), tree.nodes.size());
    auto& entry = seen[rules_of(tree)];
    ++entry.first;
    entry.second = std::move(tree);
  }
  std::size_t checked = 0;
  for (const auto& [rules, entry] : seen) {
    const double p = reference::tree_probability(grammar, entry.second).value();
    const double mean = p * kDraws;
    if (mean < 50) continue;
    EXPECT_NEAR(static_cast<double>(entry.first), mean, 5 * std::sqrt(mean));
    ++checked;
  }
  EXPECT_GE(checked, 5U);
}

}  // namespace
}  // namespace firth

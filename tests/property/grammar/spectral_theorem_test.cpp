// Theorems 1 to 3 of Cohen et al. 2012 on random grammars.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/exact_chart.hpp"
#include "reference/naive_grammar.hpp"
#include "reference/population_moments.hpp"
#include "sample/random_lpcfg.hpp"

namespace firth {
namespace {

using grammar::LatentGrammar;

TEST(PopulationMoments, GiveTheProbabilitiesOfTrees) {
  std::size_t trees = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const LatentGrammar truth =
        sample::draw_lpcfg({.states = 2 + static_cast<std::uint32_t>(seed % 3)}, seed);
    double smallest = 0;
    const LatentGrammar spectral = reference::observable_representation(truth, smallest);
    if (smallest < 1e-4) continue;  // condition 1 of the paper does not hold
    const sample::TreeSampler sampler(truth);
    base::Rng rng(seed);
    std::vector<std::uint32_t> states;
    for (int i = 0; i < 100; ++i) {
      const treebank::BinaryTree tree = sampler.draw(rng, states);
      const auto expected = reference::tree_probability(truth, tree);
      const auto found = reference::tree_probability(spectral, tree);
      ASSERT_EQ(found.sign, 1);
      ASSERT_NEAR(found.log, expected.log, 1e-8) << "seed " << seed;
      ++trees;
    }
  }
  EXPECT_GE(trees, 500U);
}

TEST(PopulationMoments, GiveTheMarginalsOfSpans) {
  std::size_t sentences = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const LatentGrammar truth = sample::draw_lpcfg({.tags = 3, .words = 12, .states = 2, .rules = 5}, seed);
    double smallest = 0;
    const LatentGrammar spectral = reference::observable_representation(truth, smallest);
    if (smallest < 1e-4) continue;
    const sample::TreeSampler sampler(truth);
    base::Rng rng(seed);
    std::vector<std::uint32_t> states;
    for (int i = 0; i < 40; ++i) {
      const treebank::BinaryTree tree = sampler.draw(rng, states);
      if (tree.word_count() > 5) continue;
      std::vector<grammar::TerminalId> sentence(tree.word_count());
      for (const auto& node : tree.nodes)
        if (node.is_leaf()) sentence[node.begin] = node.word;
      const auto naive = reference::naive_marginals(truth, sentence);
      const reference::ExactChart chart(spectral, sentence);
      ASSERT_NEAR(chart.sentence_probability().value() / naive.sentence, 1, 1e-7);
      for (const auto& [span, mass] : naive.spans) {
        const auto [symbol, begin, end] = span;
        ASSERT_NEAR(chart.marginal(symbol, begin, end), mass / naive.sentence, 1e-7);
      }
      ++sentences;
    }
  }
  EXPECT_GE(sentences, 50U);
}

}  // namespace
}  // namespace firth

// The spectral learner with the choices that the paper leaves open: which nodes, how many states, which features.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "firth/error.hpp"
#include "firth/latent.hpp"
#include "grammar/spectral_estimate.hpp"
#include "grammar/state_choice.hpp"
#include "reference/exact_chart.hpp"
#include "reference/lpcfg_trees.hpp"

namespace firth {
namespace {

using grammar::LatentGrammar;
using reference::draw;
using reference::Sample;
using reference::with_parameters;

/// What the spectral learner makes of a sample with the switches of the paper.
LatentGrammar learn_as_published(const Sample& sample) {
  const grammar::ProjectionOptions exact{
      .states = sample.truth.states.front(), .relative_cut = 1e-4, .nodes_per_state = 1};
  const auto projection = project_nodes(sample.nodes, exact, {.threads = 2});
  return with_parameters(sample.truth,
                         estimate_spectral(sample.nodes, projection, {.binary = 0, .lexical = 0}, {}));
}

constexpr sample::RandomLpcfgOptions kSmallGrammar{
    .phrases = 2, .tags = 3, .words = 12, .states = 2, .rules = 4};

/// sum |estimate - truth| / sum truth over common trees.
double tree_error(const Sample& sample) {
  const LatentGrammar learned = learn_as_published(sample);
  double error = 0;
  double mass = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    if (sample.trees[i].word_count() > 4) continue;
    const double truth = reference::tree_probability(sample.truth, sample.trees[i]).value();
    error += std::abs(reference::tree_probability(learned, sample.trees[i]).value() - truth);
    mass += truth;
  }
  return error / mass;
}

/// The same for mu(a, i, j) of the sentences.
double marginal_error(const Sample& sample) {
  const LatentGrammar learned = learn_as_published(sample);
  double error = 0;
  double mass = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const std::size_t words = sample.trees[i].word_count();
    if (words > 4) continue;
    std::vector<grammar::TerminalId> sentence(words);
    for (const auto& node : sample.trees[i].nodes)
      if (node.is_leaf()) sentence[node.begin] = node.word;
    const reference::ExactChart truth(sample.truth, sentence);
    const reference::ExactChart found(learned, sentence);
    const double p = truth.sentence_probability().value();
    for (std::size_t at = 0; at < sample.truth.states.size() * words * words; ++at) {
      const auto symbol = static_cast<grammar::SymbolId>(at / (words * words));
      const std::size_t begin = at / words % words;
      const std::size_t end = at % words + 1;
      if (begin >= end) continue;
      const double mu = truth.marginal(symbol, begin, end) * p;
      error += std::abs(found.marginal(symbol, begin, end) * found.sentence_probability().value() - mu);
      mass += mu;
    }
  }
  return error / mass;
}

/// Geometric mean of the error over six grammars.
template <typename Error>
double mean_error(std::size_t trees, bool one_node, Error error) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Sample sample = draw(kSmallGrammar, seed, trees);
    if (one_node) sample_one_node_per_tree(sample.nodes, seed);
    sum += std::log(error(sample));
  }
  return std::exp(sum / 6);
}

/// Theorem 3: the error falls with the root of the sample. Sixteen times the trees, a quarter of the error.
TEST(SpectralEstimate, ErrorFallsWithTheRootOfTheSample) {
  const double ratio = mean_error(32000, false, tree_error) / mean_error(2000, false, tree_error);
  EXPECT_LT(ratio, 0.45);
  EXPECT_GT(ratio, 0.1);
}

/// The version of Theorem 3 for marginals.
TEST(SpectralEstimate, ErrorOfMarginalsFallsWithTheRootOfTheSample) {
  const double ratio = mean_error(16000, false, marginal_error) / mean_error(1000, false, marginal_error);
  EXPECT_LT(ratio, 0.45);
  EXPECT_GT(ratio, 0.1);
}

/// The remark after Theorem 3: all nodes of all trees are better than one node of each.
TEST(SpectralEstimate, AllNodesConvergeFasterThanOnePerTree) {
  for (const std::size_t trees : {2000U, 8000U})
    EXPECT_LT(mean_error(trees, false, tree_error), 0.8 * mean_error(trees, true, tree_error)) << trees;
}

TEST(SpectralEstimate, EveryNodeSampledIsNoSample) {
  Sample sample = draw({}, 3, 300);
  const LatentGrammar all = learn_as_published(sample);
  sample.nodes.sampled.assign(sample.nodes.nodes.size(), true);
  const LatentGrammar sampled = learn_as_published(sample);
  EXPECT_EQ(all.tensors, sampled.tensors);
  EXPECT_EQ(all.vectors, sampled.vectors);
  EXPECT_EQ(all.roots, sampled.roots);
}

/// Only the sampled nodes count: with the rest of their features gone, moments are those of a few nodes, so that
/// E[y z^T] over them is the identity.
TEST(Projection, CrossMomentsOfSampledNodesAreTheIdentity) {
  Sample sample = draw({}, 1, 3000);
  sample_one_node_per_tree(sample.nodes, 7);
  const auto projection = project_nodes(sample.nodes, {.states = 3, .nodes_per_state = 0}, {.threads = 1});
  const auto by_symbol = nodes_by_symbol(sample.nodes);
  for (std::size_t symbol = 0; symbol < sample.nodes.symbols; ++symbol) {
    double count = 0;
    double sum = 0;
    for (const std::uint32_t node : by_symbol.of(symbol)) {
      if (!sample.nodes.is_sampled(node)) continue;
      count += 1;
      sum += static_cast<double>(projection.y(node)[0]) * static_cast<double>(projection.z(node)[0]);
    }
    if (count > 0) {
      EXPECT_NEAR(sum / count, 1, 1e-2);
    }
  }
  EXPECT_EQ(std::count(sample.nodes.sampled.begin(), sample.nodes.sampled.end(), true), 3000);
}

/// Fewer states of a learned grammar are what would have been learned with fewer.
TEST(StateChoice, FewerStatesAreLeadingBlocks) {
  const Sample sample = draw({.states = 3}, 2, 2000);
  const grammar::ProjectionOptions three{.states = 3, .nodes_per_state = 0};
  const grammar::ProjectionOptions two{.states = 2, .nodes_per_state = 0};
  const auto learn = [&](const grammar::ProjectionOptions& options) {
    return with_parameters(
        sample.truth,
        estimate_spectral(sample.nodes, project_nodes(sample.nodes, options, {.threads = 1}), {}, {}));
  };
  const LatentGrammar large = learn(three);
  const LatentGrammar small = learn(two);
  const LatentGrammar cut = with_fewer_states(large, small.states);
  for (std::size_t i = 0; i < 50; ++i) {
    const double expected = reference::tree_probability(small, sample.trees[i]).value();
    EXPECT_NEAR(reference::tree_probability(cut, sample.trees[i]).value(), expected,
                0.01 * std::abs(expected));
  }
}

/// One symbol after another, every number of states tried on a grammar that is made anew.
std::vector<std::uint32_t> choose_slowly(const LatentGrammar& grammar,
                                         std::span<const treebank::BinaryTree> trees) {
  std::vector<std::size_t> frequency(grammar.states.size(), 0);
  for (const auto& tree : trees) {
    std::set<grammar::SymbolId> seen;
    for (const auto& node : tree.nodes) seen.insert(node.symbol);
    for (const grammar::SymbolId symbol : seen) ++frequency[symbol];
  }
  std::vector<std::uint32_t> states = grammar.states;
  for (std::size_t turn = 0; turn < states.size(); ++turn) {
    const auto next = std::max_element(frequency.begin(), frequency.end());
    if (*next == 0) break;
    *next = 0;
    const auto symbol = static_cast<std::size_t>(next - frequency.begin());
    std::map<std::uint32_t, double> scores;
    for (const std::uint32_t number : {1U, 2U, grammar.states[symbol]}) {
      if (number > grammar.states[symbol]) continue;
      states[symbol] = number;
      const LatentGrammar cut = with_fewer_states(grammar, states);
      for (const auto& tree : trees) {
        const auto p = reference::tree_probability(cut, tree);
        const double floor = -10.0 * static_cast<double>(tree.word_count());
        scores[number] += p.sign > 0 ? std::max(p.log, floor) : floor;
      }
    }
    const auto best = std::max_element(scores.begin(), scores.end(), [](const auto& a, const auto& b) {
      return a.second < b.second - 1e-9;
    });
    states[symbol] = best->first;
  }
  return states;
}

TEST(StateChoice, EqualsTheSlowChoice) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Sample sample = draw({.states = 3}, seed, 400);
    const auto projection = project_nodes(sample.nodes, {.states = 4, .nodes_per_state = 5}, {.threads = 1});
    const LatentGrammar learned =
        with_parameters(sample.truth, estimate_spectral(sample.nodes, projection, {}, {}));
    const Sample fresh = draw({.states = 3}, seed, 460);
    const auto held_out = std::span(fresh.trees).subspan(400);
    EXPECT_EQ(choose_states(learned, held_out, {.threads = 1}), choose_slowly(learned, held_out)) << seed;
    EXPECT_EQ(choose_states(learned, held_out, {.threads = 1}),
              choose_states(learned, held_out, {.threads = 3}));
  }
}

TEST(Templates, HaveNames) {
  EXPECT_EQ(inside_templates("all"), ~0U);
  EXPECT_EQ(inside_templates("rule,right"), 5U);
  EXPECT_EQ(outside_templates("words-after"), 1U << 11U);
  EXPECT_THROW((void)inside_templates("sister"), UsageError);
  EXPECT_THROW((void)outside_templates(""), UsageError);
}

}  // namespace
}  // namespace firth

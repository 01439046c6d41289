// What each learner of latent states promises, on trees drawn from known grammars.
#include <gtest/gtest.h>

#include <cmath>

#include "grammar/cluster_estimate.hpp"
#include "grammar/em.hpp"
#include "grammar/spectral_estimate.hpp"
#include "reference/exact_chart.hpp"
#include "reference/lpcfg_trees.hpp"

namespace firth {
namespace {

using grammar::LatentGrammar;
using grammar::LatentParameters;
using grammar::TrainingNodes;
using reference::draw;
using reference::Sample;
using reference::with_parameters;

LatentParameters random_start(const TrainingNodes& nodes, std::uint32_t states, std::uint64_t seed) {
  LatentParameters result = reference::random_parameters(nodes, states, seed);
  normalise(nodes, {.binary = 0, .lexical = 0}, result);
  return result;
}

/// Every state of a symbol that occurs has rules that sum to 1.
void expect_proper(const TrainingNodes& nodes, const LatentParameters& p) {
  std::vector<double> sums(p.root.size(), 0.0);
  for (std::size_t r = 0; r < nodes.rules.size(); ++r) {
    const auto& rule = nodes.rules[r];
    const std::size_t width = std::size_t{p.states[rule.left]} * p.states[rule.right];
    for (std::size_t i = 0; i < width * p.states[rule.parent]; ++i) {
      ASSERT_GE(p.tensor(r)[i], 0.0F);
      sums[p.root_offsets[rule.parent] + i / width] += static_cast<double>(p.tensor(r)[i]);
    }
  }
  for (std::size_t r = 0; r < nodes.lexical_rules.size(); ++r)
    for (std::size_t h = 0; h < p.states[nodes.lexical_rules[r].tag]; ++h) {
      ASSERT_GE(p.word(r)[h], 0.0F);
      sums[p.root_offsets[nodes.lexical_rules[r].tag] + h] += static_cast<double>(p.word(r)[h]);
    }
  const auto by_symbol = nodes_by_symbol(nodes);
  for (std::size_t symbol = 0; symbol < nodes.symbols; ++symbol) {
    if (by_symbol.of(symbol).empty()) continue;
    for (std::size_t h = 0; h < p.states[symbol]; ++h) EXPECT_NEAR(sums[p.root_offsets[symbol] + h], 1, 1e-4);
  }
  double roots = 0;
  for (const float value : p.root) roots += static_cast<double>(value);
  EXPECT_NEAR(roots, 1, 1e-5);
}

TEST(Em, LikelihoodRises) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Sample sample = draw({}, seed, 300);
    LatentParameters p = random_start(sample.nodes, 3, seed);
    double before = -1e300;
    for (int step = 0; step < 15; ++step) {
      const double now = em_step(sample.nodes, {.binary = 0, .lexical = 0}, p, {.threads = 1});
      ASSERT_GE(now, before - 1e-3) << "step " << step;
      before = now;
    }
    expect_proper(sample.nodes, p);
  }
}

TEST(Em, LikelihoodIsThatOfFigure2) {
  const Sample sample = draw({}, 3, 200);
  const LatentParameters p = random_start(sample.nodes, 3, 3);
  const LatentGrammar grammar = with_parameters(sample.truth, p);
  double expected = 0;
  for (const auto& tree : sample.trees) expected += reference::tree_probability(grammar, tree).log;
  EXPECT_NEAR(expected_counts(sample.nodes, p, {.threads = 1}).log_likelihood / expected, 1, 1e-5);
}

/// Expected counts are derivatives: d ln p / d ln theta.
TEST(Em, CountsAreTheDerivativesOfTheLikelihood) {
  const Sample sample = draw({.phrases = 2, .tags = 2, .words = 6, .states = 2, .rules = 4}, 4, 30);
  const LatentParameters p = random_start(sample.nodes, 2, 4);
  const auto expectation = expected_counts(sample.nodes, p, {.threads = 1});
  LatentGrammar grammar = with_parameters(sample.truth, p);
  const auto likelihood = [&] {
    double sum = 0;
    for (const auto& tree : sample.trees) sum += reference::tree_probability(grammar, tree).log;
    return sum;
  };
  const auto check = [&](std::vector<double>& values, const std::vector<float>& counts) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double kept = values[i];
      constexpr double kStep = 1e-5;
      values[i] = kept * (1 + kStep);
      const double above = likelihood();
      values[i] = kept * (1 - kStep);
      const double below = likelihood();
      values[i] = kept;
      ASSERT_NEAR(counts[i], (above - below) / (2 * kStep), 1e-3 + 1e-3 * static_cast<double>(counts[i]));
    }
  };
  check(grammar.tensors, expectation.counts.binary);
  check(grammar.vectors, expectation.counts.lexical);
  check(grammar.roots, expectation.counts.root);
}

TEST(ClusterEstimate, IsAProperGrammar) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Sample sample = draw({}, seed, 500);
    const auto projection = project_nodes(sample.nodes, {.states = 3}, {.threads = 1});
    const auto states =
        cluster_nodes(sample.nodes, projection, {.states = 3, .nodes_per_state = 5}, {.threads = 1});
    LatentParameters p = count_states(sample.nodes, states);
    double nodes = 0;
    for (const float value : p.binary) nodes += static_cast<double>(value);
    for (const float value : p.lexical) nodes += static_cast<double>(value);
    EXPECT_EQ(nodes, static_cast<double>(sample.nodes.nodes.size()));
    normalise(sample.nodes, {}, p);
    expect_proper(sample.nodes, p);
  }
}

TEST(ClusterEstimate, IsBetterThanNoStates) {
  const Sample sample = draw({.states = 4, .contrast = 3}, 7, 3000);
  const auto projection = project_nodes(sample.nodes, {.states = 4}, {.threads = 2});
  const auto states = cluster_nodes(sample.nodes, projection, {.states = 4}, {.threads = 2});
  LatentParameters with = count_states(sample.nodes, states);
  normalise(sample.nodes, {}, with);
  LatentParameters without =
      count_states(sample.nodes, {std::vector<std::uint32_t>(sample.nodes.symbols, 1),
                                  std::vector<std::uint32_t>(sample.nodes.nodes.size(), 0)});
  normalise(sample.nodes, {}, without);
  const double alone = expected_counts(sample.nodes, without, {}).log_likelihood;
  EXPECT_GT(expected_counts(sample.nodes, with, {}).log_likelihood, alone + 100);
}

TEST(Learners, AreTheSameForAnyThreads) {
  const Sample sample = draw({}, 2, 700);
  const auto learn = [&](unsigned threads) {
    const RunOptions run{.threads = threads};
    const auto projection = project_nodes(sample.nodes, {.states = 3}, run);
    std::vector<LatentParameters> results = {estimate_spectral(sample.nodes, projection, {}, run)};
    const auto states = cluster_nodes(sample.nodes, projection, {.states = 3, .nodes_per_state = 5}, run);
    results.push_back(count_states(sample.nodes, states));
    normalise(sample.nodes, {}, results.back());
    results.push_back(results.back());
    for (int i = 0; i < 3; ++i) em_step(sample.nodes, {}, results.back(), run);
    return results;
  };
  const auto one = learn(1);
  const auto three = learn(3);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].binary, three[i].binary) << i;
    EXPECT_EQ(one[i].lexical, three[i].lexical) << i;
    EXPECT_EQ(one[i].root, three[i].root) << i;
  }
}

/// A symbol without features has one state: the spectral estimates are then relative frequencies.
TEST(SpectralEstimate, WithoutFeaturesIsThePlainGrammar) {
  const Sample sample = draw({}, 1, 300);
  const grammar::FeatureOptions none{.inside_templates = 0};
  const auto projection = project_nodes(sample.nodes, {.features = none, .states = 3}, {.threads = 1});
  const LatentParameters spectral = estimate_spectral(sample.nodes, projection, {}, {.threads = 1});
  LatentParameters plain =
      count_states(sample.nodes, {std::vector<std::uint32_t>(sample.nodes.symbols, 1),
                                  std::vector<std::uint32_t>(sample.nodes.nodes.size(), 0)});
  normalise(sample.nodes, {}, plain);
  ASSERT_EQ(spectral.states, plain.states);
  for (std::size_t i = 0; i < plain.binary.size(); ++i)
    ASSERT_NEAR(spectral.binary[i], plain.binary[i], 1e-5);
  for (std::size_t i = 0; i < plain.lexical.size(); ++i)
    ASSERT_NEAR(spectral.lexical[i], plain.lexical[i], 1e-5);
  for (std::size_t i = 0; i < plain.root.size(); ++i) ASSERT_NEAR(spectral.root[i], plain.root[i], 1e-5);
}

/// The projections are scaled so that E[y z^T] is the identity, for every symbol.
TEST(Projection, CrossMomentsAreTheIdentity) {
  const Sample sample = draw({}, 1, 400);
  const auto projection = project_nodes(sample.nodes, {.states = 3}, {.threads = 1});
  const auto by_symbol = nodes_by_symbol(sample.nodes);
  for (std::size_t symbol = 0; symbol < sample.nodes.symbols; ++symbol) {
    const std::size_t width = projection.states[symbol];
    if (by_symbol.of(symbol).empty()) continue;
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        double sum = 0;
        for (const std::uint32_t node : by_symbol.of(symbol))
          sum += static_cast<double>(projection.y(node)[i]) * static_cast<double>(projection.z(node)[j]);
        EXPECT_NEAR(sum / static_cast<double>(by_symbol.of(symbol).size()), i == j ? 1 : 0, 1e-2);
      }
  }
}

}  // namespace
}  // namespace firth

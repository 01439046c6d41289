// How counts of states become probabilities: against the formula, and what the prior is for.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "grammar/em.hpp"
#include "reference/lpcfg_trees.hpp"

namespace firth {
namespace {

using grammar::LatentParameters;
using grammar::SmoothingOptions;
using grammar::TrainingNodes;
using reference::draw;
using reference::Sample;

/// Random counts, with a state of every other symbol that was never seen.
LatentParameters random_counts(const TrainingNodes& nodes, std::uint32_t states, std::uint64_t seed) {
  LatentParameters result = reference::random_parameters(nodes, states, seed);
  for (std::size_t r = 0; r < nodes.rules.size(); ++r)
    if (nodes.rules[r].parent % 2 == 0) std::fill_n(result.tensor(r), std::size_t{states} * states, 0.0F);
  for (std::size_t r = 0; r < nodes.lexical_rules.size(); ++r)
    if (nodes.lexical_rules[r].tag % 2 == 0) result.word(r)[0] = 0;
  return result;
}

/// What a state of a symbol has been seen to do: each rule with the states below it.
struct Row {
  std::vector<float*> at;
  double total = 0;
  double share = 0;  // of the mean
};

/// The rows of a symbol, one for each state.
std::vector<Row> rows_of(const TrainingNodes& nodes, LatentParameters& counts, std::uint32_t symbol,
                         const SmoothingOptions& smoothing) {
  std::vector<Row> rows(counts.states[symbol]);
  for (std::uint32_t h = 0; h < rows.size(); ++h) {
    for (std::size_t r = 0; r < nodes.rules.size(); ++r) {
      if (nodes.rules[r].parent != symbol) continue;
      const std::size_t width =
          std::size_t{counts.states[nodes.rules[r].left]} * counts.states[nodes.rules[r].right];
      for (std::size_t i = 0; i < width; ++i) rows[h].at.push_back(counts.tensor(r) + h * width + i);
      rows[h].share = smoothing.binary;
    }
    for (std::size_t r = 0; r < nodes.lexical_rules.size(); ++r) {
      if (nodes.lexical_rules[r].tag != symbol) continue;
      rows[h].at.push_back(counts.word(r) + h);
      rows[h].share = smoothing.lexical;
    }
    for (const float* value : rows[h].at) rows[h].total += static_cast<double>(*value);
  }
  return rows;
}

/// Each state's counts, drawn by the share, or with `prior` sights of the mean of all states added: whatever is nearer to the mean.
void normalise_slowly(std::vector<Row> rows, double prior) {
  double all = 0;
  for (const Row& row : rows) all += row.total;
  for (std::size_t i = 0; i < rows.front().at.size(); ++i) {
    double seen = 0;
    for (const Row& row : rows) seen += static_cast<double>(*row.at[i]);
    const double mean = seen / all;
    for (Row& row : rows) {
      const auto own = static_cast<double>(*row.at[i]);
      const double by_share = (1 - row.share) * own / row.total + row.share * mean;
      const double by_prior = (own + prior * mean) / (row.total + prior);
      const bool is_nearer = std::abs(by_share - mean) < std::abs(by_prior - mean);
      *row.at[i] = static_cast<float>(row.total == 0 ? mean : is_nearer ? by_share : by_prior);
    }
  }
}

TEST(Smoothing, RareStatesAreDrawnByThePrior) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Sample sample = draw({}, seed, 50);
    const SmoothingOptions smoothing{
        .binary = 0.02, .lexical = 0.2, .prior = static_cast<double>(seed - 1) * 7};
    const LatentParameters counts = random_counts(sample.nodes, 3, seed);
    LatentParameters fast = counts;
    normalise(sample.nodes, smoothing, fast);
    LatentParameters slow = counts;
    for (std::uint32_t symbol = 0; symbol < sample.nodes.symbols; ++symbol)
      normalise_slowly(rows_of(sample.nodes, slow, symbol, smoothing), smoothing.prior);
    for (std::size_t i = 0; i < slow.binary.size(); ++i) ASSERT_NEAR(fast.binary[i], slow.binary[i], 1e-6);
    for (std::size_t i = 0; i < slow.lexical.size(); ++i) ASSERT_NEAR(fast.lexical[i], slow.lexical[i], 1e-6);
  }
}

/// Log-likelihood of trees that were not trained on, and have no rule that the others lack.
double held_out_likelihood(const Sample& sample, std::size_t trained, double prior) {
  grammar::RuleCounts rules;
  rules.rules = sample.truth.rules;
  rules.lexical = sample.truth.lexical;
  rules.symbols.assign(sample.truth.states.size(), 0);
  const auto all = std::span(sample.trees);
  const TrainingNodes nodes = flatten_trees(rules, all.first(trained));
  std::set<std::pair<bool, std::uint32_t>> seen;
  for (const auto& node : nodes.nodes) seen.emplace(node.leaf(), node.rule);
  std::vector<treebank::BinaryTree> others;
  for (const treebank::BinaryTree& tree : all.subspan(trained)) {
    const auto is_known = [&](const treebank::BinaryNode& node) {
      return seen.contains({node.is_leaf(), node.rule});
    };
    if (std::all_of(tree.nodes.begin(), tree.nodes.end(), is_known)) others.push_back(tree);
  }
  EXPECT_GT(others.size(), 200U);
  const SmoothingOptions smoothing{.prior = prior};
  LatentParameters p = reference::random_parameters(nodes, 8, 1);
  normalise(nodes, {.binary = 0, .lexical = 0}, p);
  for (int step = 0; step < 10; ++step) em_step(nodes, smoothing, p, {.threads = 2});
  return expected_counts(flatten_trees(rules, others), p, {.threads = 2}).log_likelihood;
}

TEST(Smoothing, ThePriorHelpsSmallTreebanks) {
  const Sample sample = draw({.words = 10}, 5, 1200);
  EXPECT_GT(held_out_likelihood(sample, 80, LatentOptions{}.state_prior), held_out_likelihood(sample, 80, 0));
}

}  // namespace
}  // namespace firth

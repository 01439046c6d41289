// Sparse EM against a generic convex solver, and its projection against bisection.
#include "hmm/sparse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/naive_hmm.hpp"
#include "reference/naive_sparse_hmm.hpp"

namespace firth::hmm {
namespace {

double sum_above(const std::vector<double>& values, double shift) {
  double sum = 0;
  for (const double value : values) sum += std::max(value - shift, 0.0);
  return sum;
}

TEST(SimplexProjection, AgreesWithBisection) {
  base::Rng rng(31);
  std::size_t bound = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<double> values(1 + rng.below(8));
    for (double& value : values) value = 4 * rng.uniform() - 2;
    if (rng.below(4) == 0) values.back() = values.front();
    const double limit = 2 * rng.uniform();
    double low = 0;
    double high = 4;
    for (int i = 0; i < 100; ++i)
      (sum_above(values, (low + high) / 2) > limit ? low : high) = (low + high) / 2;
    if (sum_above(values, 0) <= limit) high = 0;
    bound += high > 0;
    std::vector<double> found = values;
    project_to_simplex(found, limit);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(found[i], std::max(values[i] - high, 0.0), 1e-9);
    }
  }
  EXPECT_GT(bound, 1000U);
}

struct Case {
  HmmModel model;
  reference::Sentences sentences;
  Text text;
};

Case random_case(base::Rng& rng) {
  const auto states = static_cast<std::uint32_t>(2 + rng.below(2));
  const std::size_t words = 1 + rng.below(3);
  Case one{reference::random_hmm(rng, states, words, false), {}, {}};
  one.text.vocabulary = one.model.vocabulary;
  for (std::size_t i = 1 + rng.below(3); i > 0; --i) {
    std::vector<WordId> sentence(1 + rng.below(3));
    for (WordId& word : sentence) word = static_cast<WordId>(rng.below(words));
    one.text.words.insert(one.text.words.end(), sentence.begin(), sentence.end());
    one.text.ends.push_back(one.text.words.size());
    one.sentences.push_back(sentence);
  }
  return one;
}

TEST(SparseExpectation, FindsTheMinimumOfAGenericSolver) {
  base::Rng rng(32);
  std::size_t penalised = 0;
  for (int round = 0; round < 40; ++round) {
    const auto [model, sentences, text] = random_case(rng);
    const HmmOptions options{
        .states = model.states,
        .sparse = {.sigma = std::exp(4 * rng.uniform() - 2), .min_count = 1, .steps = 3000}};
    const RunOptions run{.threads = 1};
    SparseExpectation expectation(text, options, run);
    Expected counts;
    const Weights weights(model);
    expectation.run(weights, counts);
    const auto truth = reference::solve_sparse(model, sentences, options.sparse.sigma, 400);
    EXPECT_NEAR(expectation.upper(), truth.value, 1e-6 + truth.gap) << "round " << round;
    EXPECT_LE(expectation.reached(), expectation.upper() + 1e-9);
    EXPECT_NEAR(expectation.reached(), expectation.upper(), 2e-3) << "round " << round;
    Expected plain;
    Expectation(text, model.states, run).run(weights, plain);
    penalised += plain.log_likelihood - expectation.upper() > 0.01;
  }
  EXPECT_GT(penalised, 30U);
}

TEST(SparseExpectation, WithoutAPriceItIsThePlainOne) {
  base::Rng rng(33);
  for (int round = 0; round < 50; ++round) {
    const auto [model, sentences, text] = random_case(rng);
    const HmmOptions options{.states = model.states, .sparse = {.sigma = 0, .min_count = 1}};
    const RunOptions run{.threads = 1};
    Expected sparse;
    SparseExpectation(text, options, run).run(Weights(model), sparse);
    Expected plain;
    Expectation(text, model.states, run).run(Weights(model), plain);
    EXPECT_EQ(sparse.emissions, plain.emissions);
    EXPECT_EQ(sparse.transitions, plain.transitions);
  }
}

}  // namespace
}  // namespace firth::hmm

// Forward, backward and Viterbi against all sequences of states.
#include "hmm/lattice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/naive_hmm.hpp"

namespace firth::hmm {
namespace {

struct Case {
  HmmModel model;
  std::vector<WordId> sentence;
};

Case random_case(base::Rng& rng) {
  const auto states = static_cast<std::uint32_t>(1 + rng.below(4));
  const std::size_t words = 1 + rng.below(5);
  Case one{reference::random_hmm(rng, states, words, rng.below(3) == 0), {}};
  const std::size_t length = 1 + rng.below(5);
  for (std::size_t t = 0; t < length; ++t) one.sentence.push_back(static_cast<WordId>(rng.below(words)));
  return one;
}

TEST(Lattice, AgreesWithEnumeration) {
  base::Rng rng(21);
  for (int round = 0; round < 3000; ++round) {
    const Case one = random_case(rng);
    const auto& model = one.model;
    const auto& sentence = one.sentence;
    const Weights weights(model);
    double total = 0;
    std::vector<double> gamma(sentence.size() * model.states);
    std::vector<double> pairs(model.states * model.states);
    reference::for_each_path(model.states, sentence.size(), [&](std::span<const std::uint32_t> path) {
      const double p = reference::joint_probability(model, sentence, path);
      total += p;
      for (std::size_t t = 0; t < path.size(); ++t) {
        gamma[t * model.states + path[t]] += p;
        if (t > 0) pairs[path[t - 1] * model.states + path[t]] += p;
      }
    });
    Lattice lattice(weights);
    const double found = lattice.forward(sentence);
    if (total == 0) {
      ASSERT_FALSE(std::isfinite(found));
      continue;
    }
    ASSERT_NEAR(found, std::log(total), 1e-9);
    TransitionSums sums(weights);
    std::vector<double> states(sentence.size() * weights.stride);
    lattice.backward(sentence, states.data(), sums);
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      for (std::size_t i = 0; i < model.states; ++i) {
        ASSERT_NEAR(states[t * weights.stride + i], gamma[t * model.states + i] / total, 1e-9);
      }
    }
    for (std::size_t i = 0; i < model.states; ++i) {
      ASSERT_NEAR(sums.start[i], gamma[i] / total, 1e-9);
      ASSERT_NEAR(sums.end[i], gamma[(sentence.size() - 1) * model.states + i] / total, 1e-9);
      for (std::size_t j = 0; j < model.states; ++j) {
        ASSERT_NEAR(sums.between[i * weights.stride + j] * model.transition(i, j),
                    pairs[i * model.states + j] / total, 1e-9);
      }
    }
  }
}

TEST(Viterbi, FindsTheMostProbablePath) {
  base::Rng rng(22);
  for (int round = 0; round < 3000; ++round) {
    const Case one = random_case(rng);
    const auto& model = one.model;
    const auto& sentence = one.sentence;
    const Weights weights(model);
    double best = 0;
    reference::for_each_path(model.states, sentence.size(), [&](std::span<const std::uint32_t> path) {
      best = std::max(best, reference::joint_probability(model, sentence, path));
    });
    if (best == 0) continue;
    std::vector<const double*> emissions;
    for (const WordId word : sentence) emissions.push_back(weights.emission(word));
    const std::vector<std::uint32_t> path = Viterbi(weights).path(emissions);
    ASSERT_NEAR(reference::joint_probability(model, sentence, path), best, 1e-12 * best);
  }
}

TEST(Lattice, DoesNotUnderflowInLongSentences) {
  base::Rng rng(23);
  const HmmModel model = reference::random_hmm(rng, 3, 1000, false);
  std::vector<WordId> sentence(20000);
  for (WordId& word : sentence) word = static_cast<WordId>(rng.below(1000));
  const Weights weights(model);
  Lattice lattice(weights);
  const double found = lattice.forward(sentence);
  EXPECT_TRUE(std::isfinite(found));
  EXPECT_LT(found, -20000);
  TransitionSums sums(weights);
  std::vector<double> gamma(sentence.size() * weights.stride);
  lattice.backward(sentence, gamma.data(), sums);
  for (const std::size_t t : {std::size_t{0}, std::size_t{9999}, std::size_t{19999}}) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.stride; ++i) sum += gamma[t * weights.stride + i];
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

}  // namespace
}  // namespace firth::hmm

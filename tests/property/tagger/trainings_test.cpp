// The mean of several trainings against trainings made one by one.
#include <gmock/gmock.h>

#include <map>
#include <numeric>

#include "base/internals.hpp"
#include "base/rng.hpp"
#include "tagger/learner.hpp"
#include "tagger/training_data.hpp"

namespace firth::tagger {
namespace {

constexpr int kPasses = 3;
constexpr int kTrainings = 3;

std::vector<TaggedSentence> random_sentences(base::Rng& rng) {
  std::vector<TaggedSentence> sentences(20);
  for (TaggedSentence& sentence : sentences) {
    const std::size_t length = 1 + rng.below(6);
    for (std::size_t i = 0; i < length; ++i) {
      sentence.words.push_back("w" + std::to_string(rng.below(12)));
      sentence.tags.push_back(std::string(1, static_cast<char>('A' + rng.below(3))));
    }
    sentence.lines.resize(length);
  }
  return sentences;
}

using Weights = std::map<std::pair<Hash, std::size_t>, double>;

Weights weights_of(const Model& model) {
  Weights found;
  const std::span<const Hash> keys = model.weights.index.keys();
  for (std::size_t row = 0; row < keys.size(); ++row) {
    for (std::uint64_t i = model.weights.first[row]; i < model.weights.first[row + 1]; ++i) {
      found[{keys[row], model.weights.tags[i]}] = model.weights.values[i];
    }
  }
  for (std::size_t i = 0; i < model.transitions.size(); ++i) {
    found[{0, i}] = model.transitions[i];
  }
  return found;
}

/// One training alone, with the orders that the generator has next.
Weights train_once(const std::vector<TaggedSentence>& sentences, std::vector<std::uint32_t>& order,
                   base::Rng& rng) {
  Model model;
  model.tags = find_tags(sentences, TagScheme::plain);
  const TaggerOptions options = {.trainings = 1, .min_weight = 0};
  const auto learner = make_crf(sentences, options, model, {});
  for (int pass = 0; pass < kPasses; ++pass) {
    base::shuffle(order, rng);
    for (const std::uint32_t sentence : order) learner->learn(sentence);
  }
  learner->finish();
  return weights_of(model);
}

TEST(TrainingsProperty, TheWeightsAreTheMeanOfThoseOfSingleTrainings) {
  base::Rng rng(4);
  for (std::uint64_t round = 1; round <= 5; ++round) {
    const std::vector<TaggedSentence> sentences = random_sentences(rng);
    std::vector<std::uint32_t> order(sentences.size());
    std::iota(order.begin(), order.end(), 0U);
    base::Rng orders(round);
    Weights mean;
    for (int training = 0; training < kTrainings; ++training) {
      for (const auto& [key, weight] : train_once(sentences, order, orders)) mean[key] += weight / kTrainings;
    }
    const TaggerOptions options = {
        .scheme = TagScheme::plain, .passes = kPasses, .trainings = kTrainings, .min_weight = 0};
    RunOptions run;
    run.seed = round;
    Weights found = weights_of(base::internals(train_tagger(sentences, options, {}, run)));
    ASSERT_FALSE(found.empty());
    for (const auto& [key, weight] : mean)
      EXPECT_NEAR(found[key], weight, 1.1);  // they are rounded, one by one and together
    for (const auto& [key, weight] : found) EXPECT_NEAR(weight, mean[key], 1.1);
  }
}

TEST(TrainingsProperty, APerceptronIsTrainedOnce) {
  base::Rng rng(5);
  const std::vector<TaggedSentence> sentences = random_sentences(rng);
  TaggerOptions options = {.objective = TagObjective::perceptron, .trainings = 1};
  const std::string once = train_tagger(sentences, options, {}, {}).to_bytes();
  options.trainings = 3;
  EXPECT_EQ(train_tagger(sentences, options, {}, {}).to_bytes(), once);
}

}  // namespace
}  // namespace firth::tagger

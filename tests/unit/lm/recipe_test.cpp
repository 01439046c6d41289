#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "firth/auto.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/lm_recipe.hpp"
#include "lm/recipe/held_out.hpp"

namespace firth {
namespace {

/// Sentences of three kinds of words that follow each other.
std::vector<std::vector<std::string>> sentences(std::size_t number) {
  std::mt19937_64 random(7);
  std::vector<std::vector<std::string>> all(number);
  for (auto& sentence : all) {
    const std::size_t length = 3 + random() % 6;
    for (std::size_t i = 0; i < length; ++i) {
      sentence.push_back(std::string(1, "abc"[(i + random() % 2) % 3]) + std::to_string(random() % 12));
    }
  }
  return all;
}

TEST(HeldOut, IsATwentiethInTenStretches) {
  std::size_t held_out = 0;
  std::size_t stretches = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    held_out += lm::is_held_out(i, 2000) ? 1 : 0;
    stretches += lm::is_held_out(i, 2000) && !lm::is_held_out(i - 1, 2000) ? 1 : 0;
  }
  EXPECT_EQ(held_out, 100u);
  EXPECT_EQ(stretches, 10u);
}

TEST(TrainBestLm, IsWhatOneCouldDoByHand) {
  const auto text = sentences(600);
  const LmRecipeResult best = train_best_lm(Inputs::from_tokens(text));
  EXPECT_EQ(best.sentences, 600u);
  EXPECT_EQ(best.held_out, 30u);
  std::vector<LanguageModel> models;
  std::vector<double> weights;
  const Counts counts = count_text(Inputs::from_tokens(text), {}, {});
  for (const LmRecipePart& part : best.parts) {
    if (part.weight == 0) continue;
    weights.push_back(part.weight);
    const LmTrainOptions options{.order = part.order};
    if (part.classes == 0) {
      models.push_back(train_word_lm(Inputs::from_tokens(text), counts.vocabulary(), options, {}));
      continue;
    }
    AutoOptions search;
    search.classes = part.classes;
    search.effort = SearchEffort::fast;
    search.boundaries = true;
    search.size_weight = 1.5;
    const Clustering classes = cluster_auto(counts, search, {}).clustering;
    models.push_back(train_class_lm(Inputs::from_tokens(text), classes, options, {}));
  }
  ASSERT_GT(models.size(), 1u);
  EXPECT_EQ(best.model.to_bytes(), mix_models(models, weights).to_bytes());
}

TEST(TrainBestLm, HasThePerplexityThatItSays) {
  const auto text = sentences(600);
  std::vector<std::vector<std::string>> held_out;
  std::vector<std::vector<std::string>> training;
  for (std::size_t i = 0; i < text.size(); ++i) {
    (lm::is_held_out(i, text.size()) ? held_out : training).push_back(text[i]);
  }
  const LmRecipeResult best = train_best_lm(Inputs::from_tokens(text));
  const LmRecipePart& words = best.parts.front();
  const LanguageModel model =
      train_word_lm(Inputs::from_tokens(training), VocabularyOptions{}, {.order = words.order}, {});
  EXPECT_NEAR(score_text(model, Inputs::from_tokens(held_out)).perplexity(), words.perplexity, 1e-9);
  for (const LmRecipePart& part : best.parts) EXPECT_LE(best.perplexity, part.perplexity + 1e-9);
}

TEST(TrainBestLm, DoesNotDependOnThreads) {
  RunOptions one;
  one.threads = 1;
  RunOptions three;
  three.threads = 3;
  const auto text = sentences(400);
  EXPECT_EQ(train_best_lm(Inputs::from_tokens(text), {}, one).model.to_bytes(),
            train_best_lm(Inputs::from_tokens(text), {}, three).model.to_bytes());
}

TEST(TrainBestLm, RefusesWhatItCannotUse) {
  EXPECT_THROW((void)train_best_lm(Inputs::from_tokens(sentences(199))), InputError);
  LmRecipeOptions order;
  order.max_order = 2;
  EXPECT_THROW((void)train_best_lm(Inputs::from_tokens(sentences(300)), order), UsageError);
  LmRecipeOptions rare;
  rare.vocabulary.rare = RarePolicy::drop;
  EXPECT_THROW((void)train_best_lm(Inputs::from_tokens(sentences(300)), rare), UsageError);
}

}  // namespace
}  // namespace firth

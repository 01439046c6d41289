// Completion against sorting the whole distribution; scoring on any number of threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "firth/class_lm.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

std::string random_word(base::Rng& rng, std::uint64_t words) {
  const auto number = static_cast<std::uint64_t>(rng.uniform() * rng.uniform() * static_cast<double>(words));
  return fmt::format("{}{}", "ab"[number % 2], number);
}

std::string random_text(base::Rng& rng, std::uint64_t words, int sentences) {
  std::string text;
  for (int i = 0; i < sentences; ++i) {
    for (std::uint64_t n = 1 + rng.below(12); n > 0; --n) text += random_word(rng, words) + " ";
    text += i % 7 == 6 ? "\n\n" : "\n";
  }
  return text;
}

LanguageModel word_model(const std::string& text, int order) {
  return train_word_lm(Inputs::from_text(text), VocabularyOptions{}, {.order = order}, {});
}

LanguageModel class_model(const std::string& text, const LanguageModel& words, int order) {
  std::string classes;
  for (WordId word = LanguageModel::kEnd + 1; word < words.word_count(); ++word) {
    classes += fmt::format("{}\t{}\n", words.word(word), word % 9);
  }
  return train_class_lm(Inputs::from_text(text), parse_clustering(classes, "classes"), {.order = order}, {});
}

/// The slow twin: every word of the model with its probability.
std::vector<LmWord> naive_completions(const LanguageModel& model, const LmState& state,
                                      const std::string& prefix, std::size_t most) {
  const std::vector<double> all = model.distribution(state);
  std::vector<LmWord> words;
  for (WordId word = LanguageModel::kEnd + 1; word < all.size(); ++word) {
    if (model.word(word).starts_with(prefix)) words.push_back({word, all[word]});
  }
  std::stable_sort(words.begin(), words.end(),
                   [](const LmWord& a, const LmWord& b) { return a.probability > b.probability; });
  words.resize(std::min(most, words.size()));
  return words;
}

void expect_same(const LanguageModel& model, base::Rng& rng, std::uint64_t words) {
  for (int i = 0; i < 40; ++i) {
    LmState state = model.begin_sentence();
    for (std::uint64_t n = rng.below(4); n > 0; --n)
      model.advance(state, model.find(random_word(rng, words)));
    const std::string word = random_word(rng, words);
    const std::string prefix = word.substr(0, 1 + rng.below(word.size()));
    const std::size_t most = 1 + rng.below(8);
    const std::vector<LmWord> fast = model.complete(state, prefix, most);
    const std::vector<LmWord> slow = naive_completions(model, state, prefix, most);
    ASSERT_EQ(fast.size(), slow.size()) << prefix;
    for (std::size_t k = 0; k < fast.size(); ++k) {
      // Equally likely words may differ in the last bit between the two ways of adding up.
      ASSERT_NEAR(fast[k].probability, slow[k].probability, 1e-12) << prefix;
      ASSERT_TRUE(model.word(fast[k].word).starts_with(prefix));
    }
  }
}

TEST(Complete, GivesTheLikeliestWordsWithThePrefix) {
  base::Rng rng(3);
  for (const std::uint64_t words : {12u, 300u, 6000u}) {
    const std::string text = random_text(rng, words, static_cast<int>(words) * 2);
    const LanguageModel plain = word_model(text, 3);
    const LanguageModel classes = class_model(text, plain, 2);
    expect_same(plain, rng, words);
    expect_same(classes, rng, words);
    const std::vector<LanguageModel> parts = {plain, classes};
    expect_same(mix_models(parts, std::vector<double>{0.4, 0.6}), rng, words);
  }
}

TEST(Complete, KnowsNoSpecialWordsAndTakesAnEmptyPrefix) {
  const LanguageModel model = word_model("a b\na c\n", 2);
  const LmState start = model.begin_sentence();
  EXPECT_TRUE(model.complete(start, "<", 5).empty());
  EXPECT_TRUE(model.complete(start, "zz", 5).empty());
  const std::vector<LmWord> all = model.complete(start, "", 2);
  const std::vector<LmWord> best = model.suggest(start, 2);
  ASSERT_EQ(all.size(), best.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].word, best[i].word);
}

TEST(ScoreText, IsTheSameOnAnyNumberOfThreads) {
  base::Rng rng(5);
  const std::string text = random_text(rng, 200, 300);
  const LanguageModel model = word_model(text, 3);
  const std::string test = random_text(rng, 300, 20000);  // several batches
  for (const bool accuracy : {false, true}) {
    std::vector<LmScore> sums;
    std::vector<std::vector<double>> lines;
    for (const unsigned threads : {1u, 2u, 5u}) {
      RunOptions run;
      run.threads = threads;
      std::vector<double>& own = lines.emplace_back();
      sums.push_back(score_text(
          model, Inputs::from_text(test), {.accuracy = accuracy},
          [&](const LmScore& score) { own.push_back(score.log10_known); }, run));
    }
    for (std::size_t i = 1; i < sums.size(); ++i) {
      EXPECT_EQ(sums[i].log10_known, sums[0].log10_known);
      EXPECT_EQ(sums[i].log10_unknown, sums[0].log10_unknown);
      EXPECT_EQ(sums[i].right_word, sums[0].right_word);
      EXPECT_EQ(lines[i], lines[0]);
    }
    EXPECT_EQ(lines[0].size(), 20000u + 20000u / 7);
  }
}

TEST(ScoreText, TellsWhatItReadBeforeABadLine) {
  const LanguageModel model = word_model("a b\n", 2);
  std::string text;  // more than is read at once
  for (int i = 0; i < 600'000; ++i) text += "a b\n";
  std::size_t lines = 0;
  EXPECT_THROW(
      (void)score_text(model, Inputs::from_text(text + "\xff\n"), {}, [&](const LmScore&) { ++lines; }, {}),
      InputError);
  EXPECT_GT(lines, 0u);
}

}  // namespace
}  // namespace firth

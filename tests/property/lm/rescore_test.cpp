// The exact search along a line against trying every stretch; totals and errors against plain loops.
#include "firth/rescore.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "lm/line_search.hpp"

namespace firth {
namespace {

std::vector<lm::MovingList> random_lists(base::Rng& rng) {
  std::vector<lm::MovingList> lists(1 + rng.below(6));
  for (lm::MovingList& list : lists) {
    for (std::uint64_t n = 1 + rng.below(6); n > 0; --n) {
      list.push_back({rng.uniform() * 10 - 5, static_cast<double>(rng.below(7)) - 3, rng.below(5)});
    }
  }
  return lists;
}

/// The slow twin: errors in the middle of every two neighbouring crossings of any two lines.
std::uint64_t naive_fewest(const std::vector<lm::MovingList>& lists) {
  std::vector<double> places;
  for (const lm::MovingList& list : lists) {
    for (const auto& a : list) {
      for (const auto& b : list) {
        if (a.slope != b.slope) places.push_back((a.offset - b.offset) / (b.slope - a.slope));
      }
    }
  }
  std::sort(places.begin(), places.end());
  std::uint64_t fewest = lm::errors_at(lists, places.empty() ? 0 : places.front() - 1);
  if (!places.empty()) fewest = std::min(fewest, lm::errors_at(lists, places.back() + 1));
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] - places[i - 1] < 1e-9) continue;
    fewest = std::min(fewest, lm::errors_at(lists, (places[i - 1] + places[i]) / 2));
  }
  return fewest;
}

TEST(LineSearch, FindsTheFewestErrors) {
  base::Rng rng(11);
  for (int round = 0; round < 3000; ++round) {
    const auto lists = random_lists(rng);
    const double now = rng.uniform() * 4 - 2;
    const lm::BestWeight best = lm::best_weight(lists, now);
    ASSERT_EQ(best.errors, lm::errors_at(lists, best.weight));
    ASSERT_EQ(best.errors, std::min(naive_fewest(lists), lm::errors_at(lists, now))) << round;
  }
}

LanguageModel small_model() {
  return train_word_lm(Inputs::from_text("the cat sat\nthe dog sat\na cat ran\nthe dog ran\n"),
                       VocabularyOptions{}, {.order = 2}, {});
}

std::vector<NbestList> random_nbest(base::Rng& rng, NbestReferences& references) {
  const std::vector<std::string> words = {"the", "a", "cat", "dog", "sat", "ran", "bird"};
  const auto sentence = [&] {
    std::string text;
    for (std::uint64_t n = rng.below(5); n > 0; --n)
      text += (text.empty() ? "" : " ") + words[rng.below(words.size())];
    return text;
  };
  std::vector<NbestList> lists;
  for (std::uint64_t i = 0; i < 12; ++i) {
    NbestList& list = lists.emplace_back(NbestList{fmt::format("u{}", i), {}});
    for (std::uint64_t n = 1 + rng.below(5); n > 0; --n)
      list.hypotheses.push_back({sentence(), {-rng.uniform() * 5, rng.uniform()}});
    references.emplace_back(list.id, sentence());
  }
  return lists;
}

std::vector<std::string> split(const std::string& text) {
  return line_words(text, {});
}

/// Edit distance by its definition.
std::uint64_t naive_errors(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::function<std::uint64_t(std::size_t, std::size_t)> cost = [&](std::size_t i,
                                                                          std::size_t j) -> std::uint64_t {
    if (i == a.size()) return b.size() - j;
    if (j == b.size()) return a.size() - i;
    const std::uint64_t same = cost(i + 1, j + 1) + (a[i] == b[j] ? 0 : 1);
    return std::min({same, cost(i + 1, j) + 1, cost(i, j + 1) + 1});
  };
  return cost(0, 0);
}

TEST(Rescore, AddsUpWhatItSays) {
  base::Rng rng(13);
  const LanguageModel model = small_model();
  NbestReferences references;
  const auto lists = random_nbest(rng, references);
  const auto best = rescore(model, lists, {{1, 0.5}, 2, -0.25}, {});
  for (std::size_t i = 0; i < lists.size(); ++i) {
    ASSERT_EQ(best[i].size(), lists[i].hypotheses.size());
    for (std::size_t k = 0; k < best[i].size(); ++k) {
      const NbestHypothesis& own = lists[i].hypotheses[best[i][k].hypothesis];
      LmState state = model.begin_sentence();
      double log10 = 0;
      for (const std::string& word : split(own.words))
        log10 += std::log10(model.advance(state, model.find(word)));
      log10 += std::log10(model.advance(state, LanguageModel::kEnd));
      EXPECT_NEAR(best[i][k].log10, log10, 1e-12);
      EXPECT_NEAR(best[i][k].total,
                  own.scores[0] + 0.5 * own.scores[1] + 2 * log10 -
                      0.25 * static_cast<double>(split(own.words).size()),
                  1e-9);
      if (k > 0) {
        EXPECT_LE(best[i][k].total, best[i][k - 1].total);
      }
    }
  }
}

TEST(Rescore, TuningCountsErrorsRightAndNeverAddsAny) {
  base::Rng rng(17);
  const LanguageModel model = small_model();
  for (int round = 0; round < 30; ++round) {
    NbestReferences references;
    const auto lists = random_nbest(rng, references);
    const RescoreTuning tuned = tune_rescoring(model, lists, references, {});
    const auto errors_with = [&](const RescoreWeights& weights) {
      const auto best = rescore(model, lists, weights, {});
      std::uint64_t errors = 0;
      for (std::size_t i = 0; i < lists.size(); ++i) {
        errors += naive_errors(split(lists[i].hypotheses[best[i].front().hypothesis].words),
                               split(references[i].second));
      }
      return errors;
    };
    EXPECT_EQ(tuned.errors, errors_with(tuned.weights));
    EXPECT_LE(tuned.errors, errors_with({}));
    EXPECT_EQ(tuned.weights.scores.front(), 1);
  }
}

TEST(Rescore, RefusesWhatDoesNotFit) {
  const LanguageModel model = small_model();
  const auto lists = load_nbest(Inputs::from_text("1 ||| a cat ||| -1\n1 ||| a dog ||| -2\n2\t-1\ta\n"));
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[0].hypotheses[1].words, "a dog");
  EXPECT_THROW((void)rescore(model, lists, {{1, 2}, 1, 0}, {}), UsageError);
  EXPECT_THROW((void)tune_rescoring(model, lists, {{"7", "a"}}, {}), UsageError);
  for (const char* text : {"a b c\n", "1 ||| a ||| x\n", "||| a ||| 1\n", "1 ||| a ||| 1\n1 ||| b ||| 1 2\n",
                           "\n", "1\ta\n", "1 ||| a ||| nan\n"}) {
    EXPECT_THROW((void)load_nbest(Inputs::from_text(text)), InputError) << text;
  }
}

}  // namespace
}  // namespace firth

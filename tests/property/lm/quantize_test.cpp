// Quantised models against slow, obvious ways to the same numbers.
#include "lm/quantize.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/internals.hpp"
#include "base/rng.hpp"
#include "firth/class_lm.hpp"
#include "lm/model.hpp"
#include "support/temp_folder.hpp"

namespace firth::lm {
namespace {

std::string random_text(base::Rng& rng, std::uint64_t sentences, std::uint64_t words) {
  std::string text;
  for (; sentences > 0; --sentences) {
    for (std::uint64_t k = 1 + rng.below(9); k > 0; --k) {
      const double skewed = rng.uniform() * rng.uniform() * static_cast<double>(words);
      text += fmt::format("w{} ", static_cast<std::uint64_t>(skewed));
    }
    text += '\n';
  }
  return text;
}

LanguageModel random_words(base::Rng& rng, const std::string& text) {
  constexpr std::array kSmoothings = {LmSmoothing::kneser_ney, LmSmoothing::witten_bell, LmSmoothing::none};
  const int order = 1 + static_cast<int>(rng.below(4));
  return train_word_lm(Inputs::from_text(text), VocabularyOptions{},
                       {.order = order, .smoothing = kSmoothings[rng.below(3)]});
}

LanguageModel random_classes(base::Rng& rng, const std::string& text, const LanguageModel& words) {
  std::string classes;
  for (WordId word = LanguageModel::kEnd + 1; word < words.word_count(); ++word)
    classes += fmt::format("{}\t{}\n", words.word(word), rng.below(9));
  return train_class_lm(Inputs::from_text(text), parse_clustering(classes, "classes"), {.order = 3});
}

const Trie& trie_of(const LanguageModel& model) {
  return base::internals(model).first().trie;
}

/// What follows a context, word by word.
double sum_after(const Trie& trie, Node node) {
  double sum = 0;
  for (Symbol symbol = 0; symbol < trie.symbol_count(); ++symbol) sum += trie.step(node, symbol).probability;
  return sum;
}

double naive_nearest(std::span<const double> table, double p) {
  if (p <= 0) return 0;
  double best = 0;
  for (const double value : table) {
    if (value > 0 && (best <= 0 || std::abs(std::log(value / p)) < std::abs(std::log(best / p))))
      best = value;
  }
  return best;
}

double naive_below(std::span<const double> table, double p) {
  double best = 0;
  for (const double value : table) best = value <= p ? std::max(best, value) : best;
  return best;
}

double naive_above(std::span<const double> table, double p) {
  for (const double value : table) {
    if (value >= p) return value;
  }
  return table.back();
}

/// The values that the probabilities after a context are to have.
std::vector<double> naive_values(const Trie& old, Node node, std::span<const double> table) {
  double left = 1;
  for (std::uint64_t e = old.children_begin(node); e < old.children_end(node); ++e)
    left -= old.arrays().probabilities[e];
  const bool backs_off = left > 0 && old.arrays().backoffs[node] > 0;
  std::vector<double> values;
  std::vector<double> below;
  double excess = 0;
  for (std::uint64_t e = old.children_begin(node); e < old.children_end(node); ++e) {
    const double p = old.arrays().probabilities[e];
    below.push_back(naive_below(table, p));
    double value = naive_nearest(table, p);
    if (backs_off && excess > 0.02 * left) value = below.back();
    if (backs_off && excess < -0.02 * left) value = naive_above(table, p);
    values.push_back(value);
    excess += value - p;
  }
  return backs_off && excess > left / 2 ? below : values;
}

/// Everything that is said of a quantised trie. Returns how many contexts it looked at.
std::size_t check(const Trie& old, const Trie& trie) {
  const std::span<const double> table = trie.arrays().probabilities.table();
  EXPECT_LE(table.size(), 256U);
  EXPECT_TRUE(std::is_sorted(table.begin(), table.end()));
  for (Symbol symbol = 0; symbol < old.symbol_count(); ++symbol)
    EXPECT_EQ(trie.arrays().probabilities[symbol], old.arrays().probabilities[symbol]);
  for (Node node = 1; node < old.node_count(); ++node) {
    const std::vector<double> values = naive_values(old, node, table);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t entry = old.children_begin(node) + i;
      EXPECT_NEAR(trie.arrays().probabilities[entry] / values[i], 1, 1e-9) << node << " " << i;
    }
    // Where nothing is left to other words (no smoothing), nothing makes up for what rounding adds or takes.
    if (old.arrays().backoffs[node] > 0) {
      EXPECT_NEAR(sum_after(trie, node), 1, 2e-6) << node;
    } else {
      EXPECT_EQ(trie.arrays().backoffs[node], 0);
    }
  }
  return old.node_count() - 1;
}

TEST(Quantize, GivesTheNumbersOfTheNaiveTwin) {
  base::Rng rng(1);
  std::size_t contexts = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string text = random_text(rng, 5 + rng.below(round % 10 == 0 ? 1500 : 60), 60);
    const LanguageModel words = random_words(rng, text);
    const LanguageModel model = round % 3 == 0 ? random_classes(rng, text, words) : words;
    const LanguageModel small = quantize_lm(model);
    if (trie_of(small).is_quantized()) {
      contexts += check(trie_of(model), trie_of(small));
    } else {
      EXPECT_EQ(model.order(), 1);
      EXPECT_EQ(small.to_bytes(), model.to_bytes());
    }
  }
  EXPECT_GT(contexts, 5000U);
}

TEST(Quantize, LosesLessThanValuesAtEqualDistances) {
  base::Rng rng(2);
  for (int round = 0; round < 5; ++round) {
    const LanguageModel model =
        train_word_lm(Inputs::from_text(random_text(rng, 3000, 300)), VocabularyOptions{}, {});
    const Trie& old = trie_of(model);
    const Trie trie = quantized(old, {});
    const std::vector<double> contexts = context_probabilities(old);
    const Probabilities& p = old.arrays().probabilities;
    double least = 0;
    for (std::uint64_t e = old.symbol_count(); e < p.size(); ++e) least = std::min(least, std::log(p[e]));
    double own = 0;
    double even = 0;
    for (Node node = 1; node < old.node_count(); ++node) {
      for (std::uint64_t e = old.children_begin(node); e < old.children_end(node); ++e) {
        const double step = -least / 255;
        const double log = std::log(p[e]);
        const double error = std::log(trie.arrays().probabilities[e]) - log;
        const double even_error = std::round(log / step) * step - log;
        own += contexts[node] * p[e] * error * error;
        even += contexts[node] * p[e] * even_error * even_error;
      }
    }
    EXPECT_LT(own, even / 2);
  }
}

TEST(Quantize, OfAMixtureQuantisesItsParts) {
  base::Rng rng(3);
  const std::string text = random_text(rng, 400, 50);
  const LanguageModel words = train_word_lm(Inputs::from_text(text), VocabularyOptions{}, {});
  const LanguageModel mixed =
      mix_models(std::vector{words, random_classes(rng, text, words)}, std::vector{0.25, 0.75});
  const LanguageModel small = quantize_lm(mixed);
  ASSERT_EQ(small.parts().size(), 2U);
  EXPECT_EQ(small.parts()[1].weight, 0.75);
  for (const Part& part : base::internals(small).parts) EXPECT_TRUE(part.component->trie.is_quantized());
  const double before = score_text(mixed, Inputs::from_text(text)).perplexity();
  EXPECT_NEAR(score_text(small, Inputs::from_text(text)).perplexity() / before, 1, 1e-3);
}

TEST(Quantize, OfAnArpaModelKeepsImpossibleWordsImpossible) {
  const testing::TempFolder folder;
  const std::string arpa = folder.write(
      "arpa",
      "\\data\\\nngram 1=5\nngram 2=3\n\n\\1-grams:\n-1 <unk>\n-99 <s> -0.3\n"
      "-0.5 </s>\n-0.4 a -99\n-0.6 b 0\n\n\\2-grams:\n-0.2 <s> a\n-99 a a\n0 a </s>\n\n\\end\\\n");
  const LanguageModel small = quantize_lm(load_lm(arpa));
  const Trie& trie = trie_of(small);
  EXPECT_EQ(trie.arrays().probabilities.table().size(), 3U);
  LmState state = small.begin_sentence();
  EXPECT_NEAR(small.advance(state, small.find("a")), std::pow(10, -0.2), 1e-9);
  EXPECT_LT(small.probability(state, small.find("b")), 1e-90);
  EXPECT_LT(small.probability(state, small.find("a")), 1e-90);
  EXPECT_EQ(small.probability(state, LanguageModel::kEnd), 1);
}

TEST(Quantize, GivesTheSameBytesForAnyThreadsAndIsReadBack) {
  base::Rng rng(4);
  const testing::TempFolder folder;
  const std::string text = random_text(rng, 2000, 200);
  const LanguageModel model = train_word_lm(Inputs::from_text(text), VocabularyOptions{}, {.order = 4});
  const LanguageModel small = quantize_lm(model, {.threads = 1});
  const std::string bytes = small.to_bytes();
  EXPECT_EQ(quantize_lm(model, {.threads = 4}).to_bytes(), bytes);
  EXPECT_EQ(quantize_lm(small).to_bytes(), bytes);
  EXPECT_LT(static_cast<double>(bytes.size()), 0.7 * static_cast<double>(model.to_bytes().size()));
  EXPECT_EQ(LanguageModel::from_bytes(bytes).to_bytes(), bytes);
  save_lm(folder.file("small.lm"), small);
  const LanguageModel again = load_lm(folder.file("small.lm"));
  EXPECT_EQ(again.to_bytes(), bytes);
  EXPECT_EQ(score_text(again, Inputs::from_text(text)).log10_known,
            score_text(small, Inputs::from_text(text)).log10_known);
  EXPECT_EQ(expand_lm(small, {}).to_bytes(), bytes);
  EXPECT_LT(expand_lm(small, {.max_ngrams = 900}).parts().front().ngrams.back(),
            small.parts().front().ngrams.back());
  save_arpa(folder.file("arpa"), small);
  EXPECT_NEAR(score_text(load_lm(folder.file("arpa")), Inputs::from_text(text)).perplexity() /
                  score_text(small, Inputs::from_text(text)).perplexity(),
              1, 1e-6);
}

TEST(Quantize, IsVersionTwoOfTheFile) {
  base::Rng rng(5);
  const std::string text = random_text(rng, 100, 30);
  const LanguageModel model = train_word_lm(Inputs::from_text(text), VocabularyOptions{}, {});
  constexpr std::size_t kPlace = 8;
  EXPECT_EQ(model.to_bytes()[kPlace], 1);
  std::string bytes = quantize_lm(model).to_bytes();
  EXPECT_EQ(bytes[kPlace], 2);
  bytes[kPlace] = 3;
  EXPECT_THROW((void)LanguageModel::from_bytes(bytes), FormatError);
}

}  // namespace
}  // namespace firth::lm

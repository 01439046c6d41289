// Models made plain: static interpolation, relative-entropy pruning, new words.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/internals.hpp"
#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "lm/expand.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using testing::TempFolder;

std::string random_text(std::mt19937& random, int sentences) {
  std::string text;
  for (int i = 0; i < sentences; ++i) {
    const int length = 1 + static_cast<int>(random() % 7);
    for (int j = 0; j < length; ++j)
      text += std::string(1, static_cast<char>('a' + random() % 9 * (random() % 3) / 2)) + " ";
    text += "\n";
  }
  return text;
}

Clustering classes_of(const LanguageModel& words) {
  std::string table;
  for (WordId word = 3; word < words.word_count(); ++word)
    table += std::string(words.word(word)) + "\t" + std::to_string(word % 3) + "\n";
  return parse_clustering(table, "classes", ClusterFormat::classes);
}

LanguageModel word_model(const std::string& text, int order) {
  return train_word_lm(Inputs::from_text(text), VocabularyOptions{}, {.order = order});
}

double sum_after(const LanguageModel& model, const LmState& state) {
  double sum = 0;
  const std::vector<double> all = model.distribution(state);
  for (WordId word = 0; word < all.size(); ++word) sum += word == LanguageModel::kBegin ? 0 : all[word];
  return sum;
}

/// Every context of up to two words.
template <class Use>
void for_each_context(const LanguageModel& model, const Use& use) {
  const auto words = static_cast<WordId>(model.word_count());
  for (WordId a = 0; a < words; ++a) {
    if (a == LanguageModel::kEnd) continue;
    LmState one = model.no_context();
    model.advance(one, a);
    use(std::vector<WordId>{a}, one);
    for (WordId b = 0; b < words; ++b) {
      if (b == LanguageModel::kEnd || b == LanguageModel::kBegin) continue;
      LmState two = one;
      model.advance(two, b);
      use(std::vector<WordId>{a, b}, two);
    }
  }
}

TEST(PlainModel, OfAMixtureIsNormalisedAndExactWhereItHasNgrams) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    const LanguageModel words = word_model(random_text(random, 30), 3);
    const LanguageModel classes =
        train_class_lm(Inputs::from_text(random_text(random, 30)), classes_of(words), {.order = 3});
    const std::vector<double> weights = {0.4, 0.6};
    const LanguageModel mixed = mix_models(std::vector{words, classes}, weights);
    const LanguageModel plain = expand_lm(mixed, {.threshold = 0});
    ASSERT_EQ(plain.word_count(), mixed.word_count());
    EXPECT_EQ(plain.parts().size(), 1u);
    const lm::Trie& trie = base::internals(plain).first().trie;
    for (int level = 1; level <= trie.order(); ++level) {
      lm::LevelWalker walker(trie, level);
      const auto levels = trie.arrays().level_begin;
      for (auto e = levels[static_cast<std::size_t>(level) - 1]; e < levels[static_cast<std::size_t>(level)];
           ++e) {
        LmState state = mixed.no_context();
        const auto symbols = walker.symbols(e);
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) mixed.advance(state, symbols[i]);
        EXPECT_NEAR(trie.arrays().probabilities[e], mixed.probability(state, symbols.back()), 1e-12);
      }
    }
    for_each_context(
        plain, [&](const auto&, const LmState& state) { EXPECT_NEAR(sum_after(plain, state), 1, 1e-9); });
  }
}

TEST(PlainModel, OfAMixtureScoresLikeTheMixtureWhenNothingIsLeftOut) {
  std::mt19937 random(2);
  const std::string text = random_text(random, 200);
  const LanguageModel words = word_model(text, 2);
  const LanguageModel classes = train_class_lm(Inputs::from_text(text), classes_of(words), {.order = 2});
  const std::vector<double> weights = {0.5, 0.5};
  const LanguageModel mixed = mix_models(std::vector{words, classes}, weights);
  const LanguageModel plain = expand_lm(mixed, {.threshold = 0});
  const double before = score_text(mixed, Inputs::from_text(text)).perplexity();
  const double after = score_text(plain, Inputs::from_text(text)).perplexity();
  EXPECT_NEAR(after / before, 1, 0.02);
  const TempFolder folder;
  save_arpa(folder.file("plain.arpa"), plain);
  EXPECT_EQ(arpa_bytes(plain), std::filesystem::file_size(folder.file("plain.arpa")));
  EXPECT_NEAR(score_text(load_lm(folder.file("plain.arpa")), Inputs::from_text(text)).perplexity(), after,
              1e-4);
}

TEST(Pruning, RemovesTheBigramWhoseLossIsTheSmallest) {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    const LanguageModel model = word_model(random_text(random, 25), 2);
    const std::uint64_t bigrams = model.parts().front().ngrams[1];
    const std::uint64_t unigrams = model.parts().front().ngrams[0];
    const LanguageModel fewer = expand_lm(model, {.max_ngrams = unigrams + bigrams - 1});
    const std::uint64_t left = fewer.parts().front().ngrams[1];
    ASSERT_LE(left, bigrams - 1);
    // The losses of all single removals, by the slow way.
    const lm::Trie& trie = base::internals(model).first().trie;
    double smallest = 1e9;
    double taken = 0;
    for (lm::Node node = 1; node < trie.node_count(); ++node) {
      const WordId word = node - 1;
      const double weight = word == LanguageModel::kBegin ? trie.arrays().probabilities[LanguageModel::kEnd]
                                                          : trie.arrays().probabilities[word];
      for (auto e = trie.children_begin(node); e < trie.children_end(node); ++e) {
        const lm::Symbol last = trie.arrays().symbols[e];
        double kept = 0;
        double below = 0;
        for (auto o = trie.children_begin(node); o < trie.children_end(node); ++o) {
          if (o == e) continue;
          kept += trie.arrays().probabilities[o];
          below += trie.arrays().probabilities[trie.arrays().symbols[o]];
        }
        const double backoff = (1 - kept) / (1 - below);
        double change = 0;
        LmState state = model.no_context();
        model.advance(state, word);
        for (WordId w = 0; w < model.word_count(); ++w) {
          if (w == LanguageModel::kBegin) continue;
          const double p = model.probability(state, w);
          const bool explicit_left = w != last && trie.find(node, w) != lm::Trie::kNone;
          const double q = explicit_left ? p : backoff * trie.arrays().probabilities[w];
          if (p > 0) change += p * std::log(p / q);
        }
        const double loss = std::expm1(weight * change);
        smallest = std::min(smallest, loss);
        const lm::Trie& rest = base::internals(fewer).first().trie;
        if (rest.find(node, last) == lm::Trie::kNone) taken = std::max(taken, loss);
      }
    }
    if (left == bigrams - 1) {
      EXPECT_NEAR(taken, smallest, 1e-12);
    }
  }
}

TEST(Pruning, KeepsModelsWholeAndCostsMoreTheMoreGoes) {
  std::mt19937 random(4);
  const std::string text = random_text(random, 300);
  const LanguageModel model = word_model(text, 3);
  const std::vector<std::uint64_t> ngrams = model.parts().front().ngrams;
  const std::uint64_t all = ngrams[0] + ngrams[1] + ngrams[2];
  double before = score_text(model, Inputs::from_text(text)).perplexity();
  for (const std::uint64_t most : {all - 20, all / 2, ngrams[0] + 5, ngrams[0]}) {
    const LanguageModel fewer = expand_lm(model, {.max_ngrams = most});
    const std::vector<std::uint64_t> counts = fewer.parts().front().ngrams;
    const std::uint64_t left = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    EXPECT_LE(left, most);
    for_each_context(
        fewer, [&](const auto&, const LmState& state) { EXPECT_NEAR(sum_after(fewer, state), 1, 1e-9); });
    const double after = score_text(fewer, Inputs::from_text(text)).perplexity();
    EXPECT_GE(after, before * 0.999);
    before = after;
  }
  EXPECT_THROW(expand_lm(model, {.max_ngrams = ngrams[0] - 1}), UsageError);
  const LanguageModel same = expand_lm(model, {});
  EXPECT_EQ(same.to_bytes(), model.to_bytes());
}

TEST(Pruning, OfOrderOneLeavesEveryWord) {
  std::mt19937 random(6);
  const LanguageModel model = word_model(random_text(random, 50), 1);
  EXPECT_EQ(expand_lm(model, {.prune = 0.5}).to_bytes(), model.to_bytes());
}

TEST(NewWords, JoinTheClassOfTheWordTheyAreLike) {
  std::mt19937 random(5);
  const std::string text = random_text(random, 100);
  const LanguageModel words = word_model(text, 2);
  const LanguageModel model = train_class_lm(Inputs::from_text(text), classes_of(words), {.order = 2});
  const std::string like(words.word(3));
  const LanguageModel larger = add_words(model, std::vector<LmNewWord>{{"zebra", like}, {"yak", like, 0.25}});
  EXPECT_EQ(larger.word_count(), model.word_count() + 2);
  const WordId zebra = larger.find("zebra");
  EXPECT_EQ(larger.class_of(zebra), model.class_of(model.find(like)));
  for_each_context(
      larger, [&](const auto&, const LmState& state) { EXPECT_NEAR(sum_after(larger, state), 1, 1e-9); });
  double of_class = 0;
  for (WordId word = 3; word < larger.word_count(); ++word) {
    if (larger.class_of(word) == larger.class_of(zebra))
      of_class += larger.probability(larger.begin_sentence(), word);
  }
  EXPECT_NEAR(larger.probability(larger.begin_sentence(), larger.find("yak")), 0.25 * of_class, 1e-12);
  double least = 1;
  for (WordId word = 3; word < larger.word_count(); ++word) {
    const bool old = word != zebra && larger.class_of(word) == larger.class_of(zebra);
    if (old) least = std::min(least, larger.probability(larger.begin_sentence(), word));
  }
  EXPECT_NEAR(larger.probability(larger.begin_sentence(), zebra), least, 1e-12);
  EXPECT_EQ(LanguageModel::from_bytes(larger.to_bytes()).word_count(), larger.word_count());
}

TEST(NewWords, GoIntoMixturesAndAreRefusedWhereTheyMakeNoSense) {
  std::mt19937 random(6);
  const std::string text = random_text(random, 100);
  const LanguageModel words = word_model(text, 2);
  const LanguageModel model = train_class_lm(Inputs::from_text(text), classes_of(words), {.order = 2});
  const std::string like(words.word(3));
  const std::vector<double> weights = {0.5, 0.5};
  const LanguageModel mixed = mix_models(std::vector{words, model}, weights);
  const LanguageModel larger = add_words(mixed, std::vector<LmNewWord>{{"zebra", like}});
  for_each_context(
      larger, [&](const auto&, const LmState& state) { EXPECT_NEAR(sum_after(larger, state), 1, 1e-9); });
  EXPECT_GT(larger.probability(larger.begin_sentence(), larger.find("zebra")), 0);
  EXPECT_THROW(add_words(words, std::vector<LmNewWord>{{"zebra", like}}), UsageError);
  EXPECT_THROW(add_words(model, std::vector<LmNewWord>{{like, like}}), UsageError);
  EXPECT_THROW(add_words(model, std::vector<LmNewWord>{{"zebra", "unicorn"}}), UsageError);
  EXPECT_THROW(add_words(model, std::vector<LmNewWord>{{"zebra", like}, {"zebra", like}}), UsageError);
  EXPECT_THROW(add_words(model, std::vector<LmNewWord>{{"ze bra", like}}), UsageError);
}

TEST(NewWords, AreReadFromAFile) {
  const TempFolder folder;
  const auto words = load_new_words(folder.write("w", "zebra horse\n\nyak\tcow\t0.01\n"));
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[1].like, "cow");
  EXPECT_DOUBLE_EQ(words[1].probability, 0.01);
  for (const char* bad : {"zebra\n", "zebra horse 2\n", "zebra horse x\n", "zebra horse 0.1 more\n"})
    EXPECT_THROW(load_new_words(folder.write("bad", bad)), InputError) << bad;
}

TEST(NewWords, WhatIsWrongIsSaidOfTheirLine) {
  const TempFolder folder;
  const std::string text = "a b\nb a\na a b\n";
  const LanguageModel words = word_model(text, 2);
  const LanguageModel model = train_class_lm(Inputs::from_text(text), classes_of(words), {.order = 2});
  const auto line_of = [&](std::string_view list) {
    try {
      (void)add_words(model, load_new_words(folder.write("w", list)));
    } catch (const InputError& error) {
      return error.where().line;
    }
    return std::uint64_t{0};
  };
  EXPECT_EQ(line_of("zebra a\n\nyak unicorn\n"), 3u);
  EXPECT_EQ(line_of("zebra a\nyak a\nzebra b\n"), 3u);
  EXPECT_EQ(line_of("zebra a\nb a\n"), 2u);
  EXPECT_EQ(line_of("zebra a\n"), 0u);
}

}  // namespace
}  // namespace firth

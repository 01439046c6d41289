// Language models on random texts and classes: against a naive twin, and the laws of probability.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numeric>

#include "base/rng.hpp"
#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "lm/key_counter.hpp"
#include "lm/model.hpp"
#include "lm/smoothing.hpp"
#include "reference/naive_lm.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using Sentence = std::vector<std::uint32_t>;

std::vector<Sentence> random_sentences(base::Rng& rng, std::size_t symbols, std::size_t sentences) {
  std::vector<Sentence> result(sentences);
  for (Sentence& sentence : result) {
    const std::uint64_t length = 1 + rng.below(8);
    for (std::uint64_t i = 0; i < length; ++i) {
      const auto skewed =
          static_cast<std::uint32_t>(rng.uniform() * rng.uniform() * static_cast<double>(symbols - 3));
      sentence.push_back(3 + skewed);
    }
  }
  return result;
}

std::string as_text(const std::vector<Sentence>& sentences) {
  std::string text;
  for (const Sentence& sentence : sentences) {
    for (const std::uint32_t symbol : sentence) text += fmt::format("w{} ", symbol);
    text += '\n';
  }
  return text;
}

/// Words w3..w(symbols-1), some of which the text may not have.
Vocabulary all_words(std::size_t symbols) {
  std::vector<std::pair<std::string, Count>> words;
  for (std::size_t i = 3; i < symbols; ++i) words.emplace_back(fmt::format("w{}", i), 0);
  return Vocabulary::from_words(words);
}

struct World {
  testing::TempFolder folder;
  std::vector<std::string> inputs;
  std::vector<Sentence> sentences;
  std::size_t symbols = 0;
  Vocabulary words;
  Clustering classes;

  World(base::Rng& rng, std::size_t max_symbols, std::size_t max_sentences) {
    symbols = 4 + rng.below(max_symbols);
    sentences = random_sentences(rng, symbols, 1 + rng.below(max_sentences));
    inputs = {folder.write("text", as_text(sentences))};
    words = all_words(symbols);
    std::vector<ClassId> ids;
    const std::uint64_t k = 1 + rng.below(symbols);
    for (std::size_t i = 0; i < words.size(); ++i) ids.push_back(static_cast<ClassId>(rng.below(k)));
    classes = Clustering(words, ids);
  }

  LanguageModel model(base::Rng& rng, LmTrainOptions options) const {
    return rng.below(2) == 0 ? train_class_lm(inputs, classes, options, {.threads = 1})
                             : train_word_lm(inputs, words, options, {.threads = 1});
  }
};

LmState random_state(base::Rng& rng, const LanguageModel& model) {
  LmState state = rng.below(2) == 0 ? model.begin_sentence() : model.no_context();
  for (std::uint64_t i = rng.below(5); i > 0; --i) {
    const WordId word = static_cast<WordId>(rng.below(model.word_count()));
    if (word != LanguageModel::kBegin) model.advance(state, word);
  }
  return state;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(LanguageModelProperty, AgreesWithTheNaiveTwin) {
  base::Rng rng(7);
  for (int round = 0; round < 250; ++round) {
    const World world(rng, 12, 40);
    const int order = 1 + static_cast<int>(rng.below(4));
    const LmSmoothing smoothing = rng.below(2) == 0 ? LmSmoothing::kneser_ney : LmSmoothing::witten_bell;
    const LanguageModel model =
        train_word_lm(world.inputs, world.words, {.order = order, .smoothing = smoothing}, {});
    const reference::NaiveLm naive(world.sentences, order, world.symbols, smoothing);
    for (const Sentence& sentence : random_sentences(rng, world.symbols, 10)) {
      LmState state = model.begin_sentence();
      Sentence history = {1};
      for (const std::uint32_t symbol : sentence) {
        const WordId word = model.find(fmt::format("w{}", symbol));
        ASSERT_NEAR(model.advance(state, word), naive.probability(history, symbol), 1e-12);
        ASSERT_NEAR(model.probability(state, LanguageModel::kEnd),
                    naive.probability(
                        [&] {
                          Sentence h = history;
                          h.push_back(symbol);
                          return h;
                        }(),
                        2),
                    1e-12);
        history.push_back(symbol);
      }
    }
  }
}

TEST(LanguageModelProperty, EveryDistributionAddsUpToOne) {
  base::Rng rng(11);
  for (int round = 0; round < 400; ++round) {
    const World world(rng, 30, 60);
    const LmTrainOptions options{
        .order = 1 + static_cast<int>(rng.below(4)),
        .smoothing = rng.below(2) == 0 ? LmSmoothing::kneser_ney : LmSmoothing::witten_bell,
        .emission = rng.below(2) == 0 ? LmEmission::discounted : LmEmission::frequency};
    const LanguageModel model = world.model(rng, options);
    for (int i = 0; i < 10; ++i) {
      const LmState state = random_state(rng, model);
      const std::vector<double> p = model.distribution(state);
      ASSERT_NEAR(sum_of(p), 1, 1e-9);
      ASSERT_EQ(p[LanguageModel::kBegin], 0);
      for (WordId word = 0; word < p.size(); ++word) {
        ASSERT_NEAR(p[word], model.probability(state, word), 1e-15);
        const bool possible = options.emission == LmEmission::discounted && word != LanguageModel::kBegin;
        ASSERT_TRUE(p[word] > 0 || !possible);
      }
    }
  }
}

TEST(LanguageModelProperty, MixturesAddUpToOneAndSuggestTheirBestWords) {
  base::Rng rng(13);
  for (int round = 0; round < 150; ++round) {
    const World one(rng, 30, 60);
    const World two(rng, 30, 60);  // another vocabulary
    const std::vector<LanguageModel> models = {one.model(rng, {.order = 2}), two.model(rng, {.order = 3}),
                                               two.model(rng, {.order = 1})};
    const std::vector<double> weights = {0.5, 0.3, 0.2};
    const LanguageModel mixture = mix_models(models, weights);
    for (int i = 0; i < 5; ++i) {
      const LmState state = random_state(rng, mixture);
      std::vector<double> p = mixture.distribution(state);
      ASSERT_NEAR(sum_of(p), 1, 1e-9);
      p[LanguageModel::kUnknown] = 0;
      const std::size_t most = 1 + rng.below(12);
      const std::vector<LmWord> best = mixture.suggest(state, most);
      std::sort(p.begin(), p.end(), std::greater<>());
      ASSERT_EQ(best.size(), std::min(most, p.size() - 2));
      for (std::size_t k = 0; k < best.size(); ++k) ASSERT_NEAR(best[k].probability, p[k], 1e-12);
    }
  }
}

TEST(LanguageModelProperty, SuggestsTheBestWords) {
  base::Rng rng(17);
  for (int round = 0; round < 200; ++round) {
    const World world(rng, 40, 60);
    const LanguageModel model = world.model(rng, {.order = 1 + static_cast<int>(rng.below(4))});
    for (int i = 0; i < 5; ++i) {
      const LmState state = random_state(rng, model);
      std::vector<double> p = model.distribution(state);
      p[LanguageModel::kUnknown] = 0;
      const std::size_t most = 1 + rng.below(15);
      const std::vector<LmWord> best = model.suggest(state, most);
      std::sort(p.begin(), p.end(), std::greater<>());
      ASSERT_EQ(best.size(), std::min(most, p.size() - 2));
      for (std::size_t k = 0; k < best.size(); ++k) ASSERT_NEAR(best[k].probability, p[k], 1e-12);
    }
  }
}

TEST(LanguageModelProperty, FilesGiveTheSameModel) {
  base::Rng rng(19);
  for (int round = 0; round < 60; ++round) {
    const World world(rng, 20, 40);
    const LanguageModel model = world.model(rng, {.order = 1 + static_cast<int>(rng.below(4))});
    const std::string binary = world.folder.file("model");
    save_lm(binary, model);
    const LanguageModel again = load_lm(binary, "", {});
    const std::string arpa = world.folder.file("arpa");
    const std::string classes = model.has_classes() ? world.folder.file("classes") : "";
    save_arpa(arpa, model);
    if (model.has_classes()) save_srilm_classes(classes, model);
    const LanguageModel from_arpa = load_lm(arpa, classes, {});
    for (int i = 0; i < 10; ++i) {
      LmState a = model.begin_sentence();
      LmState b = again.begin_sentence();
      LmState c = from_arpa.begin_sentence();
      for (int k = 0; k < 6; ++k) {
        const WordId word = static_cast<WordId>(rng.below(model.word_count()));
        if (word == LanguageModel::kBegin) continue;
        const double p = model.advance(a, word);
        ASSERT_EQ(again.advance(b, again.find(model.word(word))), p);
        ASSERT_NEAR(from_arpa.advance(c, from_arpa.find(model.word(word))) / p, 1, 1e-6);
      }
    }
  }
}

TEST(LanguageModelProperty, ExpandedModelsAreExactAtOrderTwoAndNormalisedAbove) {
  base::Rng rng(23);
  for (int round = 0; round < 60; ++round) {
    const World world(rng, 15, 40);
    const int order = 2 + static_cast<int>(rng.below(2));
    const bool exact = order == 2 && rng.below(2) == 0;
    const LanguageModel model = train_class_lm(world.inputs, world.classes, {.order = order}, {});
    const std::string arpa = world.folder.file("arpa");
    save_expanded_arpa(arpa, model, exact ? 0 : 0.001, {});
    const LanguageModel expanded = load_lm(arpa, "", {});
    for (int i = 0; i < 10; ++i) {
      LmState state = expanded.begin_sentence();
      LmState twin = model.begin_sentence();
      for (std::uint64_t k = rng.below(5); k > 0; --k) {
        const WordId word = static_cast<WordId>(3 + rng.below(model.word_count() - 3));
        model.advance(twin, word);
        expanded.advance(state, expanded.find(model.word(word)));
      }
      ASSERT_NEAR(sum_of(expanded.distribution(state)), 1, 1e-5);
      for (WordId word = 0; exact && word < model.word_count(); ++word) {
        ASSERT_NEAR(expanded.probability(state, expanded.find(model.word(word))),
                    model.probability(twin, word), 1e-7);
      }
    }
  }
}

// log2-likelihood per bigram = AMI - H(word) (Brown et al. 1992), for relative frequencies without
// boundaries.
TEST(LanguageModelProperty, LikelihoodIsMutualInformationMinusEntropy) {
  base::Rng rng(29);
  for (int round = 0; round < 100; ++round) {
    const World world(rng, 30, 60);
    const CountOptions plain;
    const Counts counts = count_text(world.inputs, plain, {});
    if (counts.bigrams().total() == 0) continue;
    const LanguageModel model = train_class_lm(
        world.inputs, world.classes,
        {.order = 2, .smoothing = LmSmoothing::none, .emission = LmEmission::frequency, .boundaries = false},
        {});
    const LmScore score = score_text(model, world.inputs, {}, {});
    const auto total = static_cast<double>(counts.bigrams().total());
    double entropy = 0;
    for (const Count right : counts.bigrams().right_marginals()) {
      const double p = static_cast<double>(right) / total;
      if (right > 0) entropy -= p * std::log2(p);
    }
    const double ami = average_mutual_information(counts, classes_for(counts.vocabulary(), world.classes));
    ASSERT_EQ(score.impossible, 0u);
    ASSERT_NEAR(score.log10_known * std::log2(10.0) / total, ami - entropy, 1e-9);
  }
}

/// The first words of sentences that are drawn from the model come as often as the model says.
void expect_first_words_as_likely(const LanguageModel& model, int draws) {
  LmSampler sampler(model, 5);
  std::vector<double> first(model.word_count(), 0);
  for (int i = 0; i < draws; ++i) {
    const std::vector<WordId> sentence = sampler.sentence(1);
    first[sentence.empty() ? LanguageModel::kEnd : sentence.front()] += 1.0 / draws;
  }
  const std::vector<double> p = model.distribution(model.begin_sentence());
  const double known = 1 - p[LanguageModel::kUnknown];
  for (WordId word = 2; word < p.size(); ++word) {
    const double expected = p[word] / known;
    ASSERT_NEAR(first[word], expected, 5 * std::sqrt(expected / draws) + 1e-4);
  }
}

TEST(LanguageModelProperty, SamplesFollowTheDistribution) {
  base::Rng rng(31);
  const World world(rng, 12, 60);
  expect_first_words_as_likely(train_word_lm(world.inputs, world.words, {.order = 3}, {}), 20000);
  expect_first_words_as_likely(train_class_lm(world.inputs, world.classes, {.order = 3}, {}), 20000);
}

// Contexts with hundreds of words, whose probabilities are added up in blocks.
TEST(LanguageModelProperty, SamplesOfManyWordsFollowTheDistribution) {
  base::Rng rng(33);
  const testing::TempFolder folder;
  const std::string text = folder.write("text", as_text(random_sentences(rng, 500, 3000)));
  expect_first_words_as_likely(train_word_lm({text}, all_words(500), {.order = 2}, {}), 200'000);
}

TEST(LanguageModelProperty, TuningNeverMakesHeldOutTextLessLikely) {
  base::Rng rng(37);
  for (int round = 0; round < 40; ++round) {
    const World world(rng, 20, 60);
    const World other(rng, 20, 60);
    const std::vector<LanguageModel> models = {train_word_lm(world.inputs, world.words, {.order = 2}, {}),
                                               train_class_lm(world.inputs, world.classes, {.order = 3}, {})};
    const LmMixResult result = tune_weights(models, other.inputs, {}, {});
    ASSERT_NEAR(sum_of(result.weights), 1, 1e-9);
    for (std::size_t i = 1; i < result.perplexities.size(); ++i) {
      ASSERT_LE(result.perplexities[i], result.perplexities[i - 1] * (1 + 1e-12));
    }
    const LmScore mixed = score_text(mix_models(models, result.weights), other.inputs, {}, {});
    for (const LanguageModel& model : models) {
      ASSERT_LE(mixed.perplexity(), score_text(model, other.inputs, {}, {}).perplexity() * (1 + 1e-3));
    }
  }
}

TEST(LanguageModelProperty, ThreadsDoNotChangeTheModel) {
  base::Rng rng(41);
  const World world(rng, 30, 3000);
  const LmTrainOptions options{.order = 4};
  const std::string one = world.folder.file("one");
  const std::string four = world.folder.file("four");
  save_lm(one, train_class_lm(world.inputs, world.classes, options, {.threads = 1}));
  save_lm(four, train_class_lm(world.inputs, world.classes, options, {.threads = 4}));
  ASSERT_EQ(testing::read_file(one), testing::read_file(four));
}

TEST(LmProperty, CountingOnDiskGivesTheSameBytes) {
  base::Rng rng(77);
  for (int round = 0; round < 60; ++round) {
    const World world(rng, 40, 400);
    LmTrainOptions options{.order = 1 + static_cast<int>(rng.below(6))};
    options.smoothing = rng.below(2) == 0 ? LmSmoothing::kneser_ney : LmSmoothing::witten_bell;
    // The buffer of keys is a sixteenth of this, and what is kept in memory a quarter.
    const std::uint64_t memory = (std::uint64_t{1} << 18) << rng.below(3);
    const auto model = [&](const RunOptions& run) {
      return round % 2 == 0 ? train_class_lm(world.inputs, world.classes, options, run)
                            : train_word_lm(world.inputs, world.words, options, run);
    };
    ASSERT_EQ(model({.threads = 1}).to_bytes(), model({.threads = 2, .memory_bytes = memory}).to_bytes())
        << "round " << round << " order " << options.order;
  }
}

TEST(KeyCounter, SpilledRunsAddUp) {
  base::Rng rng(78);
  for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{1} << 12, std::uint64_t{0}}) {
    const RunOptions run{.threads = 2, .memory_bytes = memory};
    lm::KeyCounter<std::uint64_t> counter(run);
    std::map<std::uint64_t, Count> expected;
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t key = rng.below(500);
      const Count count = rng.below(3) == 0 ? 1 : 1 + rng.below(1000);
      expected[key] += count;
      if (count == 1) {
        counter.add(key);
      } else {
        counter.add({key, count});
      }
    }
    EXPECT_EQ(counter.distinct(), expected.size());
    std::map<std::uint64_t, Count> got;
    std::uint64_t last = 0;
    counter.for_each([&](const lm::Counted<std::uint64_t>& item) {
      EXPECT_TRUE(got.empty() || item.key > last);
      last = item.key;
      got[item.key] = item.count;
    });
    EXPECT_EQ(got, expected) << memory << " bytes";
  }
}

}  // namespace
}  // namespace firth

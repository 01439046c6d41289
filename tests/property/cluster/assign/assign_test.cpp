// Properties of assign_words(): new words get the classes of words with the same neighbours.
#include "firth/assign.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/assign/context_classifier.hpp"
#include "firth/auto.hpp"
#include "firth/error.hpp"
#include "reference/planted_text.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

using reference::class_of;
using reference::Planted;
using reference::planted_text;

/// The clustering without some of its words, and what it learnt without them.
Clustering without_words(const Clustering& whole, const Counts& counts, const std::vector<bool>& left_out) {
  std::vector<std::pair<std::string, Count>> words;
  std::vector<ClassId> classes;
  for (WordId word = 0; word < whole.word_count(); ++word) {
    if (left_out[word]) continue;
    words.emplace_back(whole.vocabulary().word(word), whole.vocabulary().count(word));
    classes.push_back(whole.class_of(word));
  }
  Clustering rest(Vocabulary::from_words(std::move(words)), classes);
  rest.learn_class_bigrams(counts);
  return rest;
}

/// A text of lines of words.
Counts text_of(const std::vector<std::vector<std::string>>& lines) {
  std::map<std::string, Count> counts;
  for (const auto& line : lines) {
    for (const std::string& word : line) ++counts[word];
  }
  const Vocabulary vocabulary = Vocabulary::from_words({counts.begin(), counts.end()});
  const WordIndex index(vocabulary);
  std::vector<PairCount> pairs;
  for (const auto& line : lines) {
    for (std::size_t i = 1; i < line.size(); ++i) {
      pairs.push_back({*index.find(line[i - 1]), *index.find(line[i]), 1});
    }
  }
  return {vocabulary, PairCounts::from_pairs(vocabulary.size(), std::move(pairs)), {}};
}

TEST(Assign, GivesNewWordsTheClassOfWordsInTheSameContexts) {
  // Half of each class's words are clustered, the others come later.
  // 80,000 tokens: words of the rare classes have some 100 neighbours, enough to tell the classes apart.
  const Planted planted = planted_text(4, 6, 20, 80000);
  const Vocabulary& all = planted.counts.vocabulary();
  std::vector<std::pair<std::string, Count>> known;
  for (WordId word = 0; word < all.size(); word += 2) known.emplace_back(all.word(word), all.count(word));
  const Vocabulary vocabulary = Vocabulary::from_words(known);
  std::vector<ClassId> classes;
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    classes.push_back(planted.truth.at(std::string(vocabulary.word(word))));
  }
  const Clustering model(vocabulary, classes);
  const Assignment result = assign_words(model, planted.counts, {}, {.threads = 2});
  EXPECT_EQ(result.words.size(), all.size() - vocabulary.size());
  EXPECT_EQ(result.clustering.word_count(), all.size());
  for (const AssignedWord& word : result.words) {
    EXPECT_EQ(word.by, AssignedBy::contexts);
    EXPECT_GT(word.margin_nats, 0);
    const ClassId truth = planted.truth.at(word.word);
    for (const auto& [other, other_truth] : planted.truth) {
      if (WordIndex(vocabulary).find(other) && other_truth == truth) {
        EXPECT_EQ(word.class_id, class_of(model, other)) << word.word << " and " << other;
        EXPECT_EQ(class_of(result.clustering, word.word), class_of(result.clustering, other));
        break;
      }
    }
  }
  const Assignment one = assign_words(model, planted.counts, {}, {.threads = 1});
  EXPECT_EQ(one.clustering, result.clustering);
}

TEST(Assign, FallsBackToSpelling) {
  std::vector<std::pair<std::string, Count>> words;
  std::vector<ClassId> classes;
  for (const char* stem : {"walk", "talk", "jump", "look"}) {
    words.emplace_back(std::string(stem) + "ing", 5);
    words.emplace_back(std::string(stem) + "ed", 5);
  }
  words.emplace_back("1984", 5);
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    const std::string_view spelling = vocabulary.word(word);
    classes.push_back(spelling.ends_with("ing") ? 0U : spelling.ends_with("ed") ? 1U : 2U);
  }
  const Clustering model(vocabulary, classes);
  const Counts text(Vocabulary::from_words({{"walking", 1}, {"singing", 1}, {"sailed", 1}, {"2021", 1}}),
                    PairCounts::from_pairs(4, {}), {});
  const Assignment result = assign_words(model, text, {}, {.threads = 1});
  ASSERT_EQ(result.words.size(), 3U);
  for (const AssignedWord& word : result.words) {
    EXPECT_EQ(word.by, AssignedBy::spelling);
    const std::string like = word.word == "singing" ? "walking" : word.word == "sailed" ? "walked" : "1984";
    EXPECT_EQ(word.class_id, class_of(model, like)) << word.word;
  }
  const Counts foreign(Vocabulary::from_words({{"xyz", 1}}), PairCounts::from_pairs(1, {}), {});
  EXPECT_THROW(assign_words(model, foreign, {}, {}), UsageError);
}

TEST(Assign, ThreeLinesAreEnough) {
  // The model has kept its class bigrams; the new text has three of its words and none of most classes.
  const Planted planted = planted_text(5, 6, 20, 40000);
  std::vector<ClassId> classes;
  for (WordId word = 0; word < planted.counts.vocabulary().size(); ++word) {
    classes.push_back(planted.truth.at(std::string(planted.counts.vocabulary().word(word))));
  }
  Clustering model(planted.counts.vocabulary(), classes);
  model.learn_class_bigrams(planted.counts);
  // Class 1 mostly follows the even classes, and is followed by classes 4 and 5.
  const Counts text = text_of({{"c0w3", "new", "c4w5"}, {"c2w1", "new", "c5w2"}, {"c4w1", "new", "c4w9"}});
  const Assignment result = assign_words(model, text, {}, {.threads = 1});
  ASSERT_EQ(result.words.size(), 1U);
  EXPECT_EQ(result.words[0].by, AssignedBy::contexts);
  EXPECT_EQ(result.words[0].contexts, 6U);
  EXPECT_EQ(result.words[0].class_id, class_of(model, "c1w0"));
  // What it learnt goes on with it: the old bigrams, and those with a new word.
  EXPECT_EQ(result.clustering.class_bigrams().total(), model.class_bigrams().total() + 6);
}

TEST(Assign, NoWordGoesToAClassThatHasNoBigrams) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    base::Rng rng(seed);
    const Counts counts = reference::random_counts(rng, 60, 2000);
    std::vector<std::pair<std::string, Count>> words;
    std::vector<ClassId> classes;
    for (WordId word = 0; word < counts.vocabulary().size(); word += 2) {
      words.emplace_back(counts.vocabulary().word(word), 1);
      classes.push_back(static_cast<ClassId>(rng.below(5)));
    }
    for (const char* absent : {"nowhere", "neverseen", "<unk>"}) {
      words.emplace_back(absent, 1);
      classes.push_back(static_cast<ClassId>(classes.size() + 5));
    }
    std::vector<std::pair<std::string, ClassId>> named;
    for (std::size_t i = 0; i < words.size(); ++i) named.emplace_back(words[i].first, classes[i]);
    const Vocabulary vocabulary = Vocabulary::from_words(words);
    for (WordId word = 0; word < vocabulary.size(); ++word) {
      const auto at = std::find_if(named.begin(), named.end(),
                                   [&](const auto& entry) { return entry.first == vocabulary.word(word); });
      classes[word] = at->second;
    }
    const Clustering model(vocabulary, classes);
    for (const AssignedWord& word : assign_words(model, counts, {}, {.threads = 1}).words) {
      if (word.by != AssignedBy::contexts) continue;
      EXPECT_NE(word.class_id, class_of(model, "nowhere"));
      EXPECT_NE(word.class_id, class_of(model, "neverseen"));
    }
  }
}

TEST(Assign, NoWordGoesToTheClassOfUnkAlone) {
  // <unk> is everywhere and alone in its class, as after clustering with line ends and a prior on sizes.
  std::vector<std::vector<std::string>> lines;
  for (int i = 0; i < 50; ++i) {
    lines.push_back({"the", "<unk>", "ran", "to", "<unk>"});
    lines.push_back({"the", "cat", "sat", "on", "<unk>"});
  }
  const Counts training = text_of(lines);
  std::vector<ClassId> classes;
  for (WordId word = 0; word < training.vocabulary().size(); ++word) classes.push_back(word);
  Clustering model(training.vocabulary(), classes);
  model.learn_class_bigrams(training);
  const Counts text = text_of({{"the", "dog", "ran"}, {"to", "dog"}, {"<unk>"}, {"xunk"}});
  const Assignment result = assign_words(model, text, {}, {.threads = 1});
  ASSERT_EQ(result.words.size(), 2U);
  for (const AssignedWord& word : result.words)
    EXPECT_NE(word.class_id, class_of(model, "<unk>")) << word.word;
}

TEST(Assign, WordsHeldOutOfAClusteringComeBack) {
  const Planted planted = planted_text(6, 12, 30, 60000);
  const Clustering whole =
      cluster_auto(planted.counts, {.classes = 12, .effort = SearchEffort::fast}, {.threads = 1}).clustering;
  std::size_t held_out = 0;
  std::size_t came_back = 0;
  std::vector<std::size_t> taken(12);
  for (std::size_t fold = 0; fold < 5; ++fold) {
    std::vector<bool> left_out(whole.word_count(), false);
    for (std::size_t word = fold; word < left_out.size(); word += 5) left_out[word] = true;
    const Clustering model = without_words(whole, planted.counts, left_out);
    for (const AssignedWord& word : assign_words(model, planted.counts, {}, {.threads = 1}).words) {
      const ClassId truth = class_of(whole, word.word);
      ++held_out;
      // The class of the model that has the other words of its class.
      WordId other = 0;
      while (left_out[other] || whole.class_of(other) != truth) ++other;
      came_back += word.class_id == class_of(model, std::string(whole.vocabulary().word(other))) ? 1 : 0;
      ++taken[word.class_id];
    }
  }
  EXPECT_EQ(held_out, whole.word_count());
  EXPECT_GE(came_back, held_out * 95 / 100);
  EXPECT_LE(*std::max_element(taken.begin(), taken.end()), held_out * 3 / 2 / 12);
}

/// The definition, in the order of the formula: ln p of all neighbours for every class.
std::vector<double> naive_scores(const PairCounts& bigrams, const std::vector<clusters::ClassContext>& right,
                                 const std::vector<clusters::ClassContext>& left) {
  constexpr double kSmoothing = 100;
  const std::size_t classes = bigrams.rows();
  std::vector<std::vector<double>> n(classes, std::vector<double>(classes, 0));
  for (WordId a = 0; a < classes; ++a) {
    for (std::size_t i = 0; i < bigrams.right_words(a).size(); ++i) {
      n[a][bigrams.right_words(a)[i]] = static_cast<double>(bigrams.right_counts(a)[i]);
    }
  }
  const auto out = bigrams.left_marginals();
  const auto in = bigrams.right_marginals();
  const auto total = static_cast<double>(bigrams.total());
  const auto log_p = [&](double count, double marginal, double own) {
    return std::log((count + kSmoothing * marginal / total) / (own + kSmoothing));
  };
  std::vector<double> scores(classes, 0);
  for (std::size_t b = 0; b < classes; ++b) {
    for (const auto& context : right) {
      scores[b] += static_cast<double>(context.count) * log_p(n[b][context.class_id],
                                                              static_cast<double>(in[context.class_id]),
                                                              static_cast<double>(out[b]));
    }
    for (const auto& context : left) {
      scores[b] += static_cast<double>(context.count) * log_p(n[context.class_id][b],
                                                              static_cast<double>(out[context.class_id]),
                                                              static_cast<double>(in[b]));
    }
  }
  return scores;
}

TEST(ContextClassifier, IsTheDefinition) {
  constexpr std::size_t kClasses = 9;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    base::Rng rng(seed);
    std::vector<PairCount> pairs;
    for (WordId a = 0; a < kClasses; ++a) {
      pairs.push_back({a, a, 1});  // every class has bigrams on both sides
      for (int i = 0; i < 4; ++i) {
        pairs.push_back({a, static_cast<WordId>(rng.below(kClasses)), 1 + rng.below(500)});
      }
    }
    const PairCounts bigrams = PairCounts::from_pairs(kClasses, pairs);
    std::vector<clusters::ClassContext> right;
    std::vector<clusters::ClassContext> left;
    for (ClassId c = 0; c < kClasses; ++c) {
      if (rng.below(2) == 0) right.push_back({c, 1 + rng.below(5)});
      if (rng.below(2) == 0) left.push_back({c, 1 + rng.below(5)});
    }
    const clusters::ContextClassifier classifier(bigrams, std::vector<bool>(kClasses, true));
    std::vector<double> scratch;
    const clusters::ClassGuess guess = classifier.guess(right, left, scratch);
    std::vector<double> scores = naive_scores(bigrams, right, left);
    const auto best = std::max_element(scores.begin(), scores.end());
    EXPECT_EQ(guess.class_id, static_cast<ClassId>(best - scores.begin())) << seed;
    const double score = *best;
    *best = -std::numeric_limits<double>::infinity();
    EXPECT_NEAR(guess.margin_nats, score - *std::max_element(scores.begin(), scores.end()), 1e-4) << seed;
  }
}

}  // namespace
}  // namespace firth

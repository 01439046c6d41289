#include <gmock/gmock.h>

#include "firth/evaluate.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;

Clustering four_words() {
  return {Vocabulary::from_words({{"a", 9}, {"b", 7}, {"c", 5}, {"d", 1}}), std::vector<ClassId>{0, 1, 1, 1}};
}

TEST(ClusteringReport, DescribesSizes) {
  const ClusteringReport report = describe_clustering(four_words(), {.classes = 1, .words = 2});
  EXPECT_EQ(report.words, 4u);
  EXPECT_EQ(report.classes, 2u);
  EXPECT_EQ(report.singletons, 1u);
  EXPECT_EQ(report.class_words.min, 1u);
  EXPECT_EQ(report.class_words.max, 3u);
  EXPECT_DOUBLE_EQ(report.class_words.median, 2);
  EXPECT_DOUBLE_EQ(report.class_words.mean, 2);
  EXPECT_EQ(report.class_tokens.min, 9u);
  EXPECT_EQ(report.class_tokens.max, 13u);
  EXPECT_FALSE(report.text);
  ASSERT_EQ(report.largest.size(), 1u);
  EXPECT_EQ(report.largest[0].tokens, 13u);
  EXPECT_EQ(report.largest[0].words, 3u);
  EXPECT_THAT(report.largest[0].top_words, ElementsAre("b", "c"));
}

TEST(ClusteringReport, ScoresAgainstAText) {
  // The text has c, a, x; x is not in the clustering, b and d are not in the text.
  const Vocabulary words = Vocabulary::from_words({{"c", 6}, {"a", 3}, {"x", 1}});
  const Counts counts(words, PairCounts::from_pairs(3, {{0, 1, 3}, {1, 0, 4}, {1, 2, 2}, {2, 0, 1}}),
                      {.tokens = 12});
  const ClusteringReport report = evaluate_clustering(four_words(), counts);
  ASSERT_TRUE(report.text);
  EXPECT_EQ(report.text->types.covered, 2u);
  EXPECT_EQ(report.text->types.total, 3u);
  EXPECT_EQ(report.text->tokens.covered, 9u);
  EXPECT_EQ(report.text->tokens.total, 12u);
  EXPECT_DOUBLE_EQ(report.text->tokens.share(), 0.75);
  EXPECT_EQ(report.text->bigrams.covered, 7u);
  EXPECT_EQ(report.text->bigrams.total, 10u);
  EXPECT_EQ(report.class_tokens.max, 6u);
  EXPECT_THAT(report.largest[0].top_words, ElementsAre("c", "b", "d"));
  const std::vector<ClassId> classes = classes_for(words, four_words());
  EXPECT_DOUBLE_EQ(report.text->ami_bits, average_mutual_information(counts, classes));
  EXPECT_DOUBLE_EQ(report.text->ami_tokens_bits,
                   average_mutual_information(counts, classes, AmiNorm::tokens));
  EXPECT_DOUBLE_EQ(*report.text->ami_unigram_bits,
                   average_mutual_information(counts, classes, AmiNorm::unigram));
}

TEST(ClusteringReport, UnknownWordsCanStandForUnk) {
  const Clustering clustering(Vocabulary::from_words({{"a", 9}, {"<unk>", 7}, {"c", 5}}),
                              std::vector<ClassId>{0, 1, 2});
  const Vocabulary words = Vocabulary::from_words({{"c", 6}, {"a", 3}, {"x", 1}, {"y", 1}});
  const PairCounts pairs = PairCounts::from_pairs(4, {{0, 1, 3}, {1, 0, 4}, {1, 2, 2}, {2, 0, 1}, {3, 3, 1}});
  const Counts counts(words, pairs, {.tokens = 12});
  EXPECT_THAT(classes_for(words, clustering, UnknownWords::as_unk), ElementsAre(2, 0, 1, 1));
  const ClusteringReport with = evaluate_clustering(clustering, counts);
  const ClusteringReport without =
      evaluate_clustering(clustering, counts, {.unknown = UnknownWords::leave_out});
  EXPECT_DOUBLE_EQ(with.text->ami_bits, average_mutual_information(counts, std::vector<ClassId>{2, 0, 1, 1}));
  EXPECT_DOUBLE_EQ(without.text->ami_bits,
                   average_mutual_information(counts, std::vector<ClassId>{2, 0, kNoClass, kNoClass}));
  EXPECT_EQ(with.text->types.covered, 2u);
  EXPECT_EQ(with.text->bigrams.covered, 7u);
}

TEST(ClusteringReport, PairsWithoutWordCounts) {
  const Counts counts(Vocabulary::from_words({{"a", 0}, {"b", 0}}), PairCounts::from_pairs(2, {{0, 1, 3}}),
                      {.tokens = 4});
  EXPECT_FALSE(evaluate_clustering(four_words(), counts).text->ami_unigram_bits);
}

TEST(ClusteringReport, NothingIsNothing) {
  const ClusteringReport report = describe_clustering(Clustering());
  EXPECT_EQ(report.classes, 0u);
  EXPECT_EQ(report.class_words.max, 0u);
}

}  // namespace
}  // namespace firth

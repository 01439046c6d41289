#include "firth/tag_scores.hpp"

#include <gmock/gmock.h>

#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TaggedSentence sentence(std::vector<std::string> tags) {
  TaggedSentence result;
  for (std::size_t i = 0; i < tags.size(); ++i) result.words.push_back("w" + std::to_string(i));
  result.tags = std::move(tags);
  return result;
}

TagScore score_one(std::vector<std::string> gold, std::vector<std::string> guessed) {
  const std::vector<TaggedSentence> sentences = {sentence(std::move(gold))};
  const std::vector<std::vector<std::string>> guesses = {std::move(guessed)};
  return score_tags(sentences, guesses);
}

// Worked by hand with the rules of conlleval: gold PER 0-2, LOC 3-4, ORG 5-7; found PER 0-2, LOC 3-5, ORG
// 5-7.
TEST(ScoreTags, CountsAsConllevalDoes) {
  const TagScore score = score_one({"B-PER", "I-PER", "O", "B-LOC", "O", "B-ORG", "I-ORG"},
                                   {"I-PER", "I-PER", "O", "B-LOC", "I-LOC", "B-ORG", "I-ORG"});
  EXPECT_EQ(score.entities, (EntityCounts{3, 3, 2}));
  EXPECT_DOUBLE_EQ(score.entities.precision(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(score.entities.recall(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(score.entities.f1(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(score.accuracy(), 5.0 / 7);
  EXPECT_THAT(score.types, ElementsAre(Pair("LOC", EntityCounts{1, 1, 0}), Pair("ORG", EntityCounts{1, 1, 1}),
                                       Pair("PER", EntityCounts{1, 1, 1})));
}

// A change of type within an entity: gold one PER of three words; found PER 0-1, LOC 1-3: none right.
TEST(ScoreTags, AChangeOfTypeMakesTwoEntities) {
  const TagScore score = score_one({"B-PER", "I-PER", "I-PER"}, {"B-PER", "I-LOC", "I-LOC"});
  EXPECT_EQ(score.entities, (EntityCounts{1, 2, 0}));
  EXPECT_EQ(score.entities.f1(), 0);
}

// I without B on both sides, and B against I: the same entity, but not the same tag.
TEST(ScoreTags, InsideWithoutBeginIsTheSameEntity) {
  const TagScore score = score_one({"I-PER", "I-PER", "O", "I-LOC"}, {"B-PER", "I-PER", "O", "I-LOC"});
  EXPECT_EQ(score.entities, (EntityCounts{2, 2, 2}));
  EXPECT_DOUBLE_EQ(score.accuracy(), 0.75);
}

TEST(ScoreTags, UnknownWordsAreCountedApart) {
  const std::vector<TaggedSentence> gold = {sentence({"A", "B", "A"})};
  const std::vector<std::vector<std::string>> guesses = {{"A", "B", "B"}};
  const TagScore score = score_tags(gold, guesses, [](std::string_view word) { return word != "w0"; });
  EXPECT_DOUBLE_EQ(score.accuracy(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(score.unknown_accuracy(), 0.5);
  EXPECT_EQ(score_one({"A"}, {"A"}).unknown_accuracy(), 0);  // there are none
}

TEST(EntityTags, AreToldFromOthers) {
  const auto are_entities = [](std::vector<std::string> tags) {
    const std::vector<TaggedSentence> sentences = {sentence(std::move(tags))};
    return are_entity_tags(sentences);
  };
  EXPECT_TRUE(are_entities({"O", "B-PER", "I-PER"}));
  EXPECT_TRUE(are_entities({"U-LOC", "O"}));
  EXPECT_FALSE(are_entities({"O", "O"}));  // nothing but O may be anything
  EXPECT_FALSE(are_entities({"B-PER", "NOUN"}));
  EXPECT_FALSE(are_entities({}));
}

TEST(ScoreTags, ASplitEntityIsWrong) {
  const TagScore score = score_one({"B-X", "I-X", "I-X"}, {"B-X", "I-X", "B-X"});
  EXPECT_EQ(score.entities, (EntityCounts{1, 2, 0}));
}

TEST(ScoreTags, EntitiesEndWithTheSentence) {
  const std::vector<TaggedSentence> gold = {sentence({"O", "B-X"}), sentence({"I-X", "O"})};
  const std::vector<std::vector<std::string>> guessed = {{"O", "B-X"}, {"I-X", "O"}};
  EXPECT_EQ(score_tags(gold, guessed).entities, (EntityCounts{2, 2, 2}));
}

TEST(ScoreTags, NothingFoundIsZero) {
  const TagScore score = score_one({"B-X", "O"}, {"O", "O"});
  EXPECT_EQ(score.entities.precision(), 0);
  EXPECT_EQ(score.entities.f1(), 0);
}

TEST(ScoreTags, PlainTagsHaveAccuracyOnly) {
  const TagScore score = score_one({"NOUN", "VERB"}, {"NOUN", "NOUN"});
  EXPECT_FALSE(score.has_entities);
  EXPECT_EQ(score.accuracy(), 0.5);
}

TEST(ScoreTags, CountsUnknownWordsApart) {
  const std::vector<TaggedSentence> gold = {sentence({"B-X", "I-X", "O", "B-X"})};
  const std::vector<std::vector<std::string>> guessed = {{"B-X", "I-X", "B-X", "O"}};
  const TagScore score =
      score_tags(gold, guessed, [](std::string_view word) { return word != "w3" && word != "w0"; });
  EXPECT_EQ(score.unknown_words, 2u);
  EXPECT_EQ(score.right_unknown_words, 1u);
  EXPECT_EQ(score.unknown_entities, (EntityCounts{1, 2, 1}));  // w1 is in the first, w2 is the second found
}

TEST(ScoreTags, RefusesOtherSentences) {
  const std::vector<TaggedSentence> gold = {sentence({"O"})};
  const std::vector<std::vector<std::string>> two = {{"O"}, {"O"}};
  const std::vector<std::vector<std::string>> longer = {{"O", "O"}};
  EXPECT_THROW(score_tags(gold, two), UsageError);
  EXPECT_THROW(score_tags(gold, longer), UsageError);
}

TEST(ScoreTaggedFile, ReadsTheLastTwoColumns) {
  const testing::TempFolder folder;
  const std::vector<std::string> files = {folder.write("out", "a x B-P B-P\nb y I-P O\n\nc z O O\n")};
  const TagScore score = score_tagged_file(files, {}, {});
  EXPECT_EQ(score.entities, (EntityCounts{1, 1, 0}));
  EXPECT_EQ(score.words, 3u);
  EXPECT_EQ(score.sentences.size(), 2u);
}

TEST(Bootstrap, HoldsTheScoreAndIsCertainWhenAllSentencesAreAlike) {
  std::vector<TaggedSentence> gold;
  std::vector<std::vector<std::string>> guessed;
  for (int i = 0; i < 50; ++i) {
    gold.push_back(sentence({"B-X", "O"}));
    guessed.push_back(i % 2 == 0 ? std::vector<std::string>{"B-X", "O"} : std::vector<std::string>{"O", "O"});
  }
  const TagScore score = score_tags(gold, guessed);
  const Bootstrap half = bootstrap(score, {});
  EXPECT_LT(half.f1.low, score.entities.f1());
  EXPECT_GT(half.f1.high, score.entities.f1());
  // Recall of 1/2 from 50 sentences: F1 = 2r / (1 + r), so about 0.52 to 0.78 for r = 0.36 to 0.64.
  EXPECT_NEAR(half.f1.low, 0.53, 0.05);
  EXPECT_NEAR(half.f1.high, 0.78, 0.05);
  const Bootstrap same = gain_interval(score, score, {});
  EXPECT_EQ(same.f1.low, 0);
  EXPECT_EQ(same.f1.high, 0);
  EXPECT_THROW(bootstrap(score, {.samples = 0}), UsageError);
  EXPECT_THROW(gain_interval(score, TagScore(), {}), UsageError);
}

}  // namespace
}  // namespace firth

#include "tagger/word_features.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace firth::tagger {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;

Clustering tree() {
  return parse_clustering("000000\tthe\t9\n000001\tcat\t7\n0001\tdog\t6\n001\tran\t5\n01\ton\t5\n1\t.\t4\n",
                          "paths");
}

/// Nobody knows how often these words were seen, nor in which case.
Clustering tree_without_counts() {
  return parse_clustering("00\tthe\t0\n01\tdog\t0\n1\t.\t0\n", "paths");
}

ClassTable table_of(const ClassFeatureOptions& features, std::size_t number = 0) {
  return make_class_table({tree(), features}, number);
}

std::size_t feature_count(const ClassTable& table, std::string_view word) {
  text::UnicodeWords unicode;
  return table.features(table.lexicon.find(word, unicode)).size();
}

WordFeatures features_of(std::string_view word, const std::vector<ClassTable>& tables) {
  WordFeaturizer featurizer(tables);
  WordFeatures features;
  featurizer.make(word, features);
  return features;
}

TEST(ClassTable, APrefixThatIsTheWholeStringCountsOnce) {
  const ClassTable table = table_of({.prefixes = {2, 4, 20}});
  EXPECT_EQ(feature_count(table, "the"), 3u);  // 00, 0000, 000000
  EXPECT_EQ(feature_count(table, "dog"), 2u);  // 00, 0001
  EXPECT_EQ(feature_count(table, "ran"), 2u);  // 00, 001
  EXPECT_EQ(feature_count(table, "on"), 1u);   // 01
  EXPECT_EQ(feature_count(table_of({.prefixes = {20, 4, 2}}), "dog"), 2u);
}

// Class 0 at one cut is not class 0 at another, nor the string 0.
TEST(ClassTable, EveryCutCounts) {
  const ClassTable table = table_of({.prefixes = {1}, .full = false, .cuts = {2, 3, 4}});
  for (const std::string_view word : {"the", "dog", "on", "."}) EXPECT_EQ(feature_count(table, word), 4u);
}

TEST(WordFeaturizer, WordsWithoutAClassShareAFeature) {
  std::vector<ClassTable> tables;
  tables.push_back(make_class_table({tree_without_counts(), {}}, 0));
  const WordFeatures walked = features_of("walked", tables);
  const WordFeatures plain = features_of("walked", {});
  ASSERT_EQ(walked.here.size(), plain.here.size() + 1);
  const Hash none = walked.here.back();
  EXPECT_EQ(features_of("Xx-9", tables).here, [&] {
    std::vector<Hash> expected = features_of("Xx-9", {}).here;
    expected.push_back(none);
    return expected;
  }());
  EXPECT_THAT(walked.near, Contains(none));
  EXPECT_THAT(walked.far, Contains(none));
  EXPECT_THAT(walked.coarse, ElementsAre(0));
  EXPECT_THAT(features_of("dog", tables).here, Not(Contains(none)));
}

TEST(WordFeaturizer, ClusteringsAreKeptApart) {
  std::vector<ClassTable> tables;
  tables.push_back(table_of({}, 0));
  tables.push_back(table_of({}, 1));
  for (const std::string_view word : {"walked", "dog"}) {
    const WordFeatures features = features_of(word, tables);
    for (const Hash hash : features.here) {
      EXPECT_EQ(std::count(features.here.begin(), features.here.end(), hash), 1) << word;
    }
  }
}

TEST(WordFeaturizer, TheLowerCaseFormHasTheClass) {
  std::vector<ClassTable> tables;
  tables.push_back(table_of({}));
  EXPECT_EQ(features_of("Dog", tables).coarse, features_of("dog", tables).coarse);
  EXPECT_THAT(features_of("Dog", tables).coarse, Each(Not(0u)));
}

TEST(WordFeaturizer, CountsTellTheUsualCase) {
  std::vector<ClassTable> with;
  with.push_back(table_of({}));
  std::vector<ClassTable> without;
  without.push_back(make_class_table({tree_without_counts(), {}}, 0));
  const auto more = [&](std::string_view word) {
    return features_of(word, with).here.size() - features_of(word, without).here.size();
  };
  EXPECT_EQ(more("walked"), 3u);  // the case, the same with the shape, the frequency
  EXPECT_NE(features_of("Dog", with).here, features_of("dog", with).here);
}

TEST(WordFeaturizer, BeginningsAndEndingsAreInLowerCase) {
  const WordFeatures large = features_of("RUNNING", {});
  const WordFeatures small = features_of("running", {});
  const auto shared = std::count_if(large.here.begin(), large.here.end(), [&](Hash hash) {
    return std::find(small.here.begin(), small.here.end(), hash) != small.here.end();
  });
  EXPECT_EQ(shared, 10);  // always, the lower-case form, four beginnings and four endings
}

/// Features of the second of three words together with its neighbours.
std::vector<Hash> joint_features(const std::array<std::string_view, 3>& words,
                                 const std::vector<ClassTable>& tables, bool is_plain) {
  std::array<WordFeatures, 3> made;
  std::array<WordView, kOffsets> window;
  for (std::size_t i = 0; i < words.size(); ++i) {
    made[i] = features_of(words[i], tables);
    window[kWindow - 1 + i] = {made[i].atoms, made[i].coarse.data(), true};
  }
  std::vector<Hash> hashes;
  add_joint_features({window, SentenceCase::usual, tables.size(), is_plain}, hashes);
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

std::size_t changed(const std::vector<Hash>& before, const std::vector<Hash>& after) {
  std::vector<Hash> gone;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(gone));
  return gone.size();
}

TEST(JointFeatures, PlainTagsAlsoLookAtTheEndingAndTheClassBeside) {
  std::vector<ClassTable> tables;
  tables.push_back(table_of({.prefixes = {2, 4}}));
  const auto more = [&](const std::array<std::string_view, 3>& words) {
    const std::vector<Hash> entities = joint_features(words, tables, false);
    const std::vector<Hash> plain = joint_features(words, tables, true);
    EXPECT_TRUE(std::includes(plain.begin(), plain.end(), entities.begin(), entities.end()));
    std::vector<Hash> added;
    std::set_difference(plain.begin(), plain.end(), entities.begin(), entities.end(),
                        std::back_inserter(added));
    return added;
  };
  const std::vector<Hash> usual = more({"walking", "the", "reading"});
  EXPECT_EQ(usual.size(), 4u);  // the ending and the class, before and after
  EXPECT_EQ(changed(usual, more({"talking", "the", "reading"})), 0u) << "the same ending, no class";
  EXPECT_EQ(changed(usual, more({"walked", "the", "reading"})), 1u) << "another ending before";
  EXPECT_EQ(changed(usual, more({"walking", "the", "readers"})), 1u) << "another ending after";
  const std::vector<Hash> dog = more({"walking", "the", "dog"});
  EXPECT_EQ(changed(more({"walking", "the", "xdog"}), dog), 1u) << "the same ending, another class";
  EXPECT_EQ(changed(usual, more({"walking", "dog", "reading"})), 4u) << "another word";
}

TEST(SentenceCase, SaysWhatCapitalsAreWorth) {
  EXPECT_EQ(sentence_case(4, 1, 4), SentenceCase::usual);
  EXPECT_EQ(sentence_case(4, 2, 4), SentenceCase::usual);
  EXPECT_EQ(sentence_case(4, 3, 3), SentenceCase::mostly_capitals);
  EXPECT_EQ(sentence_case(4, 4, 0), SentenceCase::no_small_letters);
}

}  // namespace
}  // namespace firth::tagger

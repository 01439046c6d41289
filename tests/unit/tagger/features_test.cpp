#include "firth/features.hpp"

#include <gmock/gmock.h>

#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

Clustering tree() {
  return parse_clustering(
      "000\tthe\t9\n000\ta\t8\n001\tcat\t7\n001\tdog\t6\n01\tran\t5\n01\twalking\t5\n1\t.\t4\n", "paths");
}

std::string features(std::string_view text, const FeatureFileOptions& options,
                     const Clustering& classes = tree()) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write("in", text)};
  std::string out;
  write_features(classes, files, options, [&](std::string_view piece) { out += piece; });
  return out;
}

FeatureFileOptions with(FeatureFormat format, int window = 0) {
  FeatureFileOptions options;
  options.format = format;
  options.window = window;
  options.features.prefixes = {1, 2};
  options.features.unknown = UnknownWordClass::none;
  return options;
}

TEST(ClassFeatures, GivesTheFeaturesOfATokenList) {
  ClassFeatures features(tree(), {.prefixes = {2}, .unknown = UnknownWordClass::lowercase}, 1);
  EXPECT_THAT(features.names(),
              ::testing::ElementsAre("p2[-1]", "bits[-1]", "p2[0]", "bits[0]", "p2[1]", "bits[1]"));
  const std::vector<std::string_view> words = {"The", "unicorn", "ran"};
  const auto found = features.of(words);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_THAT(found[0], ::testing::ElementsAre(ClassFeature{"p2[0]", "00"}, ClassFeature{"bits[0]", "000"}));
  EXPECT_THAT(found[1], ::testing::ElementsAre(ClassFeature{"p2[-1]", "00"}, ClassFeature{"bits[-1]", "000"},
                                               ClassFeature{"p2[1]", "01"}, ClassFeature{"bits[1]", "01"}));
  EXPECT_EQ(features.all_of(words)[2].size(), 6u);
  EXPECT_EQ(features.class_of("unicorn"), kNoClass);
  EXPECT_EQ(features.class_of("THE"), tree().class_of(0));
  EXPECT_TRUE(features.of({}).empty());
}

TEST(ClassFeatures, RefusesWhatMakesNoSense) {
  EXPECT_THROW(ClassFeatures(tree(), {}, 6), UsageError);
  EXPECT_THROW(ClassFeatures(tree(), {.prefixes = {0}}), UsageError);
  EXPECT_THROW(ClassFeatures(tree(), {.cuts = {99}}), UsageError);
}

TEST(WriteFeatures, Crfsuite) {
  EXPECT_EQ(features("the cat\n", with(FeatureFormat::crfsuite)),
            "O\tp1[0]=0\tp2[0]=00\tbits[0]=000\nO\tp1[0]=0\tp2[0]=00\tbits[0]=001\n\n");
  FeatureFileOptions options = with(FeatureFormat::crfsuite);
  options.tokens.tag_column = -1;
  options.words = true;
  EXPECT_EQ(features("a:b\tB-X\n.\tO\n", options),
            "B-X\tw[0]=a\\:b\nO\tw[0]=.\tp1[0]=1\tp2[0]=1\tbits[0]=1\n\n");
}

TEST(WriteFeatures, CrfppHasAColumnForEveryFeatureAndTheTagLast) {
  EXPECT_EQ(features("the\tDT\tO\nxyz\tNN\tB-X\n", with(FeatureFormat::crfpp)),
            "the\tDT\t0\t00\t000\tO\nxyz\tNN\t_\t_\t_\tB-X\n\n");
  FeatureFileOptions options = with(FeatureFormat::crfpp);
  options.tokens.tag_column = 2;
  EXPECT_EQ(features("the\tDT\tO\n", options), "the\tO\t0\t00\t000\tDT\n\n");
  options = with(FeatureFormat::crfpp);
  options.tags = false;
  EXPECT_EQ(features("the\tO\n", options), "the\tO\t0\t00\t000\n\n");
}

TEST(WriteFeatures, TakesTheTagsOfTheFile) {
  FeatureFileOptions options = with(FeatureFormat::crfsuite);
  options.features.prefixes = {1};
  options.features.full = false;
  options.tokens.format = TokenFormat::columns;  // two lines alone could be text
  EXPECT_EQ(features("the DT O\ncat NN B-X\n", options), "O\tp1[0]=0\nB-X\tp1[0]=0\n\n");
  EXPECT_EQ(features("  the O\n  cat B-X\n", options), "O\tp1[0]=0\nB-X\tp1[0]=0\n\n");
  options.tokens.format = TokenFormat::automatic;
  EXPECT_EQ(features("1\tthe\t_\tDET\t_\t_\t_\t_\t_\t_\n", options), "DET\tp1[0]=0\n\n");
  options.tags = false;
  options.tokens.format = TokenFormat::columns;
  EXPECT_EQ(features("the DT O\ncat NN B-X\n", options), "O\tp1[0]=0\nO\tp1[0]=0\n\n");
  options = with(FeatureFormat::jsonl);
  options.features.prefixes = {};
  EXPECT_EQ(features("the\tO\n", options),
            "{\"words\":[\"the\"],\"tags\":[\"O\"],\"features\":[{\"bits[0]\":\"000\"}]}\n");
}

TEST(WriteFeatures, WindowHasTheClassesOfNeighbours) {
  FeatureFileOptions options = with(FeatureFormat::crfpp, 1);
  options.features.prefixes = {2};
  options.features.full = false;
  EXPECT_EQ(features("the ran .\n", options), "the\t_\t00\t01\nran\t00\t01\t1\n.\t01\t1\t_\n\n");
}

TEST(WriteFeatures, ConlluKeepsItsLines) {
  EXPECT_EQ(
      features("# c\n1\tthe\t_\t_\t_\t_\t_\t_\t_\tA=b\n2\txyz\t_\t_\t_\t_\t_\t_\t_\t_\n",
               with(FeatureFormat::conllu)),
      "# "
      "c\n1\tthe\t_\t_\t_\t_\t_\t_\t_\tA=b|p1[0]=0|p2[0]=00|bits[0]=000\n2\txyz\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  EXPECT_EQ(features("the\n", with(FeatureFormat::conllu)),
            "1\tthe\t_\t_\t_\t_\t_\t_\t_\tp1[0]=0|p2[0]=00|bits[0]=000\n\n");
  EXPECT_EQ(features("the\tB-X\n", with(FeatureFormat::conllu)),
            "1\tthe\t_\t_\tB-X\t_\t_\t_\t_\tp1[0]=0|p2[0]=00|bits[0]=000\n\n");
}

TEST(WriteFeatures, JsonLines) {
  FeatureFileOptions options = with(FeatureFormat::jsonl);
  options.features.prefixes = {};
  EXPECT_EQ(features("the \"x\"\n", options),
            "{\"words\":[\"the\",\"\\\"x\\\"\"],\"features\":[{\"bits[0]\":\"000\"},{}]}\n");
}

TEST(WriteFeatures, CutsRollUp) {
  FeatureFileOptions options = with(FeatureFormat::crfpp);
  options.features.prefixes = {};
  options.features.full = false;
  options.features.cuts = {2, 3};
  // Two classes: all words against the full stop; three: {the a cat dog}, {ran walking}, {.}.
  EXPECT_EQ(features("the cat ran .\n", options), "the\t0\t0\ncat\t0\t0\nran\t0\t1\n.\t1\t2\n\n");
  options.features.cuts = {9};
  EXPECT_THROW(features("the\n", options), UsageError);
}

TEST(WriteFeatures, UnknownWordsGoByLowerCaseThenSpelling) {
  FeatureFileOptions options = with(FeatureFormat::crfpp);
  options.features.prefixes = {};
  options.features.unknown = UnknownWordClass::lowercase;
  EXPECT_EQ(features("The talking\n", options), "The\t000\ntalking\t_\n\n");
  options.features.unknown = UnknownWordClass::spelling;
  EXPECT_EQ(features("The talking\n", options), "The\t000\ntalking\t01\n\n");
}

TEST(WriteFeatures, FlatClassesHaveNumbers) {
  const Clustering flat = parse_clustering("the\t5\na\t5\ncat\t7\n", "classes");
  EXPECT_EQ(features("the cat\n", with(FeatureFormat::crfsuite), flat), "O\tclass[0]=0\nO\tclass[0]=1\n\n");
  FeatureFileOptions options = with(FeatureFormat::crfsuite);
  options.features.full = false;
  EXPECT_THROW(features("the\n", options, flat), UsageError);
  options = with(FeatureFormat::crfsuite, 6);
  EXPECT_THROW(features("the\n", options), UsageError);
}

}  // namespace
}  // namespace firth

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "firth/clustering.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHead = R"({"format": "firth-clustering", "version": 1, )";

std::string refusal(const std::string& text) {
  try {
    parse_clustering(text, "file", ClusterFormat::json);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string with_tree(const std::string& tree) {
  return std::string(kHead) +
         R"("classes": [{"words": [{"word": "a", "count": 3}]}, {"words": [{"word": "b"}]},
    {"words": [{"word": "c"}]}], )" +
         tree + "}";
}

TEST(JsonFormat, IsValidJsonOfTheDocumentedShape) {
  const Clustering clustering = parse_clustering("00\tsay \"x\"\t3\n01\tb\t2\n1\tc\t1\n", "file");
  const auto json = nlohmann::json::parse(format_clustering(clustering, ClusterFormat::json));
  EXPECT_EQ(json["format"], "firth-clustering");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["leaves"], "classes");
  EXPECT_EQ(json["classes"][0]["words"][0]["word"], "say \"x\"");
  EXPECT_EQ(json["classes"][0]["words"][0]["count"], 3);
  EXPECT_EQ(json["tree"]["step"], 1);
  EXPECT_EQ(json["tree"]["children"][0]["children"][1]["class"], 1);
  EXPECT_EQ(json["tree"]["children"][1]["class"], 2);
}

TEST(JsonFormat, KeepsForestsAndFlatClasses) {
  const Vocabulary words = Vocabulary::from_words({{"a", 5}, {"b", 4}, {"c", 3}, {"d", 2}});
  const std::vector<ClassId> classes = {0, 1, 2, 3};
  const Clustering forest(words, classes, MergeTree{TreeLeaves::words, 4, {{2, 3, 0.5}}});
  EXPECT_EQ(parse_clustering(format_clustering(forest, ClusterFormat::json), "file"), forest);
  const Clustering bare(words, classes, MergeTree{TreeLeaves::classes, 4, {}});
  EXPECT_EQ(parse_clustering(format_clustering(bare, ClusterFormat::json), "file"), bare);
  const Clustering flat(words, classes);
  EXPECT_EQ(parse_clustering(format_clustering(flat, ClusterFormat::json), "file"), flat);
}

TEST(JsonFormat, StepsMayBeMissing) {
  const Clustering clustering = parse_clustering(
      with_tree(
          R"("leaves": "classes", "tree": {"children": [{"class": 0}, {"children": [{"class": 2}, {"class": 1}]}]})"),
      "file");
  EXPECT_EQ(clustering.tree()->merges.size(), 2u);
  EXPECT_EQ(clustering.cut(2).class_of(1), clustering.cut(2).class_of(2));
}

TEST(JsonFormat, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("{\n\"format\": \n oops"), HasSubstr("file:3: this is not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("'format' is not"));
  EXPECT_THAT(refusal(R"({"format": "firth-clustering", "version": 2})"), HasSubstr("'version' is not 1"));
  EXPECT_THAT(refusal(std::string(kHead) + R"("classes": 3})"), HasSubstr("no list 'classes'"));
  EXPECT_THAT(refusal(std::string(kHead) + R"("classes": []})"), HasSubstr("no word"));
  EXPECT_THAT(refusal(std::string(kHead) + R"("classes": [{"words": [3]}]})"), HasSubstr("has no 'word'"));
  EXPECT_THAT(refusal(std::string(kHead) + R"("classes": [{"class": 1, "words": []}]})"),
              HasSubstr("numbered"));
  EXPECT_THAT(refusal(std::string(kHead) + R"("classes": [{"words": [{"word": "a", "count": -1}]}]})"),
              HasSubstr("not a whole number"));
  EXPECT_THAT(refusal(std::string(kHead) + R"("classes": [{"words": [{"word": "a", "count": 1e999}]}]})"),
              HasSubstr("too large"));
  EXPECT_THAT(refusal(std::string(kHead) + R"("classes": [{"words": [{"word": "a"}, {"word": "a"}]}]})"),
              HasSubstr("'a' comes twice"));
}

TEST(JsonFormat, SaysWhatIsWrongWithATree) {
  EXPECT_THAT(refusal(with_tree(R"("tree": {"class": 0})")), HasSubstr("'leaves' of the tree"));
  const std::string leaves = R"("leaves": "classes", )";
  EXPECT_THAT(refusal(with_tree(leaves + R"("tree": {"children": [{"class": 0}]})")),
              HasSubstr("two children"));
  EXPECT_THAT(refusal(with_tree(leaves + R"("tree": {"children": [{"class": 0}, {"class": 0}]})")),
              HasSubstr("comes twice"));
  EXPECT_THAT(refusal(with_tree(leaves + R"("tree": {"children": [{"class": 0}, {"class": 3}]})")),
              HasSubstr("not among the classes"));
  EXPECT_THAT(refusal(with_tree(leaves + R"("tree": {"step": 1, "children": [{"class": 0}, {"class": 1}]})")),
              HasSubstr("steps of the tree"));
  EXPECT_THAT(refusal(with_tree(leaves + R"("tree": {"step": 0, "children":
      [{"class": 0}, {"step": 1, "children": [{"class": 1}, {"class": 2}]}]})")),
              HasSubstr("not made yet"));
  EXPECT_THAT(refusal(with_tree(leaves + R"("forest": 3)")), HasSubstr("list of trees"));
  EXPECT_THAT(refusal(with_tree(R"("leaves": "words", "tree": {"class": 0})")), HasSubstr("has no 'word'"));
}

TEST(JsonFormat, DeepTreesDoNotNeedADeepStack) {
  constexpr std::uint32_t kWords = 100'000;
  std::vector<std::pair<std::string, Count>> words;
  for (std::uint32_t i = 0; i < kWords; ++i) words.emplace_back(std::to_string(i), kWords - i);
  MergeTree tree{TreeLeaves::words, kWords, {}};
  for (std::uint32_t i = 0; i + 1 < kWords; ++i) {
    tree.merges.push_back({i == 0 ? kWords - 1 : kWords + i - 1, kWords - 2 - i, 0.25});
  }
  const Clustering chain(Vocabulary::from_words(words), std::vector<ClassId>(kWords, 0), tree);
  EXPECT_EQ(parse_clustering(format_clustering(chain, ClusterFormat::json), "file"), chain);
  std::string nested(1'000'000, '[');
  EXPECT_THAT(refusal(nested), HasSubstr("not JSON"));
}

}  // namespace
}  // namespace firth

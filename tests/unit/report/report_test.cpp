#include "firth/report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cluster/io/page_archive.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Vocabulary vocabulary(std::vector<std::pair<std::string, Count>> words) {
  return Vocabulary::from_words(std::move(words));
}

Clustering four_classes() {
  const Vocabulary words =
      vocabulary({{"the", 9}, {"ran", 6}, {"cat", 5}, {"a", 4}, {"dog", 3}, {"bird", 2}});
  const std::vector<ClassId> classes = {0, 1, 2, 0, 2, 3};
  return {words, classes, MergeTree{TreeLeaves::classes, 4, {{2, 3, 0.5}, {0, 4, 0.25}, {5, 1, kUnknown}}}};
}

Clustering over_words() {
  const Vocabulary words = vocabulary({{"the", 9}, {"ran", 6}, {"cat", 5}, {"a", 4}, {"dog", 3}});
  const MergeTree tree{TreeLeaves::words, 5, {{2, 4, 0.75}, {0, 3, 0.7}, {6, 5, 0.3}, {7, 1, 0}}};
  return {words, std::vector<ClassId>{0, 1, 2, 0, 2}, tree};
}

Clustering flat() {
  return {four_classes().vocabulary(), four_classes().classes()};
}

Clustering again(const std::string& page) {
  return parse_clustering(page, "page.html");
}

TEST(Report, IsAnArchiveOfItsClustering) {
  for (const Clustering& clustering : {four_classes(), over_words(), flat()})
    EXPECT_EQ(again(build_report(clustering, {})), clustering);
}

TEST(Report, KeepsTreesThatDoNotReachTheRoot) {
  const Vocabulary words = vocabulary({{"a", 4}, {"b", 3}, {"c", 2}, {"d", 1}});
  const Clustering forest(words, std::vector<ClassId>{0, 1, 2, 3},
                          MergeTree{TreeLeaves::classes, 4, {{1, 3, 0.5}}});
  EXPECT_EQ(again(build_report(forest, {})), forest);
  const Clustering words_only(words, std::vector<ClassId>{0, 1, 2, 1},
                              MergeTree{TreeLeaves::words, 4, {{1, 3, 0.5}, {0, 2, 0.25}}});
  EXPECT_EQ(again(build_report(words_only, {})), words_only);
}

TEST(Report, OneClassOneWordAndNoWordAtAll) {
  const Clustering one(vocabulary({{"word", 3}}), std::vector<ClassId>{0},
                       MergeTree{TreeLeaves::classes, 1, {}});
  EXPECT_EQ(again(build_report(one, {})), one);
  EXPECT_EQ(again(build_report(Clustering(), {})), Clustering());
}

TEST(Report, KeepsAnyWord) {
  const std::string arabic = "\xD8\xA8\xD9\x8A\xD8\xAA";
  std::vector<std::pair<std::string, Count>> words = {{"<script>alert(1)</script>", 0},
                                                      {"</script>", 0},
                                                      {"{{data}}", 0},
                                                      {std::string(10'000, 'x'), 0},
                                                      {"a\nb", 0},
                                                      {"a\\nb", 0},
                                                      {"back\\slash\\", 0},
                                                      {std::string("nul\0byte", 8), 0},
                                                      {"\x01\x1b[31m\x7f", 0},
                                                      {"broken\xff\xfe\xe9", 0},
                                                      {"\xEF\xBB\xBF", 0},
                                                      {"tab\tand return\r", 0},
                                                      {arabic, 0},
                                                      {"\\x41", 0},
                                                      {"A", 0}};
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i].second = std::numeric_limits<Count>::max() / 32 >> i * 3;
  std::vector<ClassId> classes(words.size());
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<ClassId>(i % 4);
  const Clustering clustering(vocabulary(words), classes,
                              MergeTree{TreeLeaves::classes, 4, {{0, 2, 1}, {1, 3, 0.5}, {4, 5, 0}}});
  const std::string page = build_report(clustering, {.title = "<b>\"&</b>"});
  EXPECT_EQ(again(page), clustering);
  EXPECT_THAT(page, HasSubstr("<title>&lt;b&gt;&quot;&amp;&lt;/b&gt;</title>"));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(page, HasSubstr(arabic));
  for (const char byte : page) EXPECT_TRUE(byte == '\n' || static_cast<unsigned char>(byte) >= 32);
}

TEST(Report, HoldsTwoScriptElementsAndAsksForNothing) {
  const std::string page = build_report(four_classes(), {});
  std::size_t scripts = 0;
  for (std::size_t place = page.find("<script"); place != std::string::npos;
       place = page.find("<script", place + 1))
    ++scripts;
  EXPECT_EQ(scripts, 2u);
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-inline")));
  for (const char* wanted : {" src=", "href=\"http", "@import", "url(http"})
    EXPECT_THAT(page, Not(HasSubstr(wanted)));
}

TEST(Report, SameBytesForTheSameInput) {
  const testing::TempFolder folder;
  const std::vector<std::string> texts = {folder.write("text", "the cat ran\na dog ran\nthe bird ran\n")};
  const Counts counts = count_text(texts, {}, {});
  const ReportContents contents = {.counts = &counts, .lines = concordance(four_classes(), texts, {}, {})};
  const std::string page = build_report(four_classes(), contents, {.threads = 1});
  EXPECT_EQ(page, build_report(four_classes(), contents, {.threads = 2}));
  EXPECT_EQ(again(page), four_classes());
}

TEST(Report, KeepsTheMostFrequentWordsAndOneOfEachClass) {
  for (const Clustering& clustering : {four_classes(), over_words()}) {
    const Clustering kept = again(build_report(clustering, {.max_words = 2}));
    EXPECT_EQ(kept.class_count(), clustering.class_count());
    EXPECT_EQ(kept.word_count(), clustering.class_count());
    // Fewer tokens may renumber the classes; every word keeps its bits.
    const WordIndex index(clustering.vocabulary());
    for (WordId word = 0; word < kept.word_count(); ++word) {
      const WordId before = *index.find(kept.vocabulary().word(word));
      EXPECT_EQ(kept.bit_strings()[kept.class_of(word)],
                clustering.bit_strings()[clustering.class_of(before)]);
    }
  }
  EXPECT_EQ(again(build_report(four_classes(), {.max_words = 0})), four_classes());
}

TEST(Report, RefusesARunThatIsNotJson) {
  EXPECT_THROW(build_report(four_classes(), {.run_json = "{"}), UsageError);
}

TEST(Report, SaysWhichPartOfAPageIsDamaged) {
  const std::string page = build_report(four_classes(), {});
  const std::string begin(clusters::kPageDataBegin);
  const std::size_t data = page.find(begin) + begin.size();
  for (const std::string& damage : {std::string("!"), std::string("AAAA"), std::string("H4sJ")}) {
    std::string damaged = page;
    damaged.replace(data, damage.size(), damage);
    EXPECT_THROW(again(damaged), InputError) << damage;
  }
  EXPECT_THROW(again(page.substr(0, data + 40)), InputError);
}

TEST(PageArchive, RefusesDataThatGrowsWithoutEnd) {
  const std::vector<clusters::PageSection> bomb = {{"HEAD", std::string(std::size_t{80} << 20, '\0')}};
  std::string page(clusters::kPageDataBegin);
  page += clusters::encode_sections(bomb);
  page += clusters::kPageDataEnd;
  EXPECT_LT(page.size(), 200'000U);
  EXPECT_THROW(clusters::read_page_sections(page, "page"), InputError);
}

TEST(PageArchive, RefusesSectionsThatDoNotFit) {
  const Clustering clustering = over_words();
  const auto sections = clusters::pack_clustering(clustering, clusters::page_order(clustering));
  EXPECT_EQ(clusters::unpack_clustering(sections, "page"), clustering);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    auto damaged = sections;
    damaged[i].name = "GONE";
    if (sections[i].name != "SIZE") {
      EXPECT_THROW(clusters::unpack_clustering(damaged, "page"), InputError) << sections[i].name;
    }
    damaged = sections;
    if (damaged[i].bytes.empty() || sections[i].name == "SIZE") continue;
    damaged[i].bytes.pop_back();
    EXPECT_THROW(clusters::unpack_clustering(damaged, "page"), InputError) << sections[i].name;
  }
}

TEST(PageArchive, RoundsAmiOfManyMergesOnly) {
  constexpr std::uint32_t kWords = 30'000;
  std::vector<std::pair<std::string, Count>> words;
  MergeTree tree{TreeLeaves::words, kWords, {}};
  for (std::uint32_t i = 0; i < kWords; ++i) {
    words.emplace_back(fmt::format("w{:05}", i), kWords - i);
    if (i == 0) continue;
    tree.merges.push_back({i == 1 ? 0 : kWords + i - 2, i, i == 7 ? kUnknown : 5.0 / i});
  }
  const std::vector<ClassId> one(kWords);
  const Clustering clustering(vocabulary(words), one, tree);
  const Clustering read = again(build_report(clustering, {}));
  EXPECT_EQ(read.vocabulary().bytes(), clustering.vocabulary().bytes());
  const auto& found = read.tree()->merges;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].left, tree.merges[i].left);
    EXPECT_EQ(found[i].right, tree.merges[i].right);
    const double expected = tree.merges[i].ami_bits;
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found[i].ami_bits));
    } else {
      EXPECT_NEAR(found[i].ami_bits, expected, i + 20'000 < found.size() ? expected * 1e-4 : 0);
    }
  }
}

TEST(Concordance, TakesTheFirstPlaceWithEnoughCompany) {
  const testing::TempFolder folder;
  const std::vector<std::string> texts = {folder.write(
      "text", "the cat ran\nnow then a the cat ran off again\nhere comes the cat again and again\n")};
  const auto lines = concordance(four_classes(), texts, {}, {.words_per_class = 1, .width = 2});
  ASSERT_EQ(lines.size(), 3u);  // the text has no bird
  EXPECT_EQ(lines[0].word, 0u);
  EXPECT_EQ(lines[0].before, "then a");
  EXPECT_EQ(lines[0].after, "cat ran");
  EXPECT_EQ(lines[2].before, "a the");
  EXPECT_EQ(lines[2].after, "ran off");
}

}  // namespace
}  // namespace firth

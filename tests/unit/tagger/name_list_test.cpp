#include "tagger/name_list.hpp"

#include <gmock/gmock.h>

#include "firth/error.hpp"
#include "firth/tag_scores.hpp"
#include "firth/tagger.hpp"
#include "support/temp_folder.hpp"
#include "tagger/word_features.hpp"

namespace firth::tagger {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

std::vector<NameMark> marks_of(const std::vector<std::string>& names, const std::vector<std::string>& words) {
  text::UnicodeWords unicode;
  NameTable table;
  for (const std::string& name : names) table.add(name, unicode);
  std::vector<Hash> lower;
  for (const std::string& word : words) lower.push_back(lower_hash(unicode.lower(word)));
  std::vector<NameMark> marks;
  mark_names(table, lower, marks);
  return marks;
}

TEST(NameTable, TheLongestNameCounts) {
  const std::vector<std::string> names = {"New York", "York", "new  york city", "Rome", " "};
  constexpr NameMark kNone = NameMark::none;
  EXPECT_THAT(marks_of(names, {"in", "NEW", "York"}), ElementsAre(kNone, NameMark::first, NameMark::last));
  EXPECT_THAT(marks_of(names, {"New", "York", "City", "rome"}),
              ElementsAre(NameMark::first, NameMark::middle, NameMark::last, NameMark::whole));
  EXPECT_THAT(marks_of(names, {"york", "new"}), ElementsAre(NameMark::whole, kNone));
  EXPECT_THAT(marks_of(names, {"New", "Jersey", "York"}), ElementsAre(kNone, kNone, NameMark::whole));
  EXPECT_THAT(marks_of({}, {"a"}), ElementsAre(kNone));
  EXPECT_THAT(marks_of(names, {}), SizeIs(0));
}

TEST(NameTable, WordsAndTheirNeighboursHaveFeatures) {
  const std::vector<std::vector<NameMark>> marks = {{NameMark::none, NameMark::whole, NameMark::none},
                                                    {NameMark::none, NameMark::none, NameMark::none}};
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<Hash> hashes;
    add_name_features(marks, i, hashes);
    counts.push_back(hashes.size());
  }
  EXPECT_THAT(counts, ElementsAre(1, 1, 1));
}

TEST(NameList, TeachesTheTagger) {
  const testing::TempFolder folder;
  const std::vector<std::string> files = {
      folder.write("train", "x O\nann B-P\n\nx O\ncar O\n\nx O\nbob B-P\n\nx O\nbox O\n\n")};
  const auto sentences = read_tagged(files, {}, {});
  TaggerKnowledge knowledge;
  knowledge.names.push_back(load_names(folder.write("names", "Ann\n\nBob\nzed\n")));
  const Tagger tagger = train_tagger(sentences, {}, knowledge);
  EXPECT_EQ(tagger.name_lists(), 1u);
  const Tagger loaded = Tagger::from_bytes(tagger.to_bytes());
  for (const Tagger& one : {tagger, loaded}) {
    std::vector<std::string> tags;
    TagSession session(one, {});
    const std::vector<std::string_view> words = {"x", "zed"};
    session.tag_names(words, TagScheme::bio, tags);
    EXPECT_THAT(tags, ElementsAre("O", "B-P"));
  }
  EXPECT_THROW((void)load_names(folder.write("empty", "\n\n")), InputError);
}

}  // namespace
}  // namespace firth::tagger

#include "tagger/tag_scheme.hpp"

#include <gmock/gmock.h>

namespace firth::tagger {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<TagSpan> spans(const std::vector<std::string>& tags) {
  return entity_spans(tags);
}

TEST(EntitySpans, BeginAndGoOn) {
  EXPECT_THAT(spans({"O", "B-PER", "I-PER", "O", "B-LOC"}),
              ElementsAre(TagSpan{1, 3, "PER"}, TagSpan{4, 5, "LOC"}));
  EXPECT_THAT(spans({"B-PER", "B-PER"}), ElementsAre(TagSpan{0, 1, "PER"}, TagSpan{1, 2, "PER"}));
  EXPECT_THAT(spans({}), IsEmpty());
  EXPECT_THAT(spans({"O", "O"}), IsEmpty());
}

TEST(EntitySpans, InsideWithoutBeginStartsAnEntity) {
  EXPECT_THAT(spans({"I-PER", "I-PER", "O", "I-PER"}),
              ElementsAre(TagSpan{0, 2, "PER"}, TagSpan{3, 4, "PER"}));
}

TEST(EntitySpans, AnotherTypeStartsAnEntity) {
  EXPECT_THAT(spans({"B-PER", "I-LOC", "I-LOC"}), ElementsAre(TagSpan{0, 1, "PER"}, TagSpan{1, 3, "LOC"}));
  EXPECT_THAT(spans({"I-PER", "I-LOC", "B-LOC"}),
              ElementsAre(TagSpan{0, 1, "PER"}, TagSpan{1, 2, "LOC"}, TagSpan{2, 3, "LOC"}));
}

TEST(EntitySpans, LastAndUnitEndAnEntity) {
  EXPECT_THAT(spans({"B-X", "L-X", "I-X", "U-X", "I-X"}),
              ElementsAre(TagSpan{0, 2, "X"}, TagSpan{2, 3, "X"}, TagSpan{3, 4, "X"}, TagSpan{4, 5, "X"}));
  EXPECT_THAT(spans({"B-X", "I-X", "E-X", "S-X"}), ElementsAre(TagSpan{0, 3, "X"}, TagSpan{3, 4, "X"}));
  EXPECT_THAT(spans({"L-X", "L-X"}), ElementsAre(TagSpan{0, 1, "X"}, TagSpan{1, 2, "X"}));
}

TEST(EntitySpans, TypesMayHaveHyphens) {
  EXPECT_THAT(spans({"B-creative-work", "I-creative-work"}), ElementsAre(TagSpan{0, 2, "creative-work"}));
}

TEST(SplitTag, RefusesWhatIsNoEntityTag) {
  for (const char* tag : {"NOUN", "B", "B-", "BPER", "X-PER", "", "b-PER", "o"})
    EXPECT_FALSE(split_tag(tag)) << tag;
  EXPECT_EQ(split_tag("O")->mark, Mark::outside);
}

std::vector<std::string> recoded(const std::vector<std::string>& tags, TagScheme to) {
  std::vector<TagParts> parts;
  for (const std::string& tag : tags) parts.push_back(*split_tag(tag));
  std::vector<std::string> names;
  recode_tags(parts, to, names);
  return names;
}

TEST(RecodeTags, FromAnySchemeToAny) {
  const std::vector<std::string> io = {"I-A", "I-A", "I-B", "O", "I-B"};
  EXPECT_THAT(recoded(io, TagScheme::bio), ElementsAre("B-A", "I-A", "B-B", "O", "B-B"));
  EXPECT_THAT(recoded(io, TagScheme::bilou), ElementsAre("B-A", "L-A", "U-B", "O", "U-B"));
  EXPECT_THAT(recoded(recoded(io, TagScheme::bilou), TagScheme::io),
              ElementsAre("I-A", "I-A", "I-B", "O", "I-B"));
}

TEST(TagSet, KnowsWhatMayFollow) {
  const TagSet bilou(TagScheme::bilou, {"LOC", "PER"});
  ASSERT_EQ(bilou.size(), 9u);
  const auto follows = [&](const char* a, const char* b) {
    return bilou.may_follow(*bilou.find(a), *bilou.find(b));
  };
  EXPECT_TRUE(follows("O", "B-PER"));
  EXPECT_FALSE(follows("O", "I-PER"));
  EXPECT_TRUE(follows("B-PER", "L-PER"));
  EXPECT_FALSE(follows("B-PER", "L-LOC"));
  EXPECT_FALSE(follows("B-PER", "O"));
  EXPECT_TRUE(follows("U-PER", "U-LOC"));
  EXPECT_FALSE(bilou.may_follow(bilou.size(), *bilou.find("I-LOC")));
  EXPECT_TRUE(bilou.may_follow(bilou.size(), *bilou.find("U-LOC")));
  EXPECT_FALSE(bilou.may_end(*bilou.find("B-PER")));
  EXPECT_TRUE(bilou.may_end(*bilou.find("L-PER")));
  const TagSet bio(TagScheme::bio, {"PER"});
  EXPECT_TRUE(bio.may_end(*bio.find("B-PER")));
  EXPECT_TRUE(bio.may_follow(*bio.find("B-PER"), *bio.find("O")));
  EXPECT_FALSE(bio.may_follow(*bio.find("O"), *bio.find("I-PER")));
}

}  // namespace
}  // namespace firth::tagger

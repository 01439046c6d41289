#include "tagger/case_counts.hpp"

#include <gmock/gmock.h>

namespace firth::tagger {
namespace {

using ::testing::IsEmpty;

CaseCounts counts() {
  const Vocabulary words = Vocabulary::from_words(
      {{"the", 1000}, {"The", 100}, {"Rome", 64}, {"will", 50}, {"Will", 50}, {"THE", 1}});
  return CaseCounts(words, levels_of(words));
}

TEST(CaseCounts, LevelsAreFourToADoubling) {
  EXPECT_EQ(level_of(0), 0);
  EXPECT_EQ(level_of(1), 4);
  EXPECT_EQ(level_of(3), 8);
  EXPECT_EQ(level_of(1023), 40);
  for (Count count = 0; count < 5000; ++count) EXPECT_LE(level_of(count), level_of(count + 1));
  EXPECT_GT(level_of(static_cast<Count>(-1)), 250);
}

TEST(CaseCounts, TellTheUsualCase) {
  const CaseCounts cases = counts();
  EXPECT_EQ(cases.find("the", "the").ratio, 3);    // 1000 against 101
  EXPECT_EQ(cases.find("The", "the").ratio, -3);   // 100 against 1001
  EXPECT_EQ(cases.find("Rome", "rome").ratio, 6);  // 64 against none
  EXPECT_EQ(cases.find("rome", "rome").ratio, -6);
  EXPECT_EQ(cases.find("ROME", "rome").ratio, -6);
  EXPECT_EQ(cases.find("Will", "will").ratio, 0);
  EXPECT_EQ(cases.find("zzz", "zzz").ratio, 0);
  EXPECT_EQ(cases.find("zzz", "zzz").frequency, 0);
  EXPECT_GT(cases.find("the", "the").frequency, cases.find("Rome", "rome").frequency);
}

TEST(CaseCounts, WordsWithoutCountsTellNothing) {
  const Vocabulary words = Vocabulary::from_words({{"a", 0}, {"b", 0}});
  EXPECT_THAT(levels_of(words), IsEmpty());
  EXPECT_TRUE(CaseCounts(words, levels_of(words)).empty());
  EXPECT_TRUE(CaseCounts().empty());
}

}  // namespace
}  // namespace firth::tagger

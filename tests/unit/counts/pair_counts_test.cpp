#include <gmock/gmock.h>

#include "firth/counts.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;

TEST(Vocabulary, SortsByCountThenBytes) {
  const Vocabulary words = Vocabulary::from_words({{"b", 2}, {"c", 5}, {"a", 2}});
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words.word(0), "c");
  EXPECT_EQ(words.word(1), "a");
  EXPECT_EQ(words.word(2), "b");
  const WordIndex index(words);
  EXPECT_EQ(index.find("b"), 2u);
  EXPECT_EQ(index.find("d"), std::nullopt);
}

TEST(PairCounts, SumsSortsAndTransposes) {
  const PairCounts pairs = PairCounts::from_pairs(3, {{2, 0, 1}, {0, 1, 2}, {0, 1, 3}, {0, 0, 1}, {1, 1, 0}});
  EXPECT_EQ(pairs.distinct(), 3u);
  EXPECT_EQ(pairs.total(), 7u);
  EXPECT_THAT(pairs.right_words(0), ElementsAre(0, 1));
  EXPECT_THAT(pairs.right_counts(0), ElementsAre(1, 5));
  EXPECT_THAT(pairs.left_marginals(), ElementsAre(6, 0, 1));
  EXPECT_THAT(pairs.right_marginals(), ElementsAre(2, 5, 0));
  const PairCounts back = pairs.transposed();
  EXPECT_THAT(back.right_words(0), ElementsAre(0, 2));
  EXPECT_THAT(back.right_counts(1), ElementsAre(5));
  EXPECT_EQ(back.total(), 7u);
}

}  // namespace
}  // namespace firth

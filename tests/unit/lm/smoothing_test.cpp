#include "lm/smoothing.hpp"

#include <gmock/gmock.h>

#include "lm/emission.hpp"
#include "support/warnings.hpp"

namespace firth::lm {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(KneserNeyDiscounts, FollowChenAndGoodman) {
  bool fell_back = false;
  // Y = 100 / (100 + 2 * 40) = 5/9; D1 = 1 - 2Y 40/100, D2 = 2 - 3Y 20/40, D3 = 3 - 4Y 10/20.
  const Discounts d = kneser_ney_discounts({0, 100, 40, 20, 10}, fell_back);
  EXPECT_FALSE(fell_back);
  EXPECT_THAT(
      d, ElementsAre(0, DoubleNear(1 - 2 * 5 / 9.0 * 0.4, 1e-15), DoubleNear(2 - 3 * 5 / 9.0 * 0.5, 1e-15),
                     DoubleNear(3 - 4 * 5 / 9.0 * 0.5, 1e-15)));
}

TEST(KneserNeyDiscounts, FallBackWhereCountsOfCountsAreMissing) {
  bool fell_back = false;
  EXPECT_THAT(kneser_ney_discounts({0, 0, 40, 20, 10}, fell_back), ElementsAre(0, 0.5, 1, 1.5));
  EXPECT_TRUE(fell_back);
  fell_back = false;
  // Nothing was seen three times: the single discount takes the place of D3+.
  EXPECT_THAT(kneser_ney_discounts({0, 10, 10, 0, 10}, fell_back),
              ElementsAre(0, DoubleEq(1 / 3.0), 2, DoubleEq(1 / 3.0)));
  EXPECT_TRUE(fell_back);
}

TEST(KneserNeyDiscounts, NeverTakeMoreThanACount) {
  // Far more n-grams seen twice than once would give a negative D1.
  bool fell_back = false;
  const Discounts d = kneser_ney_discounts({0, 10, 100, 10, 500}, fell_back);
  EXPECT_TRUE(fell_back);
  for (std::size_t k = 1; k < d.size(); ++k) {
    EXPECT_GE(d[k], 0);
    EXPECT_LE(d[k], static_cast<double>(k));
  }
}

TEST(Emissions, FrequencyIsCountOverClassCount) {
  const std::vector<Symbol> class_of = {0, 1, 2, 3, 3, 3, 4, 4};
  const std::vector<Count> counts = {0, 0, 0, 6, 2, 0, 0, 0};
  EXPECT_THAT(estimate_emissions(class_of, counts, 5, LmEmission::frequency),
              ElementsAre(1, 1, 1, 0.75, 0.25, 0, 0.5, 0.5));
}

TEST(Emissions, DiscountedGivesUnseenWordsTheirShare) {
  const std::vector<Symbol> class_of = {0, 1, 2, 3, 3, 3};
  const std::vector<Count> counts = {0, 0, 0, 6, 2, 0};
  // No word was seen once: d = 0.5. Two seen words leave 1 of 8, a third of it for each word.
  EXPECT_THAT(
      estimate_emissions(class_of, counts, 4, LmEmission::discounted),
      ElementsAre(1, 1, 1, DoubleEq((5.5 + 1 / 3.0) / 8), DoubleEq((1.5 + 1 / 3.0) / 8), DoubleEq(1 / 24.0)));
}

TEST(Estimate, SaysThatDiscountsFellBack) {
  testing::Warnings warnings;
  RunOptions run;
  run.progress = &warnings;
  NgramCounter counter({2, 5, true}, run);
  const std::vector<Symbol> sentence = {3, 4, 3, 4};
  counter.add(sentence);
  estimate(counter.finish(LowerCounts::continuations), {}, run);
  ASSERT_EQ(warnings.messages.size(), 1u);
  EXPECT_THAT(warnings.messages.front(), ::testing::HasSubstr("too few rare n-grams"));
}

}  // namespace
}  // namespace firth::lm

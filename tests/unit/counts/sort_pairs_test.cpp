#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/rng.hpp"
#include "counts/pairs/sort_pairs.hpp"

namespace firth::counts {
namespace {

TEST(SortPairs, AgreesWithAMapForAllSizesAndRanges) {
  base::Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t first = rng.below(2) == 0 ? 0 : rng.below(4000000000u);
    const std::size_t rows = 1 + rng.below(rng.below(2) == 0 ? 3 : 100000);
    const std::size_t words = first + rows + rng.below(1000);
    std::vector<PairCount> pairs(rng.below(2) == 0 ? rng.below(50) : 500 + rng.below(3000));
    std::map<std::pair<WordId, WordId>, Count> expected;
    const std::uint64_t columns = 1 + rng.below(rng.below(2) == 0 ? 20 : words);
    for (PairCount& pair : pairs) {
      pair = {static_cast<WordId>(first + rng.below(rows)),
              static_cast<WordId>(words - 1 - rng.below(columns) % words),
              1 + rng.below(std::uint64_t{1} << 40)};
      expected[{pair.left, pair.right}] += pair.count;
    }
    ASSERT_EQ(sort_and_add(pairs, {first, first + rows, words}), expected.size());
    std::size_t i = 0;
    for (const auto& [key, count] : expected) {
      ASSERT_EQ(pairs[i].left, key.first);
      ASSERT_EQ(pairs[i].right, key.second);
      ASSERT_EQ(pairs[i].count, count);
      ++i;
    }
  }
}

}  // namespace
}  // namespace firth::counts

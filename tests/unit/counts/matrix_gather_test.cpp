#include "counts/ranks/matrix_gather.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "firth/world.hpp"
#include "reference/random_data.hpp"

namespace firth::counts {
namespace {

bool same(const PairCounts& a, const PairCounts& b) {
  return std::ranges::equal(a.offsets(), b.offsets()) && std::ranges::equal(a.rights(), b.rights()) &&
         std::ranges::equal(a.counts(), b.counts());
}

/// The rows from `begin` to before `end` alone.
PairCounts rows_of(const PairCounts& all, WordId begin, WordId end) {
  std::vector<PairCount> pairs;
  all.for_each_pair([&](WordId left, WordId right, Count count) {
    if (left >= begin && left < end) pairs.push_back({left, right, count});
  });
  return PairCounts::from_pairs(all.rows(), std::move(pairs));
}

/// Ranks have very different numbers of rows and pairs: some are done many rounds before others.
void expect_gathered(unsigned ranks, std::uint64_t bytes_per_round) {
  base::Rng rng(ranks);
  const PairCounts all = reference::random_counts(rng, 200, 3000).bigrams();
  std::vector<WordId> cuts(ranks + std::size_t{1}, 200);
  cuts[0] = 0;
  for (unsigned r = 1; r < ranks; ++r) cuts[r] = static_cast<WordId>(rng.below(200));
  std::ranges::sort(cuts);
  run_on_threads(ranks, [&](World& world) {
    RunOptions run;
    run.world = &world;
    const PairCounts own = rows_of(all, cuts[world.rank()], cuts[world.rank() + 1]);
    const PairCounts gathered = gather_rows(own, {}, bytes_per_round, base::Ranks(run));
    if (world.rank() == 0) {
      EXPECT_TRUE(same(gathered, all)) << ranks << " ranks, " << bytes_per_round << " bytes per round";
    } else {
      EXPECT_EQ(gathered.distinct(), 0U);
    }
  });
}

TEST(MatrixGather, InOneRoundAndInMany) {
  for (const unsigned ranks : {1U, 2U, 3U, 5U, 8U})
    for (const std::uint64_t bytes : {1U, 60U, 1000U, 20000U, 1U << 26}) expect_gathered(ranks, bytes);
}

}  // namespace
}  // namespace firth::counts

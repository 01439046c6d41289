// Neighbour lists that ranks hold together.
#include <gmock/gmock.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "cluster/exchange/problem.hpp"
#include "firth/auto.hpp"
#include "firth/error.hpp"
#include "firth/estimate.hpp"
#include "firth/world.hpp"
#include "reference/planted_text.hpp"
#include "reference/random_data.hpp"

namespace firth::exchange {
namespace {

using ::testing::ElementsAreArray;

std::vector<UnitId> one_unit_per_word(std::size_t words) {
  std::vector<UnitId> units(words);
  std::iota(units.begin(), units.end(), UnitId{0});
  return units;
}

std::uint64_t entries(const Problem& problem, UnitId unit) {
  std::uint64_t sum = 0;
  for (const Side* side : {&problem.right(), &problem.left()})
    sum += side->of(unit).once.size() + side->of(unit).often.size();
  return sum;
}

void expect_same_lists(const Side& found, const Side& wanted, UnitId unit) {
  EXPECT_THAT(found.of(unit).once, ElementsAreArray(wanted.of(unit).once));
  EXPECT_THAT(found.of(unit).often, ElementsAreArray(wanted.of(unit).often));
  EXPECT_THAT(found.of(unit).frequency, ElementsAreArray(wanted.of(unit).frequency));
}

/// Every unit has the lists of a whole problem on one rank.
void expect_lists_on_ranks(const Counts& counts, unsigned size) {
  const std::vector<UnitId> units = one_unit_per_word(counts.vocabulary().size());
  const Problem whole(counts.bigrams(), units, units.size());
  run_on_threads(size, [&](World& world) {
    const base::Ranks ranks(&world);
    const Problem part(ranks.is_root() ? counts.bigrams() : PairCounts(), units, units.size(), ranks);
    EXPECT_TRUE(part.sharded());
    EXPECT_EQ(part.total(), whole.total());
    std::vector<std::uint64_t> owners(units.size(), 0);
    for (UnitId unit = 0; unit < units.size(); ++unit) {
      EXPECT_EQ(part.out(unit), whole.out(unit));
      EXPECT_EQ(part.in(unit), whole.in(unit));
      EXPECT_EQ(part.self(unit), whole.self(unit));
      if (!part.owns(unit)) continue;
      ++owners[unit];
      expect_same_lists(part.right(), whole.right(), unit);
      expect_same_lists(part.left(), whole.left(), unit);
    }
    ranks.add(owners);
    EXPECT_THAT(owners, ::testing::Each(1U));
  });
}

TEST(ShardedLists, EveryUnitHasItsListsOnOneRank) {
  base::Rng rng(21);
  for (int trial = 0; trial < 20; ++trial) {
    const Counts counts = reference::random_counts(rng, 1 + rng.below(60), 20 + rng.below(2000));
    expect_lists_on_ranks(counts, 2 + static_cast<unsigned>(rng.below(6)));
  }
}

TEST(ShardedLists, PairsThatGoOutInSeveralPieces) {
  base::Rng rng(27);
  const Counts counts = reference::random_counts(rng, 800, 600000);
  ASSERT_GT(counts.bigrams().distinct(), 3U << 16);
  expect_lists_on_ranks(counts, 3);
}

TEST(ShardedLists, EveryRankHoldsAboutAsMuch) {
  const Counts counts = reference::planted_text(22, 10, 60, 20000).counts;
  const std::vector<UnitId> units = one_unit_per_word(counts.vocabulary().size());
  constexpr unsigned kRanks = 4;
  run_on_threads(kRanks, [&](World& world) {
    const base::Ranks ranks(&world);
    const Problem part(counts.bigrams(), units, units.size(), ranks);
    std::vector<std::uint64_t> held(kRanks, 0);
    for (UnitId unit = 0; unit < units.size(); ++unit)
      if (part.owns(unit)) held[ranks.rank()] += entries(part, unit);
    ranks.add(held);
    const std::uint64_t all = std::accumulate(held.begin(), held.end(), std::uint64_t{0});
    EXPECT_LT(*std::max_element(held.begin(), held.end()), all / kRanks * 11 / 10);
  });
}

/// The words of the counts, without their pairs.
Counts words_of(const Counts& counts) {
  return {counts.vocabulary(), PairCounts::from_pairs(counts.vocabulary().size(), {}), counts.info()};
}

TEST(ShardedLists, RankZeroAloneNeedsThePairs) {
  const Counts counts = reference::planted_text(23, 6, 20, 4000).counts;
  for (const bool boundaries : {false, true}) {
    const AutoOptions options{.classes = 6, .boundaries = boundaries};
    const ClusterResult wanted = cluster_auto(counts, options, {.threads = 1});
    run_on_threads(3, [&](World& world) {
      world.shard_lists(true);
      RunOptions run{.threads = 1};
      run.world = &world;
      const ClusterResult found = cluster_auto(world.rank() == 0 ? counts : words_of(counts), options, run);
      EXPECT_EQ(found.clustering, wanted.clustering);
      EXPECT_EQ(found.ami_bits, wanted.ami_bits);
      EXPECT_THAT(found.clustering.class_bigrams().counts(),
                  ElementsAreArray(wanted.clustering.class_bigrams().counts()));
    });
  }
}

TEST(ShardedLists, OtherWordsAreRefused) {
  EXPECT_THROW(run_on_threads(2,
                              [&](World& world) {
                                world.shard_lists(true);
                                const Counts counts =
                                    reference::planted_text(24 + world.rank(), 6, 20, 4000).counts;
                                RunOptions run{.threads = 1};
                                run.world = &world;
                                (void)cluster_auto(counts, {.classes = 6}, run);
                              }),
               WorldError);
}

TEST(ShardedLists, LimitedSizesAreRefused) {
  const Counts counts = reference::planted_text(25, 6, 20, 4000).counts;
  EXPECT_THROW(run_on_threads(2,
                              [&](World& world) {
                                world.shard_lists(true);
                                AutoOptions options{.classes = 6};
                                options.sizes.max = 50;
                                RunOptions run{.threads = 1};
                                run.world = &world;
                                (void)cluster_auto(counts, options, run);
                              }),
               UsageError);
}

TEST(ShardedLists, TheEstimateFallsWithTheRanks) {
  base::Rng rng(26);
  const Counts counts = reference::random_counts(rng, 3000, 400000);
  const auto bytes = [&](unsigned shards) {
    return estimate_clustering(counts, AutoOptions{.classes = 20}, shards)->memory_bytes;
  };
  const double lists = 16.0 * static_cast<double>(counts.bigrams().distinct());
  EXPECT_NEAR(static_cast<double>(bytes(2) - bytes(4)), lists / 4, lists / 20);
  EXPECT_NEAR(static_cast<double>(bytes(4) - bytes(8)), lists / 8, lists / 40);
}

}  // namespace
}  // namespace firth::exchange

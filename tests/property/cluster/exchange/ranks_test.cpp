// Searches that several ranks share give the bytes of one process.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "firth/auto.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"
#include "firth/world.hpp"
#include "reference/planted_text.hpp"
#include "reference/random_data.hpp"
#include "support/interruptions.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

constexpr unsigned kSizes[] = {1, 2, 3, 5, 8};

Counts some_text(std::uint64_t seed) {
  return reference::planted_text(seed, 10, 40, 9000).counts;
}

void expect_same(const ClusterResult& found, const ClusterResult& wanted) {
  EXPECT_EQ(found.clustering, wanted.clustering);
  EXPECT_EQ(found.ami_bits, wanted.ami_bits);
  EXPECT_EQ(found.complete, wanted.complete);
  ASSERT_EQ(found.iterations.size(), wanted.iterations.size());
  for (std::size_t i = 0; i < wanted.iterations.size(); ++i) {
    EXPECT_EQ(found.iterations[i].ami_bits, wanted.iterations[i].ami_bits);
    EXPECT_EQ(found.iterations[i].moved, wanted.iterations[i].moved);
  }
}

ClusterResult search(const Counts& counts, const AutoOptions& options, const RunOptions& run) {
  return cluster_auto(counts, options, run);
}
ClusterResult search(const Counts& counts, const ExchangeOptions& options, const RunOptions& run) {
  return cluster_exchange(counts, options, run);
}

/// Every rank of every world finds what one process finds, with all neighbour lists on every rank and with parts of them.
template <typename Method>
void expect_same_on_ranks(const Counts& counts, const Method& method, std::uint64_t seed = 5,
                          std::span<const unsigned> sizes = kSizes) {
  const ClusterResult wanted = search(counts, method, {.threads = 1, .seed = seed});
  for (const unsigned size : sizes) {
    for (const bool sharded : {false, true}) {
      run_on_threads(size, [&](World& world) {
        world.shard_lists(sharded);
        RunOptions run{.threads = 1 + world.rank() % 2, .seed = seed};
        run.world = &world;
        expect_same(search(counts, method, run), wanted);
      });
    }
  }
}

TEST(SearchOnRanks, AutoIsThatOfOneProcess) {
  const Counts counts = some_text(1);
  for (const SearchEffort effort : {SearchEffort::fast, SearchEffort::normal, SearchEffort::high}) {
    expect_same_on_ranks(counts, AutoOptions{.classes = 12, .effort = effort});
  }
}

TEST(SearchOnRanks, GroupsOfGroups) {
  const Counts counts = reference::planted_text(14, 5, 6, 800).counts;
  expect_same_on_ranks(counts, AutoOptions{.classes = 5, .effort = SearchEffort::max}, 5, std::array{4U, 6U});
}

TEST(SearchOnRanks, ExchangeIsThatOfOneProcess) {
  const Counts counts = some_text(2);
  for (const std::uint32_t restarts : {3U, 4U}) {
    expect_same_on_ranks(counts,
                         ExchangeOptions{.classes = 12, .init = ExchangeInit::random, .restarts = restarts});
  }
  base::Rng rng(3);
  ExchangeOptions given{.classes = 9, .init = ExchangeInit::given};
  given.start =
      Clustering(counts.vocabulary(), reference::random_classes(rng, counts.vocabulary().size(), 6));
  expect_same_on_ranks(counts, given);
}

TEST(SearchOnRanks, ConstraintsAndLineEndsMakeNoDifference) {
  const Counts counts = some_text(3);
  AutoOptions options{.classes = 12, .effort = SearchEffort::normal, .boundaries = true, .size_weight = 1};
  using Kind = Constraint::Kind;
  options.constraints.items = {{Kind::together, "", {"c0w0", "c1w1"}, 0},
                               {Kind::apart, "", {"c2w0", "c2w1"}, 0},
                               {Kind::out, "", {"c3w3"}, 0}};
  expect_same_on_ranks(counts, options);
}

TEST(SearchOnRanks, RandomTextsAndSizes) {
  base::Rng rng(11);
  for (int trial = 0; trial < 12; ++trial) {
    const Counts counts = reference::random_counts(rng, 20 + rng.below(200), 50 + rng.below(3000));
    const auto most = static_cast<std::uint64_t>(counts.vocabulary().size());
    const auto classes = static_cast<ClassId>(1 + rng.below(std::min<std::uint64_t>(most, 40)));
    expect_same_on_ranks(counts, AutoOptions{.classes = classes, .effort = SearchEffort::fast}, rng.next());
  }
}

TEST(SearchOnRanks, MoreRanksThanWords) {
  base::Rng rng(12);
  const Counts counts = reference::random_counts(rng, 6, 60);
  expect_same_on_ranks(counts, AutoOptions{.classes = 3});
}

TEST(SearchOnRanks, ManyClassesShareTheLossesOfMerges) {
  base::Rng rng(13);
  const Counts counts = reference::random_counts(rng, 1400, 60000);
  expect_same_on_ranks(counts, AutoOptions{.classes = 500, .effort = SearchEffort::fast});
}

/// A text in which some words have nearly all others beside them.
Counts text_with_frequent_words(std::uint64_t seed, std::size_t words, std::size_t tokens) {
  base::Rng rng(seed);
  std::vector<std::pair<std::string, Count>> named;
  for (std::size_t i = 0; i < words; ++i) named.emplace_back(fmt::format("w{}", i), 0);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t last = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    const std::size_t word = rng.below(3) == 0 ? rng.below(4) : rng.below(words);
    ++named[word].second;
    pairs.emplace_back(std::exchange(last, word), word);
  }
  const Vocabulary vocabulary = Vocabulary::from_words(named);
  const WordIndex index(vocabulary);
  std::vector<PairCount> found;
  for (const auto& [left, right] : pairs)
    found.push_back({*index.find(named[left].first), *index.find(named[right].first), 1});
  return {vocabulary, PairCounts::from_pairs(words, std::move(found)),
          CountsInfo{.tokens = tokens, .sequences = 1}};
}

// Frequent words are cut: their classes are shared out among ranks and threads.
TEST(SearchOnRanks, FrequentWordsWithManyClasses) {
  const Counts counts = text_with_frequent_words(15, 900, 12000);
  AutoOptions options{.classes = 280, .effort = SearchEffort::fast};
  expect_same_on_ranks(counts, options);
  using Kind = Constraint::Kind;
  options.constraints.items = {{Kind::apart, "", {"w0", "w1"}, 0}, {Kind::apart, "", {"w2", "w77"}, 0}};
  options.boundaries = true;
  options.size_weight = 1;
  expect_same_on_ranks(counts, options, 6, std::array{2U, 7U});
}

/// Whether a search that one rank is asked to stop at a report of progress has been stopped on all of them.
template <typename Method>
bool stop_search(const Counts& counts, const Method& options, unsigned ranks, int reports) {
  std::mutex mutex;
  unsigned stopped = 0;
  run_on_threads(ranks, [&](World& world) {
    world.shard_lists(reports % 2 == 0);
    const bool asked = world.rank() == ranks / 2;
    testing::StopAt sink(asked ? reports : -1);
    RunOptions run{.threads = 1, .seed = 5, .progress = &sink, .stop = sink.token()};
    run.world = &world;
    try {
      (void)search(counts, options, run);
    } catch (const Cancelled&) {
      const std::lock_guard lock(mutex);
      ++stopped;
    }
  });
  EXPECT_TRUE(stopped == 0 || stopped == ranks) << stopped << " of " << ranks;
  return stopped > 0;
}

/// Searches that are stopped here and there go on with other numbers of ranks. `step`: reports between two stops.
template <typename Method>
void expect_same_after_stops(const Counts& counts, const Method& options, int step) {
  const ClusterResult wanted = search(counts, options, {.threads = 1, .seed = 5});
  int stops = 0;
  for (int reports = 2; reports < 400; reports += step) {
    const testing::TempFolder folder;
    Method kept = options;
    kept.limits = testing::checkpoint_limits(folder.file("run"), false);
    if (!stop_search(counts, kept, kSizes[static_cast<std::size_t>(reports) % 5], reports)) break;
    ++stops;
    kept.limits.resume = true;
    const unsigned size = kSizes[static_cast<std::size_t>(reports + stops) % 5];
    run_on_threads(size, [&](World& world) {
      world.shard_lists(reports % 3 == 0);
      RunOptions run{.threads = 1, .seed = 5};
      run.world = &world;
      expect_same(search(counts, kept, run), wanted);
    });
  }
  EXPECT_GT(stops, 2);
}

TEST(SearchOnRanks, AStoppedSearchGoesOnWithAnyNumberOfRanks) {
  expect_same_after_stops(some_text(6), AutoOptions{.classes = 12, .effort = SearchEffort::normal}, 23);
}

TEST(SearchOnRanks, StoppedRunsGoOnWithAnyNumberOfRanks) {
  ExchangeOptions options{.classes = 12, .init = ExchangeInit::random, .tolerance = 0, .restarts = 4};
  expect_same_after_stops(some_text(7), options, 9);
}

TEST(SearchOnRanks, TimeEndsAllRanksTogether) {
  const Counts counts = some_text(7);
  std::mutex mutex;
  std::vector<Clustering> found;
  run_on_threads(3, [&](World& world) {
    AutoOptions options{.classes = 12, .effort = SearchEffort::max};
    options.limits.max_seconds = world.rank() == 1 ? 0.3 : 1000;  // clocks differ
    RunOptions run{.threads = 1};
    run.world = &world;
    const ClusterResult result = cluster_auto(counts, options, run);
    EXPECT_FALSE(result.complete);
    const std::lock_guard lock(mutex);
    found.push_back(result.clustering);
  });
  ASSERT_EQ(found.size(), 3);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(SearchOnRanks, DifferentWorkIsRefused) {
  EXPECT_THROW(run_on_threads(3,
                              [&](World& world) {
                                const Counts counts = some_text(world.rank() == 1 ? 8 : 9);
                                RunOptions run{.threads = 1};
                                run.world = &world;
                                (void)cluster_auto(counts, {.classes = 12}, run);
                              }),
               WorldError);
  const Counts counts = some_text(8);
  EXPECT_THROW(run_on_threads(2,
                              [&](World& world) {
                                RunOptions run{.threads = 1, .seed = world.rank()};
                                run.world = &world;
                                (void)cluster_exchange(counts, {.classes = 12}, run);
                              }),
               WorldError);
}

}  // namespace
}  // namespace firth

// Plans of searches: what an effort begins with, and random numbers of its parts.
#include "cluster/exchange/search_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "firth/auto.hpp"
#include "reference/planted_text.hpp"

namespace firth::exchange {
namespace {

/// Twin of random_stream(): the tree is walked, and numbers are given away in the order in which they are promised.
void number_searches(std::size_t programs, std::uint64_t place, std::uint64_t& next,
                     std::map<std::uint64_t, std::uint64_t>& stream_of) {
  if (programs == 0) return;
  if (programs <= 2) {
    stream_of[place] = next++;
    for (const std::uint64_t part : {2 * place, 2 * place + 1}) {
      number_searches(programs - 1, part, next, stream_of);
    }
    return;
  }
  number_searches(programs - 1, 2 * place, next, stream_of);
  stream_of[place] = next++;
  number_searches(programs - 1, 2 * place + 1, next, stream_of);
}

TEST(SearchPlans, EverySearchHasItsOwnRandomNumbers) {
  for (std::size_t programs = 1; programs <= 8; ++programs) {
    std::map<std::uint64_t, std::uint64_t> stream_of;
    std::uint64_t next = 0;
    number_searches(programs, 1, next, stream_of);
    ASSERT_EQ(stream_of.size(), (std::uint64_t{1} << programs) - 1);
    for (const auto& [place, stream] : stream_of) {
      EXPECT_EQ(random_stream(programs, place), stream) << programs << " programs, place " << place;
    }
  }
}

/// Without the time, which differs from run to run.
std::vector<IterationStats> log_of(const Counts& counts, SearchEffort effort, unsigned threads) {
  const AutoOptions options{.classes = 9, .effort = effort, .tree = false};
  std::vector<IterationStats> log = cluster_auto(counts, options, {.threads = threads, .seed = 3}).iterations;
  for (IterationStats& line : log) line.seconds = 0;
  return log;
}

bool same_line(const IterationStats& one, const IterationStats& other) {
  return one.stage == other.stage && one.classes == other.classes && one.moved == other.moved &&
         one.ami_bits == other.ami_bits;
}

TEST(SearchPlans, HighBeginsWithNormalAndMaxWithHigh) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Counts counts = reference::planted_text(seed, 6, 12, 1500).counts;
    const std::vector<IterationStats> normal = log_of(counts, SearchEffort::normal, 1);
    const std::vector<IterationStats> high = log_of(counts, SearchEffort::high, 2);
    const std::vector<IterationStats> max = log_of(counts, SearchEffort::max, 2);
    ASSERT_LT(normal.size(), high.size());
    ASSERT_LT(high.size(), max.size());
    EXPECT_TRUE(std::equal(normal.begin(), normal.end(), high.begin(), same_line)) << "seed " << seed;
    EXPECT_TRUE(std::equal(high.begin(), high.end(), max.begin(), same_line)) << "seed " << seed;
  }
}

TEST(SearchPlans, MaxEndsWhenItsHalvesAgree) {
  const Counts counts = reference::planted_text(14, 5, 6, 800).counts;
  const AutoOptions options{.classes = 5, .effort = SearchEffort::max, .tree = false};
  std::size_t passes = 0;
  std::size_t longest = 0;
  for (const IterationStats& line : cluster_auto(counts, options, {.threads = 1, .seed = 5}).iterations) {
    passes = line.stage == "heat-bath pass" ? passes + 1 : 0;
    longest = std::max(longest, passes);
  }
  EXPECT_EQ(longest, 80u);  // of a cycle of the halves; those after them have 300
}

TEST(SearchPlans, MoreEffortNeverFindsLess) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Counts counts = reference::planted_text(seed, 8, 15, 1200).counts;
    double before = 0;
    for (const SearchEffort effort : {SearchEffort::normal, SearchEffort::high, SearchEffort::max}) {
      const AutoOptions options{.classes = 12, .effort = effort, .tree = false};
      const double bits = cluster_auto(counts, options, {.threads = 1, .seed = seed}).ami_bits;
      EXPECT_GE(bits, before) << "seed " << seed;
      before = bits;
    }
  }
}

}  // namespace
}  // namespace firth::exchange

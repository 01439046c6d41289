#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

namespace firth::base {
namespace {

// The reference implementation of xoshiro256** seeded by splitmix64(0) starts with these numbers.
TEST(Rng, IsXoshiro256StarStar) {
  Rng rng(0);
  EXPECT_EQ(rng.next(), 0x99ec5f36cb75f2b4u);
  EXPECT_EQ(rng.next(), 0xbf6e1f784956452au);
}

// House rule: restarts must not repeat each other's numbers. Seeds that differ by a multiple of the golden
// ratio would share three of four words.
TEST(Rng, StreamsShareNoWordOfState) {
  for (const std::uint64_t seed :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{42}, ~std::uint64_t{0}}) {
    std::set<std::uint64_t> words;
    constexpr std::uint64_t kStreams = 2000;
    for (std::uint64_t i = 0; i < kStreams; ++i) {
      const Rng rng = Rng::stream(seed, i);
      words.insert(rng.state().begin(), rng.state().end());
    }
    EXPECT_EQ(words.size(), 4 * kStreams);
  }
}

TEST(Rng, StreamZeroIsThatOfTheSeed) {
  EXPECT_EQ(Rng::stream(5, 0).state(), Rng(5).state());
  EXPECT_NE(Rng::stream(5, 1).state(), Rng::stream(6, 1).state());
}

TEST(Rng, ShuffleGivesEveryOrderEquallyOften) {
  Rng rng(3);
  std::map<std::array<int, 3>, int> seen;
  for (int i = 0; i < 60'000; ++i) {
    std::array<int, 3> items = {0, 1, 2};
    shuffle(items, rng);
    ++seen[items];
  }
  ASSERT_EQ(seen.size(), 6u);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Rng, BelowIsUniform) {
  Rng rng(7);
  std::array<int, 10> seen{};
  for (int i = 0; i < 100'000; ++i) ++seen.at(rng.below(10));
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Rng, UniformStaysInRange) {
  Rng rng(7);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = rng.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.01);
}

}  // namespace
}  // namespace firth::base

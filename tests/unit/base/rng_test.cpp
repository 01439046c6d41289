#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <array>

namespace firth::base {
namespace {

// The reference implementation of xoshiro256** seeded by splitmix64(0) starts with these numbers.
TEST(Rng, IsXoshiro256StarStar) {
  Rng rng(0);
  EXPECT_EQ(rng.next(), 0x99ec5f36cb75f2b4u);
  EXPECT_EQ(rng.next(), 0xbf6e1f784956452au);
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

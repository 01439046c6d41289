#include "base/fixed_log.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace firth::base {
namespace {

TEST(FixedLog, AgreesWithLogarithms) {
  const FixedLog log(1'000'000);
  for (Count x = 1; x <= 1'000'000; x = x * 3 / 2 + 1) {
    const auto value = static_cast<double>(x);
    EXPECT_NEAR(log.nats(log.h(x)), value * std::log(value), 1e-9 * value) << x;
    EXPECT_NEAR(log.nats(log.ln(x)), std::log(value), 1e-9) << x;
  }
  EXPECT_EQ(log.h(0), 0);
  EXPECT_EQ(log.h(1), 0);
}

TEST(FixedLog, SameValuesInsideAndOutsideTheTable) {
  const FixedLog small(100'000, 16);
  const FixedLog large(100'000);
  for (Count x = 0; x < 100'000; x += 7) EXPECT_EQ(small.h(x), large.h(x)) << x;
}

TEST(FixedLog, LeavesRoomForSums) {
  for (const Count total : {Count{1}, Count{1000}, Count{1} << 32, Count{1} << 45}) {
    const FixedLog log(total, 16);
    EXPECT_LT(log.h(4 * total), std::int64_t{1} << 62) << total;
    EXPECT_GE(log.h(total), 0) << total;
  }
}

TEST(FixedLog, LeavesRoomForSumsOfTheLargestCounts) {
  constexpr Count kLargest = std::numeric_limits<std::int64_t>::max();
  for (const Count total : {Count{1} << 54, Count{1} << 58, Count{1} << 62, kLargest}) {
    const FixedLog log(total, 16);
    const auto value = static_cast<double>(total);
    // h(4 T) = 4 (h(T) + T ln 4)
    const double most = 4 * (static_cast<double>(log.h(total)) + value * std::log(4) / log.nats(1));
    EXPECT_LT(most, std::ldexp(1.0, 62)) << total;
    EXPECT_GT(most, std::ldexp(1.0, 60)) << total;
    EXPECT_NEAR(log.nats(log.h(total)) / (value * std::log(value)), 1, 1e-15) << total;
  }
}

}  // namespace
}  // namespace firth::base

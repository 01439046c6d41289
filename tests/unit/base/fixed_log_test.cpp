#include "base/fixed_log.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace firth::base

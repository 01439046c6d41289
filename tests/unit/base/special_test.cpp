#include "base/special.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace firth::base {
namespace {

TEST(Special, FunctionsAreThoseOfTheLibrary) {
  for (const double x : {1e-6, 0.001, 0.1, 0.5, 1.0, 1.5, 2.0, 9.99, 10.0, 123.4, 1e6}) {
    EXPECT_NEAR(log_gamma(x), std::lgamma(x), 1e-11 * std::max(1.0, std::abs(std::lgamma(x))));
    EXPECT_NEAR(digamma(x + 1) - digamma(x), 1 / x, 1e-12 + 1e-9 / x);
  }
  EXPECT_NEAR(digamma(1), -0.57721566490153286, 1e-13);
}

}  // namespace
}  // namespace firth::base

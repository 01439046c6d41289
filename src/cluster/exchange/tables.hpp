// Values of h(x) = x ln x and its differences, exact for decisions and in single precision for screening.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/fixed_log.hpp"
#include "cluster/exchange/excess_fit.hpp"
#include "firth/types.hpp"

namespace firth::exchange {

/// A prior on the sizes of classes: units draw their classes from a distribution that is itself unknown, so
/// ln p(classes of units) = sum over classes of ln Gamma(members + 1), up to a constant.
struct SizePrior {
  double weight = 0;
  std::size_t units = 0;
};

class Tables {
 public:
  explicit Tables(Count total, const SizePrior& prior = {});

  const base::FixedLog& fixed() const noexcept { return fixed_; }
  std::int64_t h(Count x) const { return fixed_.h(x); }
  double nats(std::int64_t value) const { return fixed_.nats(value); }

  /// h(n + 1) - h(n): what one more count is worth.
  float step(Count n) const {
    if (n < steps_.size()) return steps_[n];
    const auto x = static_cast<double>(n);
    return static_cast<float>(std::log(x) + 1 + 0.5 / x);
  }

  bool has_prior() const noexcept { return !one_more_.empty(); }
  /// What the `members`-th unit of a class is worth by the prior, weight * ln members, in fixed point ...
  std::int64_t one_more(std::size_t members) const { return has_prior() ? one_more_[members] : 0; }
  /// ... and all of them together.
  std::int64_t size_worth(std::size_t members) const { return has_prior() ? size_worth_[members] : 0; }

  /// h(n + k) - h(n) - k step(n), for 2 <= k <= kFittedCount: the larger n, the closer to 0.
  const ExcessFit& excess(Count k) const { return excess_[k]; }

 private:
  base::FixedLog fixed_;
  std::vector<float> steps_;
  std::array<ExcessFit, kFittedCount + 1> excess_;
  std::vector<std::int64_t> one_more_;    ///< by members; empty without a prior
  std::vector<std::int64_t> size_worth_;  ///< its sums
};

}  // namespace firth::exchange

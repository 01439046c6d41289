#include "cluster/exchange/tables.hpp"

#include <algorithm>
#include <numeric>

namespace firth::exchange {
namespace {

constexpr Count kStepTable = 1 << 16;

double step_at(double n) {
  const double before = n > 0 ? n * std::log(n) : 0;
  return (n + 1) * std::log(n + 1) - before;
}

}  // namespace

// Few counts of classes are above an eighth of the text; a table for them would take longer than computing h.
Tables::Tables(Count total, const SizePrior& prior)
    : fixed_(total, std::clamp<std::size_t>(static_cast<std::size_t>(total / 8), 1 << 12, 1 << 20)),
      steps_(std::min<Count>(total + 1, kStepTable)) {
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    steps_[n] = static_cast<float>(step_at(static_cast<double>(n)));
  }
  for (Count k = 2; k <= kFittedCount; ++k) excess_[k] = fit_excess(k);
  if (prior.weight == 0) return;
  one_more_.resize(prior.units + 1);
  for (std::size_t members = 2; members < one_more_.size(); ++members)
    one_more_[members] =
        std::llround(std::ldexp(prior.weight * std::log(static_cast<double>(members)), fixed_.shift()));
  size_worth_.resize(one_more_.size());
  std::partial_sum(one_more_.begin(), one_more_.end(), size_worth_.begin());
}

}  // namespace firth::exchange

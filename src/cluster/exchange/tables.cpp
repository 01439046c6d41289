#include "cluster/exchange/tables.hpp"

#include <algorithm>
#include <numeric>

namespace firth::exchange {
namespace {

constexpr Count kStepTable = 1 << 16;

double difference(double n, double k) {
  const double before = n > 0 ? n * std::log(n) : 0;
  return (n + k) * std::log(n + k) - before;
}

/// h(n + k) - h(n) - k (h(n + 1) - h(n)).
double excess_over_steps(double n, double k) {
  constexpr double kSeriesFrom = 0x1p31;  // differences of larger h have lost their digits
  return n < kSeriesFrom ? difference(n, k) - k * difference(n, 1) : k * (k - 1) / (2 * n);
}

}  // namespace

// Few counts of classes are above an eighth of the text; a table for them would take longer than computing h.
Tables::Tables(Count total, const SizePrior& prior)
    : fixed_(total, std::clamp<std::size_t>(static_cast<std::size_t>(total / 8), 1 << 12, 1 << 20)),
      steps_(std::min<Count>(total + 1, kStepTable)) {
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    steps_[n] = static_cast<float>(difference(static_cast<double>(n), 1));
  }
  const auto places = static_cast<std::size_t>(excess_place(static_cast<float>(total))) + 1;
  for (Count k = 2; k <= kTableCount; ++k) {
    excess_[k].resize(places);
    for (std::size_t place = 0; place < places; ++place) {
      const auto bits = static_cast<std::int32_t>(place << 15) + 0x3f800000;
      const double n = std::floor(static_cast<double>(std::bit_cast<float>(bits))) - 1;
      excess_[k][place] = static_cast<float>(excess_over_steps(n, static_cast<double>(k)));
    }
  }
  if (prior.weight == 0) return;
  one_more_.resize(prior.units + 1);
  for (std::size_t members = 2; members < one_more_.size(); ++members)
    one_more_[members] =
        std::llround(std::ldexp(prior.weight * std::log(static_cast<double>(members)), fixed_.shift()));
  size_worth_.resize(one_more_.size());
  std::partial_sum(one_more_.begin(), one_more_.end(), size_worth_.begin());
}

}  // namespace firth::exchange

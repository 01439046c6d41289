#include "cluster/exchange/tables.hpp"

#include <algorithm>

namespace firth::exchange {
namespace {

constexpr Count kStepTable = 1 << 16;

double difference(double n, double k) {
  const double before = n > 0 ? n * std::log(n) : 0;
  return (n + k) * std::log(n + k) - before;
}

}  // namespace

Tables::Tables(Count total) : fixed_(total), steps_(std::min<Count>(total + 1, kStepTable)) {
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    steps_[n] = static_cast<float>(difference(static_cast<double>(n), 1));
  }
  // Clamped look-ups read the last entry also where no count is that large, so every table is complete.
  for (Cell k = 2; k <= kTableCount; ++k) {
    excess_[k].resize(kTableLength);
    for (std::size_t n = 0; n < kTableLength; ++n) {
      const auto x = static_cast<double>(n);
      excess_[k][n] = static_cast<float>(difference(x, k) - k * difference(x, 1));
    }
  }
}

}  // namespace firth::exchange

#include "cluster/exchange/pair_matrix.hpp"

namespace firth::exchange {

std::size_t padded_lanes(ClassId classes) {
  constexpr std::size_t kLanes = base::kCacheLine / sizeof(Cell);
  return (classes + kLanes - 1) / kLanes * kLanes;
}

void PairMatrix::resize(ClassId classes) {
  stride_ = padded_lanes(classes);
  cells_.assign(stride_ * classes, 0);
  wide_ = {};
  steps_.assign(stride_ * classes, 0);
}

void PairMatrix::widen() {
  if (is_wide()) return;
  wide_.assign(cells_.begin(), cells_.end());
  cells_ = {};
}

std::uint64_t PairMatrix::bytes(ClassId classes, bool wide) {
  return std::uint64_t{padded_lanes(classes)} * classes *
         ((wide ? sizeof(WideCell) : sizeof(Cell)) + sizeof(float));
}

}  // namespace firth::exchange

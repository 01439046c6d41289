#include "cluster/brown/count_rows.hpp"

#include <algorithm>

namespace firth::brown {

// In place: every cell moves to a smaller address or stays, in rising order, so none is lost.
template <class Cell>
void CountRows<Cell>::compact(std::span<const Slot> kept, std::size_t stride) {
  const auto fill_zero = [&](std::size_t begin, std::size_t end) {
    std::fill(cells_.begin() + static_cast<std::ptrdiff_t>(begin),
              cells_.begin() + static_cast<std::ptrdiff_t>(end), Cell{0});
  };
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = 0; j < kept.size(); ++j)
      cells_[i * stride + j] = cells_[kept[i] * stride_ + kept[j]];
    fill_zero(i * stride + kept.size(), (i + 1) * stride);
  }
  fill_zero(kept.size() * stride, cells_.size());
  std::fill(bits_.begin(), bits_.end(), 0);
  for (std::size_t i = 0; i < kept.size() * stride; ++i)
    if (cells_[i] != 0) bits_[i / 64] |= std::uint64_t{1} << (i % 64);
  stride_ = stride;
}

template class CountRows<std::uint32_t>;
template class CountRows<std::uint64_t>;

}  // namespace firth::brown

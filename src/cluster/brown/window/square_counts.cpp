#include "cluster/brown/window/square_counts.hpp"

#include <stdexcept>

namespace firth::brown {

template <class Cell>
void SquareCounts<Cell>::compact(std::span<const Slot> kept, std::size_t stride) {
  after_.compact(kept, stride);
  before_.compact(kept, stride);
  move_to_front(diagonal_, kept);
  move_to_front(peak_, kept);
  move_to_front(after_fill_, kept);
  move_to_front(before_fill_, kept);
}

template <class Cell>
void SquareCounts<Cell>::check(std::size_t used) const {
  for (Slot v = 0; v < used; ++v) {
    expect_same(diagonal_[v] == after(v)[v]);
    for (Slot w = 0; w < used; ++w) {
      const Cell cell = after(v)[w];
      expect_same(cell == before(w)[v] && cell <= peak_[v] && cell <= peak_[w]);
      expect_same((after_bits(v)[w / 64] >> (w % 64) & 1) == (cell != 0));
      expect_same((before_bits(w)[v / 64] >> (v % 64) & 1) == (cell != 0));
    }
  }
}

void expect_same(bool same) {
  if (!same) throw std::logic_error("Brown clustering: a sum kept up to date differs from its recomputation");
}

template class SquareCounts<std::uint32_t>;
template class SquareCounts<std::uint64_t>;

}  // namespace firth::brown

// Immigrants with the same marginals and degrees: when a citizen grows, its marginals change their losses with
// it by the same number.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cluster/brown/groups/group_window.hpp"

namespace firth::brown {

/// The shape 0 is for clusters whose losses may be mere bounds: citizens, and immigrants of shapes that come
/// after the first 255.
class WordShapes {
 public:
  using Shape = std::uint8_t;

  explicit WordShapes(std::size_t lanes) : shape_(lanes), kinds_(1) {}

  /// Whether losses of the lane are kept exact.
  bool is_exact(Slot lane) const { return shape_[lane] != 0; }
  void set_inexact(Slot lane) { shape_[lane] = 0; }
  void set_all_inexact() { std::fill(shape_.begin(), shape_.end(), Shape{0}); }

  /// Forgets all shapes, then finds those of all immigrants.
  template <class Cell>
  void find(const GroupWindow<Cell>& window);

  /// A citizen with these marginals and degrees is about to grow ...
  void before_growth(const MarginalPair& citizen, const ObjectiveTerms& terms);
  /// ... and has these now. `changes()` are what losses change by, plus `fall`.
  void after_growth(const MarginalPair& citizen, const ObjectiveTerms& terms, Score fall);

  const Shape* by_lane() const { return shape_.data(); }
  const Score* changes() const { return changes_.data(); }  ///< by shape

 private:
  static constexpr std::size_t kMaxShapes = 256;

  std::vector<Shape> shape_;         ///< by lane
  std::vector<MarginalPair> kinds_;  ///< by shape
  std::array<Score, kMaxShapes> changes_{};
};

extern template void WordShapes::find(const GroupWindow<std::uint32_t>&);
extern template void WordShapes::find(const GroupWindow<std::uint64_t>&);

}  // namespace firth::brown

// Vectors as the rows that are clustered.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "firth/cluster_vectors.hpp"
#include "linalg/blas.hpp"

namespace firth::points {

/// Rows, each times a factor of its own: vectors of any length as vectors of length 1, without a copy of them all.
struct ScaledRows {
  linalg::View<const float> rows;
  std::span<const float> scales = {};  ///< empty = 1

  [[nodiscard]] float scale(std::size_t row) const { return scales.empty() ? 1.0F : scales[row]; }
  [[nodiscard]] float at(std::size_t row, std::size_t column) const {
    return scale(row) * rows.row(row)[column];
  }
};

/// Rows of the length that the distance asks for.
class Rows {
 public:
  /// Throws InputError if a number is not finite.
  Rows(const WordVectors& vectors, VectorDistance distance);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  [[nodiscard]] ScaledRows scaled() const { return {view_, scales_}; }
  /// The same as plain numbers; a copy where that differs from the vectors.
  [[nodiscard]] linalg::View<const float> plain();

 private:
  linalg::View<const float> view_;
  std::vector<float> scales_;
  std::vector<float> copy_;
};

}  // namespace firth::points

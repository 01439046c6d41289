// Vectors as the rows that are clustered.
#pragma once

#include <cstddef>
#include <vector>

#include "firth/cluster_vectors.hpp"
#include "linalg/blas.hpp"

namespace firth::points {

/// Rows of the length that the distance asks for; a copy only where something changes.
class Rows {
 public:
  /// Throws InputError if a number is not finite.
  Rows(const WordVectors& vectors, VectorDistance distance);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  [[nodiscard]] linalg::View<const float> view() const { return view_; }

 private:
  std::vector<float> scaled_;
  linalg::View<const float> view_;
};

}  // namespace firth::points

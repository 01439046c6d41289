// Classes of vectors of limited size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firth/class_sizes.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"
#include "linalg/blas.hpp"

namespace firth::balance {

/// Vectors and what each counts.
struct WeightedRows {
  linalg::View<const float> rows;
  std::span<const float> scales = {};    ///< what each row is multiplied by; empty = nothing
  std::span<const double> weights = {};  ///< of the rows in means and sums of squares; empty = 1
  std::vector<std::uint64_t> sizes;      ///< of the rows against the limits
};

/// Classes within the limits, from classes without: rows go to the nearest mean that has room, and change places where
/// that brings them nearer; then means are computed anew, as long as the sum of squares falls. Throws UsageError if the
/// rows cannot fit, Cancelled.
std::vector<ClassId> balanced_rows(const WeightedRows& rows, std::vector<ClassId> classes, ClassId count,
                                   const ClassSizes& limits, const RunOptions& run);

}  // namespace firth::balance

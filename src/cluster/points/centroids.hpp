// Means of classes, and how far rows are from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/points/rows.hpp"
#include "firth/cluster_vectors.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"
#include "linalg/blas.hpp"

namespace firth::points {

/// One mean per class, by rows; classes without a row have zeros and weigh nothing.
struct Centroids {
  std::size_t dimensions = 0;
  std::vector<float> means;
  std::vector<double> weights;  ///< of each class

  [[nodiscard]] std::size_t size() const { return weights.size(); }
  [[nodiscard]] linalg::View<const float> view() const {
    return {means.data(), size(), dimensions, dimensions};
  }
};

/// `classes` of each row, kNoClass = of none; `weights` empty = 1.
Centroids centroids(const ScaledRows& rows, std::span<const ClassId> classes, std::span<const double> weights,
                    ClassId count);

/// Weighted sum of squared distances of the rows to the means of their classes.
double sum_of_squares(const ScaledRows& rows, std::span<const ClassId> classes,
                      std::span<const double> weights, const Centroids& centroids);

/// The class with the nearest mean for each row; of equally near ones the first. Classes that weigh nothing are
/// no candidates.
std::vector<NearestClass> nearest(const ScaledRows& rows, const Centroids& centroids, const RunOptions& run);

}  // namespace firth::points

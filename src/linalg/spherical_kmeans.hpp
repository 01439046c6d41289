// k-means on a product of spheres, weighted, by matrix products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "firth/run.hpp"
#include "linalg/blas.hpp"

namespace firth::linalg {

struct KmeansProblem {
  View<const float> points;  ///< one per row
  /// The columns form this many blocks of equal width. With `unit`, centroids are brought to length 1 in each
  /// block: they lie where the points lie.
  std::size_t blocks = 1;
  std::span<const double> weights = {};       ///< of the points in centroids, >= 0; empty = all the same
  std::span<const std::uint32_t> seeds = {};  ///< rows that are the first centroids, at most as many as rows
  View<const float> start = {};               ///< the first centroids themselves, instead of `seeds`
  /// true: the nearest centroid has the largest dot product. false: the smallest Euclidean distance, and
  /// centroids are plain means.
  bool unit = true;
  std::uint32_t max_iterations = 200;
};

struct KmeansResult {
  std::vector<std::uint32_t> cluster_of;  ///< for each point; every cluster has one
  std::uint32_t iterations = 0;
  bool converged = false;
  /// Weighted sum of dot products (unit) or minus that of squared distances / 2, after each iteration.
  std::vector<double> objective;
};

/// Assigns all points, moves the centroids, and so on until no point changes its cluster. Of equally near
/// centroids the first is taken. A centroid without points stays where it is; in the end it gets the point
/// that is farthest from its own, of clusters of several. Cost of an iteration: 2 points * columns * clusters
/// operations. The result does not depend on the number of threads. Throws Cancelled.
KmeansResult spherical_kmeans(const KmeansProblem& problem, const RunOptions& run);

/// Bytes that it takes besides the points.
std::uint64_t kmeans_bytes(std::size_t points, std::size_t columns, std::size_t clusters);

}  // namespace firth::linalg

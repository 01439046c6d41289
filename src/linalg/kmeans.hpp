// k-means of dense rows (Lloyd 1982, started as Arthur & Vassilvitskii 2007).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "firth/run.hpp"
#include "linalg/blas.hpp"

namespace firth::linalg {

struct KmeansOptions {
  /// Clusters wanted, >= 1.
  std::size_t clusters = 1;
  std::size_t iterations = 20;
};

struct Kmeans {
  std::vector<std::uint32_t> assignment;  ///< of each row; clusters are numbered 0 .. clusters - 1
  std::size_t clusters = 0;               ///< none is empty; fewer than asked for where rows are equal
  double distortion = 0;                  ///< sum of squared distances to the centres
};

/// Deterministic for run.seed and any number of threads. Cost: rows * columns * clusters for each iteration.
Kmeans kmeans(View<const float> rows, const KmeansOptions& options, const RunOptions& run);

}  // namespace firth::linalg

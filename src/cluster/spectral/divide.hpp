// Top-down clustering by recursive 2-means: the alternative that the conclusion of Stratos et al. 2014
// proposes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/run.hpp"
#include "linalg/blas.hpp"

namespace firth::spectral {

/// Classes of rows and the tree of the splits (leaves = classes), last split merged first.
struct Division {
  std::vector<ClassId> classes;
  MergeTree tree;
};

template <typename T>
struct DivideInput {
  linalg::View<const T> vectors;
  std::span<const double> weights;  ///< positive; empty = 1
  ClassId classes = 1;              ///< <= rows
};

/// Splits the cluster with the largest sum of squares in two until there are `classes`. Every split starts
/// from the row farthest from the mean and the row farthest from that one, so nothing is random. Cost: about
/// 10 rounds * rows * dim * depth of the tree.
template <typename T>
Division divide(const DivideInput<T>& input, const RunOptions& run);

}  // namespace firth::spectral

// SVD2 as section 2 of Lamar et al. (2010) writes it: dense matrices, one loop after the other.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "firth/counts.hpp"
#include "firth/svd2.hpp"

namespace firth::reference {

/// U S* (or U) of the left or right context matrix whose columns are `column_of` the words.
Eigen::MatrixXd naive_descriptors(const Counts& counts, bool left, std::span<const ClassId> column_of,
                                  std::size_t columns, std::size_t rank, const Svd2Options& options);

struct NaiveKmeans {
  std::vector<ClassId> cluster_of;
  double min_margin = 1e300;  ///< by how much the closest decision was made: below 1e-5 it is not binding
  bool all_used = true;       ///< no cluster lost all its points, in any pass
};

/// k-means from the first `clusters` points; `width` columns are one sphere. No clusters are filled up.
NaiveKmeans naive_kmeans(const Eigen::MatrixXd& points, Eigen::Index width, std::span<const double> weights,
                         std::size_t clusters, bool unit);

/// The classes; every option but frequent_seeds = false.
NaiveKmeans naive_svd2(const Counts& counts, const Svd2Options& options);

}  // namespace firth::reference

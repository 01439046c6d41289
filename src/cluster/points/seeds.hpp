// Where k-means starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "firth/cluster_vectors.hpp"
#include "linalg/blas.hpp"

namespace firth::points {

/// `count` different rows. With `spread`, rows that equal one that was chosen are taken only when no others are left.
std::vector<std::uint32_t> choose_seeds(linalg::View<const float> rows, std::size_t count, KmeansStart start,
                                        const RunOptions& run);

}  // namespace firth::points

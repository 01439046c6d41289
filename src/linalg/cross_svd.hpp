// The leading singular triplets of A^T B for two tall sparse matrices, without forming the product.
#pragma once

#include <cstddef>
#include <vector>

#include "firth/run.hpp"
#include "linalg/matrix.hpp"
#include "linalg/sparse.hpp"

namespace firth::linalg {

struct CrossSvdOptions {
  /// Singular triplets wanted, >= 1.
  std::size_t rank = 1;
  /// Columns carried besides the wanted ones.
  std::size_t oversample = 8;
  /// Times that the subspace is multiplied by Omega Omega^T.
  std::size_t iterations = 4;
};

template <typename T>
struct CrossSvd {
  Matrix<T> left;                       ///< columns of A x rank, orthonormal columns
  Matrix<T> right;                      ///< columns of B x rank, orthonormal columns
  std::vector<double> singular_values;  ///< falling; as many as are above rounding
};

/// Omega = A^T B / rows. Randomised subspace iteration (Halko, Martinsson & Tropp 2011, algorithm 4.4): the
/// features of a node are few, so four products with A and B cost less than one with the far denser Omega.
/// Deterministic for run.seed and any number of threads.
template <typename T>
CrossSvd<T> cross_svd(const SparseRows<T>& a, const SparseRows<T>& b, const CrossSvdOptions& options,
                      const RunOptions& run);

}  // namespace firth::linalg

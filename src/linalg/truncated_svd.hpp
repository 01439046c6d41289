// The leading left singular vectors of a sparse matrix, by block Lanczos with full reorthogonalisation and
// thick restarts. MATH.md of cluster/spectral tells why this method and what it costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "firth/run.hpp"
#include "linalg/gram_operator.hpp"
#include "linalg/matrix.hpp"

namespace firth::linalg {

struct SvdOptions {
  /// Singular triplets wanted, >= 1.
  std::size_t rank = 1;
  /// A triplet has converged when |Omega v - sigma u| <= tolerance * sigma_1.
  double tolerance = 2e-2;
  /// Columns of the Krylov basis; 0 = 2 rank + 160, at most 3 rank. Memory: rows * columns.
  std::size_t basis = 0;
  /// Columns that are multiplied at a time; 0 = about rank / 10.
  std::size_t block = 0;
  /// Times that the basis may be compressed and grown again when the tolerance is not yet kept.
  std::size_t restarts = 30;
};

/// What truncated_svd() will do with some options: the sizes that decide its memory.
struct SvdPlan {
  bool dense = false;     ///< few rows: all eigenvalues of the dense matrix
  std::size_t basis = 0;  ///< columns of the Krylov basis, a multiple of block
  std::size_t block = 0;
};
SvdPlan plan_svd(std::size_t rows, const SvdOptions& options);

/// Bytes that truncated_svd() takes at its peak, with its result, for numbers of `scalar` bytes, on the rank that
/// has most rows.
std::uint64_t svd_bytes(std::size_t rows, const SvdOptions& options, std::size_t scalar,
                        const base::Ranks& ranks = base::Ranks());

template <typename T>
struct SvdResult {
  Matrix<T> vectors;                    ///< rows x rank, orthonormal columns
  std::vector<double> singular_values;  ///< falling
  std::vector<double> residuals;        ///< |Omega v - sigma u| / sigma_1 of each triplet
  std::uint64_t products = 0;           ///< columns multiplied by Omega Omega^T
  std::size_t restarts = 0;
  bool converged = true;  ///< every residual is within the tolerance
};

/// The leading singular triplets; fewer than asked for where the matrix has a smaller rank. Deterministic for
/// run.seed and any number of threads and ranks.
template <typename T>
SvdResult<T> truncated_svd(const GramOperator<T>& matrix, const SvdOptions& options, const RunOptions& run);

}  // namespace firth::linalg

// The symmetric operator whose eigenvectors are the left singular vectors of a matrix of several blocks side
// by side. The wide matrix itself is never formed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/ranks.hpp"
#include "firth/run.hpp"
#include "linalg/blas.hpp"
#include "linalg/matrix.hpp"
#include "linalg/sparse.hpp"

namespace firth::linalg {

/// Which rank has which rows of sparse matrices: rank r those from begins[r] to begins[r + 1], the others being empty.
struct RowShares {
  base::Ranks ranks = base::Ranks();
  std::vector<std::size_t> begins;  ///< may be empty if there is one rank

  base::Share own(std::size_t rows) const {
    if (begins.empty()) return {0, rows};
    return {begins[ranks.rank()], begins[ranks.rank() + 1]};
  }
  /// Every rank has its own rows of `all`, `width` numbers each; afterwards every rank has all of them.
  template <typename T>
  void gather(std::span<T> all, std::size_t width) const {
    if (ranks.alone()) return;
    std::vector<std::size_t> bytes;
    for (const std::size_t begin : begins) bytes.push_back(begin * width * sizeof(T));
    ranks.world().gather(std::as_writable_bytes(all), bytes);
  }
};

/// A = sum over blocks j of Omega_j Omega_j^T, with Omega_j = diag(left) B_j diag(right_j).
/// Blocks refer to matrices owned by somebody else: the block for context offset -d is that of +d with
/// `matrix` and `transpose` exchanged, so neither is stored twice.
template <typename T>
class GramOperator {
 public:
  struct Block {
    const SparseRows<T>* matrix = nullptr;
    const SparseRows<T>* transpose = nullptr;
    std::vector<T> right_squared;  ///< right_j squared, one for each column; empty = all 1
  };

  /// `left` has one entry for each row. Matrices of blocks have the rows of this rank.
  GramOperator(std::vector<T> left, std::vector<Block> blocks, RowShares shares = {});

  std::size_t size() const noexcept { return left_.size(); }

  /// Whether row i of the wide matrix has a nonzero.
  bool active(std::size_t i) const { return active_[i] != 0; }
  std::size_t active_count() const noexcept { return active_count_; }

  /// y = A x; x and y have the same number of columns, and the rows that tall_rows() gives this rank. Cost: 4 *
  /// nonzeros of all blocks * columns.
  void apply(View<const T> x, View<T> y, const RunOptions& run) const;

 private:
  /// out = sum over blocks of B_j diag(right_j^2) B_j^T in, for panels of `width` columns.
  void multiply_blocks(const Matrix<T>& in, Matrix<T>& middle, Matrix<T>& out, const RunOptions& run) const;

  RowShares shares_;
  std::vector<T> left_;
  std::vector<Block> blocks_;
  std::vector<char> active_;
  std::size_t active_count_ = 0;
};

}  // namespace firth::linalg

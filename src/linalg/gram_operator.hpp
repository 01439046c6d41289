// The symmetric operator whose eigenvectors are the left singular vectors of a matrix of several blocks side
// by side. The wide matrix itself is never formed.
#pragma once

#include <cstddef>
#include <vector>

#include "firth/run.hpp"
#include "linalg/blas.hpp"
#include "linalg/sparse.hpp"

namespace firth::linalg {

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

  /// `left` has one entry for each row.
  GramOperator(std::vector<T> left, std::vector<Block> blocks);

  std::size_t size() const noexcept { return left_.size(); }

  /// Whether row i of the wide matrix has a nonzero.
  bool active(std::size_t i) const { return active_[i] != 0; }
  std::size_t active_count() const noexcept { return active_count_; }

  /// y = A x; x and y have the same number of columns. Cost: 4 * nonzeros of all blocks * columns.
  void apply(View<const T> x, View<T> y, const RunOptions& run) const;

 private:
  std::vector<T> left_;
  std::vector<Block> blocks_;
  std::vector<char> active_;
  std::size_t active_count_ = 0;
};

}  // namespace firth::linalg

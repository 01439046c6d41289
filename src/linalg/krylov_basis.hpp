// The growing orthonormal basis of block Lanczos and the matrix T = Q^T A Q that comes with it.
#pragma once

#include <cstddef>
#include <vector>

#include "base/rng.hpp"
#include "firth/run.hpp"
#include "linalg/gram_operator.hpp"
#include "linalg/matrix.hpp"

namespace firth::linalg {

/// With ranks, each holds some of the rows of Q and Y (tall_rows()); T and what follows from it are the same
/// everywhere, since small eigenproblems are solved by rank 0.
/// Notation: A the operator (n x n), Q the basis (n x K, orthonormal columns), b columns a block,
/// Y the block under construction, T = Q^T A Q (K x K).
template <typename T>
class KrylovBasis {
 public:
  KrylovBasis(const GramOperator<T>& matrix, std::size_t capacity, std::size_t block, const RunOptions& run);

  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return q_.columns(); }
  std::size_t block() const noexcept { return y_.columns(); }

  /// Multiplies the newest block by A and takes what the basis knows out of the product (T gains a block
  /// column); what remains is the residual block.
  void advance();

  /// Makes the residual block the newest block of the basis.
  void append();

  /// Y^T Y of the residual block: the norm of the residual of the Ritz vector Q w is that of Y w_last, w_last
  /// being the last b entries of w.
  Matrix<double> residual_gram() const;

  /// T, the part with column >= row.
  const Matrix<double>& projected() const noexcept { return t_; }

  /// Q <- Q w^T for `rows` Ritz vectors (rows of w) with their values: the thick restart of Wu and Simon
  /// (2000).
  void compress(const Matrix<T>& ritz, const std::vector<double>& values);

  /// Q w^T into a matrix of its own, with all rows on every rank.
  Matrix<T> combine(const Matrix<T>& ritz) const;

 private:
  void project(std::size_t begin, bool record);
  void orthonormalise();
  void fill_random(std::size_t column);

  const GramOperator<T>& matrix_;
  const RunOptions& run_;
  base::Ranks ranks_;
  base::Share rows_;
  base::Rng rng_;
  Matrix<T> q_;
  Matrix<T> y_;
  Matrix<double> t_;
  std::size_t size_ = 0;
  double norm_ = 0;  // largest column norm of A Q seen: the scale that tells a small residual from none
  bool compressed_ = false;
};

}  // namespace firth::linalg

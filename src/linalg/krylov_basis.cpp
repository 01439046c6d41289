#include "linalg/krylov_basis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linalg/tall.hpp"

namespace firth::linalg {
namespace {

// Below this, the part of a column that is new is comparable to rounding noise of the projection, so it has
// to be projected again after it is brought to length one.
constexpr double kWeak = 1e-4;
constexpr int kMaxPasses = 6;

template <typename T>
Matrix<T> narrowed(const Matrix<double>& from) {
  Matrix<T> to(from.rows(), from.columns());
  for (std::size_t i = 0; i < from.rows(); ++i) {
    std::transform(from.row(i), from.row(i) + from.columns(), to.row(i),
                   [](double value) { return static_cast<T>(value); });
  }
  return to;
}

template <typename T>
Matrix<T> flipped(const Matrix<T>& from) {
  Matrix<T> to(from.columns(), from.rows());
  for (std::size_t i = 0; i < from.rows(); ++i) {
    for (std::size_t j = 0; j < from.columns(); ++j) to(j, i) = from(i, j);
  }
  return to;
}

/// One pass of SVQB (Stathopoulos and Wu 2002): the transformation that makes the columns behind a Gram
/// matrix orthonormal. Unlike Cholesky it also says which directions are missing.
struct Svqb {
  Matrix<double> transform;
  std::vector<char> missing;  ///< columns that have nothing of their own
  double smallest = 1;        ///< eigenvalue of the equilibrated Gram matrix, without the missing ones
};

/// Rank 0 solves it for all.
Svqb svqb(const Matrix<double>& gram, double none, const base::Ranks& ranks) {
  const std::size_t b = gram.rows();
  std::vector<double> scale(b);
  for (std::size_t i = 0; i < b; ++i) {
    scale[i] = gram(i, i) > none * none ? 1 / std::sqrt(gram(i, i)) : 0.0;
  }
  Matrix<double> vectors(b, b);
  for (std::size_t i = 0; i < b; ++i) {
    for (std::size_t j = 0; j < b; ++j) vectors(i, j) = gram(i, j) * scale[i] * scale[j];
  }
  std::vector<double> values(b);
  root_symmetric_eigen(vectors, values, ranks);
  Svqb result{Matrix<double>(b, b), std::vector<char>(b, 0), 1};
  for (std::size_t k = 0; k < b; ++k) {
    result.missing[k] = values[k] < 1e-11 ? 1 : 0;
    if (result.missing[k] == 0) result.smallest = std::min(result.smallest, values[k]);
    const double factor = result.missing[k] != 0 ? 0.0 : 1 / std::sqrt(values[k]);
    for (std::size_t i = 0; i < b; ++i) result.transform(i, k) = scale[i] * vectors(k, i) * factor;
  }
  return result;
}

}  // namespace

template <typename T>
KrylovBasis<T>::KrylovBasis(const GramOperator<T>& matrix, std::size_t capacity, std::size_t block,
                            const RunOptions& run)
    : matrix_(matrix),
      run_(run),
      ranks_(run),
      rows_(tall_rows(matrix.size(), ranks_)),
      rng_(run.seed),
      q_(rows_.size(), capacity, padded_stride<T>(capacity)),
      y_(rows_.size(), block),
      t_(capacity, capacity) {
  t_.fill(0);
  for (std::size_t column = 0; column < block; ++column) fill_random(column);
  append();
}

template <typename T>
void KrylovBasis<T>::fill_random(std::size_t column) {
  // Rows without nonzeros stay exactly 0 in every vector, so words without context are told by their vectors.
  for (std::size_t i = 0; i < matrix_.size(); ++i) {
    const double value = 2 * rng_.uniform() - 1;  // the same numbers whatever the number of ranks
    if (i < rows_.begin || i >= rows_.end) continue;
    y_(i - rows_.begin, column) = matrix_.active(i) ? static_cast<T>(value) : T{0};
  }
}

template <typename T>
void KrylovBasis<T>::project(std::size_t begin, bool record) {
  const View<const T> basis = {q_.row(0) + begin, q_.rows(), size_ - begin, q_.stride()};
  const Matrix<double> c = tall_product<T>(basis, std::as_const(y_).view(), matrix_.size(), run_);
  tall_subtract<T>(basis, narrowed<T>(c), y_.view(), run_);
  if (!record) return;
  for (std::size_t i = 0; i < c.rows(); ++i) {
    for (std::size_t j = 0; j < c.columns(); ++j) t_(begin + i, size_ - block() + j) += c(i, j);
  }
}

template <typename T>
void KrylovBasis<T>::advance() {
  const std::size_t first = size_ - block();
  matrix_.apply({q_.row(0) + first, q_.rows(), block(), q_.stride()}, y_.view(), run_);
  // In exact arithmetic only the last two blocks matter (or, after a restart, all): taking them out first
  // leaves the pass over the whole basis nothing but rounding errors to remove.
  project(compressed_ || first < block() ? 0 : first - block(), true);
  compressed_ = false;
  project(0, true);
  for (std::size_t j = first; j < size_; ++j) norm_ = std::max(norm_, std::abs(t_(j, j)));
}

template <typename T>
Matrix<double> KrylovBasis<T>::residual_gram() const {
  return tall_product<T>(y_.view(), y_.view(), matrix_.size(), run_);
}

template <typename T>
void KrylovBasis<T>::orthonormalise() {
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const Matrix<double> gram = residual_gram();
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < block(); ++i) shortest = std::min(shortest, std::sqrt(gram(i, i)));
    const double scale = pass == 0 ? norm_ : 0;
    const Svqb step = svqb(gram, scale * std::numeric_limits<T>::epsilon() * 1e-3, ranks_);
    tall_transform<T>(std::as_const(y_).view(), narrowed<T>(step.transform), y_.view(), run_);
    const bool replaced = std::count(step.missing.begin(), step.missing.end(), 1) > 0;
    for (std::size_t k = 0; k < block(); ++k) {
      if (step.missing[k] != 0) fill_random(k);
    }
    const bool weak = shortest < kWeak * scale || step.smallest < kWeak;
    if (size_ > 0 && (replaced || weak)) project(0, false);
    if (!replaced && !weak && step.smallest > 0.1) return;
  }
}

template <typename T>
void KrylovBasis<T>::append() {
  orthonormalise();
  for (std::size_t i = 0; i < y_.rows(); ++i) std::copy_n(y_.row(i), block(), q_.row(i) + size_);
  size_ += block();
}

template <typename T>
void KrylovBasis<T>::compress(const Matrix<T>& ritz, const std::vector<double>& values) {
  const View<const T> basis = {q_.row(0), q_.rows(), size_, q_.stride()};
  tall_transform<T>(basis, flipped(ritz), {q_.row(0), q_.rows(), ritz.rows(), q_.stride()}, run_);
  size_ = ritz.rows();
  t_.fill(0);
  for (std::size_t i = 0; i < size_; ++i) t_(i, i) = values[i];
  compressed_ = true;
}

template <typename T>
Matrix<T> KrylovBasis<T>::combine(const Matrix<T>& ritz) const {
  Matrix<T> result(matrix_.size(), ritz.rows());
  tall_transform<T>({q_.row(0), q_.rows(), size_, q_.stride()}, flipped(ritz),
                    result.view().block(rows_.begin, rows_.size(), 0, ritz.rows()), run_);
  gather_tall_rows(result.view(), ranks_);
  return result;
}

template class KrylovBasis<float>;
template class KrylovBasis<double>;

}  // namespace firth::linalg

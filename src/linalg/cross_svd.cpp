#include "linalg/cross_svd.hpp"

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "linalg/blas.hpp"
#include "linalg/tall.hpp"

namespace firth::linalg {
namespace {

/// A matrix with its transpose, so that both products gather.
template <typename T>
struct BothWays {
  explicit BothWays(const SparseRows<T>& m) : matrix(m), transpose(transposed(m)) {}
  const SparseRows<T>& matrix;
  SparseRows<T> transpose;
};

/// out = matrix * in, panel by panel.
template <typename T>
Matrix<T> product(const SparseRows<T>& matrix, const Matrix<T>& in, const RunOptions& run) {
  constexpr std::size_t width = kWidePanel;
  Matrix<T> out(matrix.rows(), in.columns());
  std::vector<T> from(matrix.columns * width);
  std::vector<T> to(matrix.rows() * width);
  for (std::size_t first = 0; first < in.columns(); first += width) {
    const std::size_t used = std::min(width, in.columns() - first);
    std::fill(from.begin(), from.end(), T{0});
    for (std::size_t i = 0; i < in.rows(); ++i) std::copy_n(in.row(i) + first, used, from.data() + i * width);
    multiply_panel<T>({matrix, from.data(), to.data(), width, {0, matrix.rows()}}, run);
    for (std::size_t i = 0; i < out.rows(); ++i) std::copy_n(to.data() + i * width, used, out.row(i) + first);
  }
  return out;
}

/// An orthonormal basis of the columns, by the eigenvectors of their Gram matrix; directions that are zero up
/// to rounding are left out.
template <typename T>
Matrix<T> orthonormal(const Matrix<T>& columns, const RunOptions& run) {
  const std::size_t width = columns.columns();
  Matrix<double> gram = tall_product<T>(columns.view(), columns.view(), run);
  std::vector<double> values(width);
  symmetric_eigen<double>(gram.view(), values);
  const double floor = values.back() * 1e-12;
  std::size_t kept = 0;
  while (kept < width && values[width - 1 - kept] > floor && values[width - 1 - kept] > 0) ++kept;
  Matrix<T> turn(width, kept);
  for (std::size_t j = 0; j < kept; ++j) {
    const double scale = 1 / std::sqrt(values[width - 1 - j]);
    for (std::size_t i = 0; i < width; ++i) turn(i, j) = static_cast<T>(gram(width - 1 - j, i) * scale);
  }
  Matrix<T> basis(columns.rows(), kept);
  tall_transform<T>(columns.view(), turn, basis.view(), run);
  return basis;
}

template <typename T>
Matrix<T> random_columns(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  base::Rng rng(seed);
  Matrix<T> result(rows, columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) result(i, j) = static_cast<T>(rng.uniform() - 0.5);
  return result;
}

template <typename T>
class Cross {
 public:
  Cross(const SparseRows<T>& a, const SparseRows<T>& b, const RunOptions& run) : a_(a), b_(b), run_(run) {}
  Matrix<T> forward(const Matrix<T>& x) const {
    return product(a_.transpose, product(b_.matrix, x, run_), run_);
  }
  Matrix<T> backward(const Matrix<T>& x) const {
    return product(b_.transpose, product(a_.matrix, x, run_), run_);
  }

 private:
  BothWays<T> a_;
  BothWays<T> b_;
  const RunOptions& run_;
};

/// Rotates an orthonormal basis q of the left space to singular vectors: with w = Omega^T q, the eigenvectors
/// of w^T w = q^T Omega Omega^T q.
template <typename T>
CrossSvd<T> rotate(const Matrix<T>& q, const Matrix<T>& w, std::size_t rank, double rows) {
  const RunOptions run{.threads = 1};
  const std::size_t width = q.columns();
  Matrix<double> gram = tall_product<T>(w.view(), w.view(), run);
  std::vector<double> values(width);
  symmetric_eigen<double>(gram.view(), values);
  const std::size_t wanted = std::min(rank, width);
  CrossSvd<T> result;
  while (result.singular_values.size() < wanted) {
    const double value = values[width - 1 - result.singular_values.size()];
    if (!(value > values.back() * 1e-13) || !(value > 0)) break;
    result.singular_values.push_back(std::sqrt(value));
  }
  const std::size_t kept = result.singular_values.size();
  Matrix<T> turn(width, kept);
  Matrix<T> turn_right(width, kept);
  for (std::size_t j = 0; j < kept; ++j)
    for (std::size_t i = 0; i < width; ++i) {
      turn(i, j) = static_cast<T>(gram(width - 1 - j, i));
      turn_right(i, j) = static_cast<T>(gram(width - 1 - j, i) / result.singular_values[j]);
    }
  result.left = Matrix<T>(q.rows(), kept);
  result.right = Matrix<T>(w.rows(), kept);
  tall_transform<T>(q.view(), turn, result.left.view(), run);
  tall_transform<T>(w.view(), turn_right, result.right.view(), run);
  for (double& value : result.singular_values) value /= rows;
  return result;
}

}  // namespace

template <typename T>
CrossSvd<T> cross_svd(const SparseRows<T>& a, const SparseRows<T>& b, const CrossSvdOptions& options,
                      const RunOptions& run) {
  const std::size_t width =
      std::min({options.rank + options.oversample, a.columns, b.columns, std::max<std::size_t>(a.rows(), 1)});
  if (width == 0 || a.nonzeros() == 0 || b.nonzeros() == 0) return {};
  const SingleThreadedBlas guard;
  const Cross<T> omega(a, b, run);
  Matrix<T> q = orthonormal(omega.forward(random_columns<T>(b.columns, width, run.seed)), run);
  for (std::size_t i = 0; i < options.iterations && q.columns() > 0; ++i) {
    run.check_stop();
    q = orthonormal(omega.forward(orthonormal(omega.backward(q), run)), run);
  }
  if (q.columns() == 0) return {};
  return rotate(q, omega.backward(q), options.rank, static_cast<double>(a.rows()));
}

template CrossSvd<float> cross_svd(const SparseRows<float>&, const SparseRows<float>&, const CrossSvdOptions&,
                                   const RunOptions&);
template CrossSvd<double> cross_svd(const SparseRows<double>&, const SparseRows<double>&,
                                    const CrossSvdOptions&, const RunOptions&);

}  // namespace firth::linalg

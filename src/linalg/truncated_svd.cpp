#include "linalg/truncated_svd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/stage.hpp"
#include "linalg/krylov_basis.hpp"
#include "linalg/tall.hpp"

namespace firth::linalg {
namespace {

// Up to this many rows all eigenvalues of the dense matrix are as fast as a few of them.
constexpr std::size_t kDenseRows = 768;
// What counts is the degree of the polynomial, so that fewer, wider blocks converge worse; narrow ones make
// slow products. These sizes reach 0.9994 of the converged energy and more at ranks 200 to 1000 in about 20
// steps.
constexpr std::size_t kWidestBlock = 128;
constexpr std::size_t kMoreColumns = 160;

std::size_t rounded_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Eigenvalues of Omega Omega^T below this part of the largest are rounding noise.
template <typename T>
double rank_threshold() {
  return std::numeric_limits<T>::epsilon() * 16;
}

template <typename T>
struct Ritz {
  Matrix<T> vectors;           ///< one in each row, coordinates in the basis
  std::vector<double> values;  ///< falling
};

/// The `count` largest eigenpairs of the leading part of `symmetric`, of which column >= row is read.
template <typename T>
Ritz<T> largest_pairs(const Matrix<double>& symmetric, std::size_t size, std::size_t count,
                      const RunOptions& run) {
  Matrix<double> work(size, size);
  for (std::size_t i = 0; i < size; ++i) std::copy_n(symmetric.row(i), size, work.row(i));
  std::vector<double> rising(size);
  root_symmetric_eigen(work, rising, base::Ranks(run));
  Ritz<T> result{Matrix<T>(count, size), std::vector<double>(count)};
  for (std::size_t k = 0; k < count; ++k) {
    const double* from = work.row(size - 1 - k);
    std::transform(from, from + size, result.vectors.row(k), [](double x) { return static_cast<T>(x); });
    result.values[k] = std::max(rising[size - 1 - k], 0.0);
  }
  return result;
}

template <typename T>
std::size_t numerical_rank(const std::vector<double>& values, std::size_t wanted) {
  std::size_t rank = 0;
  while (rank < std::min(wanted, values.size()) && values[rank] > 0 &&
         values[rank] > rank_threshold<T>() * values[0]) {
    ++rank;
  }
  return rank;
}

/// sqrt of eigenvalues; residual norms of A u - sigma^2 u into those of Omega v - sigma u, v = Omega^T u /
/// sigma.
template <typename T>
void set_singular_values(const std::vector<double>& values, const std::vector<double>& norms,
                         SvdResult<T>& result) {
  for (std::size_t k = 0; k < norms.size(); ++k) {
    const double sigma = std::sqrt(values[k]);
    result.singular_values.push_back(sigma);
    result.residuals.push_back(norms[k] / (sigma * std::sqrt(values[0])));
  }
}

template <typename T>
Matrix<T> leading_rows(const Matrix<T>& from, std::size_t rows) {
  Matrix<T> to(rows, from.columns());
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(from.row(i), from.columns(), to.row(i));
  return to;
}

template <typename T>
SvdResult<T> dense_svd(const GramOperator<T>& matrix, const SvdOptions& options, const RunOptions& run) {
  const std::size_t n = matrix.size();
  const base::Ranks ranks(run);
  const base::Share rows = tall_rows(n, ranks);
  Matrix<T> identity(rows.size(), n);
  identity.fill(0);
  for (std::size_t i = 0; i < rows.size(); ++i) identity(i, rows.begin + i) = 1;
  Matrix<T> gram(n, n);
  matrix.apply(std::as_const(identity).view(), gram.view().block(rows.begin, rows.size(), 0, n), run);
  gather_tall_rows(gram.view(), ranks);
  Matrix<double> symmetric(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) symmetric(i, j) = 0.5 * (double{gram(i, j)} + double{gram(j, i)});
  }
  const Ritz<T> ritz = largest_pairs<T>(symmetric, n, std::min(options.rank, n), run);
  const std::size_t rank = numerical_rank<T>(ritz.values, options.rank);
  SvdResult<T> result{Matrix<T>(n, rank), {}, {}, n, 0, true};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < rank; ++k)
      result.vectors(i, k) = matrix.active(i) ? ritz.vectors(k, i) : T{0};
  }
  set_singular_values(ritz.values, std::vector<double>(rank, 0.0), result);
  return result;
}

/// Norm of the residual of each of the first `count` Ritz vectors.
template <typename T>
std::vector<double> residual_norms(const Matrix<double>& gram, const Ritz<T>& ritz, std::size_t count) {
  const std::size_t b = gram.rows();
  std::vector<double> norms(count);
  for (std::size_t k = 0; k < count; ++k) {
    const T* last = ritz.vectors.row(k) + ritz.vectors.columns() - b;
    double square = 0;
    for (std::size_t i = 0; i < b; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < b; ++j) sum += gram(i, j) * static_cast<double>(last[j]);
      square += sum * static_cast<double>(last[i]);
    }
    norms[k] = std::sqrt(std::max(square, 0.0));
  }
  return norms;
}

/// Ritz vectors that a restart keeps: the wanted ones and some of the next, so that what follows fills the
/// basis.
std::size_t kept_at_restart(const SvdPlan& plan, std::size_t rank) {
  const std::size_t room = plan.basis - rank;
  const std::size_t blocks = std::max<std::size_t>(room * 3 / 5 / plan.block, 1);
  return plan.basis - blocks * plan.block;
}

template <typename T>
class KrylovSvd {
 public:
  KrylovSvd(const GramOperator<T>& matrix, const SvdOptions& options, const RunOptions& run)
      : options_(options),
        run_(run),
        plan_(plan_svd(matrix.size(), options)),
        basis_(matrix, plan_.basis, plan_.block, run) {}

  SvdResult<T> solve() {
    for (std::size_t restarts = 0;; ++restarts) {
      grow();
      const std::size_t count = std::max(options_.rank, kept_at_restart(plan_, options_.rank));
      const Ritz<T> ritz = largest_pairs<T>(basis_.projected(), basis_.size(), count, run_);
      const std::size_t rank = numerical_rank<T>(ritz.values, options_.rank);
      const std::vector<double> norms = residual_norms(basis_.residual_gram(), ritz, rank);
      SvdResult<T> result;
      set_singular_values(ritz.values, norms, result);
      result.converged = std::all_of(result.residuals.begin(), result.residuals.end(),
                                     [&](double residual) { return residual <= options_.tolerance; });
      if (result.converged || restarts == options_.restarts) {
        result.vectors = basis_.combine(leading_rows(ritz.vectors, rank));
        result.products = products_;
        result.restarts = restarts;
        return result;
      }
      const std::size_t kept = kept_at_restart(plan_, options_.rank);
      basis_.compress(leading_rows(ritz.vectors, kept), ritz.values);
      basis_.append();
    }
  }

 private:
  void grow() {
    const base::Stage stage(run_, "singular vectors", "columns", basis_.capacity());
    for (;;) {
      basis_.advance();
      products_ += basis_.block();
      stage.advance(basis_.size());
      if (basis_.size() + basis_.block() > basis_.capacity()) break;
      basis_.append();
    }
  }

  const SvdOptions& options_;
  const RunOptions& run_;
  SvdPlan plan_;
  KrylovBasis<T> basis_;
  std::uint64_t products_ = 0;
};

}  // namespace

SvdPlan plan_svd(std::size_t rows, const SvdOptions& options) {
  SvdPlan plan;
  plan.block = options.block;
  if (plan.block == 0) {
    const std::size_t nearest = (options.rank / 10 + kWidePanel / 2) / kWidePanel * kWidePanel;
    plan.block = std::clamp(nearest, kNarrowPanel, kWidestBlock);
  }
  // With the result, never more than four times rows x rank numbers (for ranks that matter).
  const std::size_t usual = std::min(2 * options.rank + kMoreColumns, 3 * options.rank);
  const std::size_t wanted = options.basis > 0 ? options.basis : usual;
  plan.basis = rounded_up(std::max(wanted, options.rank + 4 * plan.block), plan.block);
  plan.dense = rows <= kDenseRows || rows <= plan.basis + 2 * plan.block;
  return plan;
}

std::uint64_t svd_bytes(std::size_t rows, const SvdOptions& options, std::size_t scalar,
                        const base::Ranks& ranks) {
  const SvdPlan plan = plan_svd(rows, options);
  const std::uint64_t panels = 3 * rows * kWidePanel * scalar;
  if (plan.dense) {
    return rows * rows * (2 * scalar + 2 * sizeof(double)) + symmetric_eigen_bytes<double>(rows) + panels;
  }
  std::uint64_t own = 0;
  for (unsigned r = 0; r < ranks.size(); ++r)
    own = std::max<std::uint64_t>(own, tall_rows(rows, ranks, r).size());
  const std::uint64_t basis = own * padded_stride<float>(plan.basis) * scalar;
  const std::uint64_t block = own * plan.block * scalar;
  const std::uint64_t sums = tall_product_bytes(rows, plan.basis * plan.block);
  const std::uint64_t eigen = symmetric_eigen_bytes<double>(plan.basis) + 2 * plan.basis * plan.basis * 8;
  const std::uint64_t result = rows * options.rank * scalar;
  return basis + block + std::max({panels + sums, eigen, result});
}

template <typename T>
SvdResult<T> truncated_svd(const GramOperator<T>& matrix, const SvdOptions& options, const RunOptions& run) {
  const SingleThreadedBlas single;
  const SvdPlan plan = plan_svd(matrix.size(), options);
  // A basis cannot have more orthonormal columns than there are rows that are not zero.
  if (plan.dense || matrix.active_count() <= plan.basis + plan.block) return dense_svd(matrix, options, run);
  return KrylovSvd<T>(matrix, options, run).solve();
}

template SvdResult<float> truncated_svd(const GramOperator<float>&, const SvdOptions&, const RunOptions&);
template SvdResult<double> truncated_svd(const GramOperator<double>&, const SvdOptions&, const RunOptions&);

}  // namespace firth::linalg

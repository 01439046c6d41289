#include "linalg/truncated_svd.hpp"

#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymEigsSolver.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <cmath>

#include "base/rng.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

using linalg::GramOperator;
using linalg::SparseRows;
using linalg::SvdOptions;
using linalg::SvdResult;

/// A matrix of words by contexts: Zipfian rows and columns with a planted block structure, so that there is a
/// spectrum worth finding.
template <typename T>
SparseRows<T> random_sparse(base::Rng& rng, std::size_t rows, std::size_t columns, std::size_t entries) {
  std::vector<std::vector<std::pair<std::uint32_t, T>>> lists(rows);
  for (std::size_t i = 0; i < entries; ++i) {
    const auto row = static_cast<std::size_t>(rng.uniform() * rng.uniform() * static_cast<double>(rows));
    const std::size_t group = row % 12;
    const auto column =
        static_cast<std::size_t>(rng.uniform() * static_cast<double>(columns / 12)) * 12 + group;
    lists[row].emplace_back(static_cast<std::uint32_t>(std::min(column, columns - 1)),
                            static_cast<T>(rng.uniform()));
  }
  SparseRows<T> result;
  result.columns = columns;
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    for (const auto& [column, value] : list) {
      if (result.indices.size() > result.offsets.back() && result.indices.back() == column) continue;
      result.indices.push_back(column);
      result.values.push_back(value);
    }
    result.offsets.push_back(result.indices.size());
  }
  return result;
}

template <typename T>
struct Problem {
  SparseRows<T> matrix;
  SparseRows<T> transpose;
  std::vector<T> left;
  std::vector<T> right;

  Problem(base::Rng& rng, std::size_t size, std::size_t entries)
      : matrix(random_sparse<T>(rng, size, size, entries)), transpose(linalg::transposed(matrix)) {
    for (std::size_t i = 0; i < size; ++i) {
      left.push_back(static_cast<T>(0.1 + rng.uniform()));
      right.push_back(static_cast<T>(0.1 + rng.uniform()));
    }
  }

  /// Two blocks, the second with the roles of rows and columns exchanged, as for contexts +1 and -1.
  GramOperator<T> gram() const {
    return GramOperator<T>(left, {{&matrix, &transpose, right}, {&transpose, &matrix, {}}});
  }

  Eigen::MatrixXd dense() const {
    const auto n = static_cast<Eigen::Index>(matrix.rows());
    Eigen::MatrixXd b = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      for (std::uint64_t k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
        b(static_cast<Eigen::Index>(i), matrix.indices[k]) = static_cast<double>(matrix.values[k]);
      }
    }
    Eigen::VectorXd l(n);
    Eigen::VectorXd r(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      l(i) = static_cast<double>(left[static_cast<std::size_t>(i)]);
      r(i) = std::sqrt(static_cast<double>(right[static_cast<std::size_t>(i)]));
    }
    Eigen::MatrixXd omega(n, 2 * n);
    omega.leftCols(n) = l.asDiagonal() * b * r.asDiagonal();
    omega.rightCols(n) = l.asDiagonal() * b.transpose();
    return omega;
  }
};

template <typename T>
Eigen::MatrixXd to_eigen(const linalg::Matrix<T>& matrix) {
  Eigen::MatrixXd result(static_cast<Eigen::Index>(matrix.rows()),
                         static_cast<Eigen::Index>(matrix.columns()));
  for (Eigen::Index i = 0; i < result.rows(); ++i) {
    for (Eigen::Index j = 0; j < result.cols(); ++j) {
      result(i, j) = static_cast<double>(matrix(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
    }
  }
  return result;
}

Eigen::VectorXd spectra_values(const Eigen::MatrixXd& gram, Eigen::Index count) {
  const Eigen::SparseMatrix<double> sparse = gram.sparseView();
  Spectra::SparseSymMatProd<double> product(sparse);
  Spectra::SymEigsSolver<Spectra::SparseSymMatProd<double>> solver(product, count, 3 * count);
  solver.init();
  solver.compute(Spectra::SortRule::LargestAlge, 2000, 1e-12);
  return solver.eigenvalues().cwiseSqrt();
}

TEST(TruncatedSvd, SmallMatricesAgreeWithEigen) {
  base::Rng rng(1);
  for (int i = 0; i < 60; ++i) {
    const std::size_t size = 2 + rng.below(60);
    const Problem<double> problem(rng, size, 4 * size);
    SvdOptions options;
    options.rank = 1 + rng.below(size);
    const SvdResult<double> result = linalg::truncated_svd(problem.gram(), options, {});
    const Eigen::MatrixXd omega = problem.dense();
    const Eigen::VectorXd expected = Eigen::JacobiSVD<Eigen::MatrixXd>(omega).singularValues();
    for (std::size_t k = 0; k < result.singular_values.size(); ++k) {
      EXPECT_NEAR(result.singular_values[k], expected(static_cast<Eigen::Index>(k)), 1e-9 * expected(0));
    }
    const Eigen::MatrixXd u = to_eigen(result.vectors);
    EXPECT_LT((u.transpose() * u - Eigen::MatrixXd::Identity(u.cols(), u.cols())).norm(), 1e-9);
  }
}

template <typename T>
void compare_with_spectra(double tolerance, double value_error, double orthogonality) {
  base::Rng rng(2);
  const Problem<T> problem(rng, 1500, 30000);
  SvdOptions options;
  options.rank = 24;
  options.tolerance = tolerance;
  ASSERT_FALSE(linalg::plan_svd(1500, options).dense);
  const SvdResult<T> result = linalg::truncated_svd(problem.gram(), options, {});
  const Eigen::MatrixXd omega = problem.dense();
  const Eigen::MatrixXd gram = omega * omega.transpose();
  const Eigen::VectorXd expected = spectra_values(gram, 24);
  ASSERT_TRUE(result.converged);
  ASSERT_EQ(result.singular_values.size(), 24u);
  const Eigen::MatrixXd u = to_eigen(result.vectors);
  EXPECT_LT((u.transpose() * u - Eigen::MatrixXd::Identity(24, 24)).norm(), orthogonality);
  for (Eigen::Index k = 0; k < 24; ++k) {
    const double sigma = result.singular_values[static_cast<std::size_t>(k)];
    EXPECT_NEAR(sigma, expected(k), value_error * expected(0)) << k;
    // The residual that is reported is the residual: |Omega v - sigma u| with v = Omega^T u / sigma.
    const Eigen::VectorXd residual = (gram * u.col(k)) / sigma - sigma * u.col(k);
    EXPECT_NEAR(residual.norm() / expected(0), result.residuals[static_cast<std::size_t>(k)], value_error)
        << k;
    EXPECT_LE(result.residuals[static_cast<std::size_t>(k)], tolerance);
  }
}

TEST(TruncatedSvd, KrylovInDoubleAgreesWithSpectra) {
  compare_with_spectra<double>(1e-9, 1e-10, 1e-9);
}

TEST(TruncatedSvd, KrylovInFloatAgreesWithSpectra) {
  compare_with_spectra<float>(1e-4, 1e-5, 1e-4);
}

TEST(TruncatedSvd, SaysTheRankOfAMatrixThatHasLess) {
  // 2000 rows, but only 7 different directions.
  base::Rng rng(3);
  SparseRows<float> matrix;
  matrix.columns = 2000;
  for (std::uint32_t row = 0; row < 2000; ++row) {
    matrix.indices.push_back(row % 7);
    matrix.values.push_back(static_cast<float>(1 + rng.uniform()));
    matrix.offsets.push_back(matrix.indices.size());
  }
  const SparseRows<float> transpose = linalg::transposed(matrix);
  const GramOperator<float> gram(std::vector<float>(2000, 1.0f), {{&matrix, &transpose, {}}});
  SvdOptions options;
  options.rank = 40;
  const SvdResult<float> result = linalg::truncated_svd(gram, options, {});
  EXPECT_EQ(result.singular_values.size(), 7u);
  EXPECT_EQ(result.vectors.columns(), 7u);
  const Eigen::MatrixXd u = to_eigen(result.vectors);
  EXPECT_LT((u.transpose() * u - Eigen::MatrixXd::Identity(7, 7)).norm(), 1e-5);
}

TEST(TruncatedSvd, RowsWithoutNonzerosAreZero) {
  base::Rng rng(4);
  Problem<float> problem(rng, 1200, 9000);
  // Half of the columns are cut away: rows that only have those become empty.
  const GramOperator<float> gram(problem.left, {{&problem.matrix, &problem.transpose, problem.right}});
  SvdOptions options;
  options.rank = 10;
  const SvdResult<float> result = linalg::truncated_svd(gram, options, {});
  std::size_t empty = 0;
  for (std::size_t i = 0; i < 1200; ++i) {
    if (gram.active(i)) continue;
    ++empty;
    for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(result.vectors(i, k), 0.0f);
  }
  EXPECT_GT(empty, 0u);
}

TEST(TruncatedSvd, DoesNotDependOnThreads) {
  base::Rng rng(5);
  const Problem<float> problem(rng, 9000, 200000);
  SvdOptions options;
  options.rank = 60;
  options.restarts = 1;
  options.tolerance = 1e-3;
  RunOptions run;
  run.threads = 1;
  const SvdResult<float> one = linalg::truncated_svd(problem.gram(), options, run);
  for (const unsigned threads : {2u, 3u, 8u}) {
    run.threads = threads;
    const SvdResult<float> many = linalg::truncated_svd(problem.gram(), options, run);
    EXPECT_EQ(one.singular_values, many.singular_values);
    EXPECT_EQ(one.residuals, many.residuals);
    for (std::size_t i = 0; i < 9000; ++i) {
      ASSERT_TRUE(std::equal(one.vectors.row(i), one.vectors.row(i) + 60, many.vectors.row(i))) << i;
    }
  }
}

TEST(TruncatedSvd, StopsOnRequest) {
  base::Rng rng(6);
  const Problem<float> problem(rng, 2000, 20000);
  std::stop_source source;
  source.request_stop();
  RunOptions run;
  run.stop = source.get_token();
  SvdOptions options;
  options.rank = 10;
  EXPECT_THROW(linalg::truncated_svd(problem.gram(), options, run), Cancelled);
}

}  // namespace
}  // namespace firth

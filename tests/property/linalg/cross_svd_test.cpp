// Singular triplets of A^T B against the dense product.
#include "linalg/cross_svd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace firth {
namespace {

using linalg::SparseRows;

SparseRows<double> random_rows(base::Rng& rng, std::size_t rows, std::size_t columns) {
  SparseRows<double> result;
  result.columns = columns;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      if (rng.uniform() > 0.4) continue;
      result.indices.push_back(j);
      result.values.push_back(rng.uniform() - 0.3);
    }
    result.offsets.push_back(result.indices.size());
  }
  return result;
}

/// A^T B / rows.
std::vector<std::vector<double>> dense_product(const SparseRows<double>& a, const SparseRows<double>& b) {
  std::vector<std::vector<double>> result(a.columns, std::vector<double>(b.columns, 0.0));
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (std::uint64_t i = a.offsets[row]; i < a.offsets[row + 1]; ++i)
      for (std::uint64_t j = b.offsets[row]; j < b.offsets[row + 1]; ++j)
        result[a.indices[i]][b.indices[j]] += a.values[i] * b.values[j] / static_cast<double>(a.rows());
  return result;
}

TEST(CrossSvd, TripletsFitTheProduct) {
  base::Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t rows = 1 + rng.below(60);
    const auto a = random_rows(rng, rows, 1 + rng.below(20));
    const auto b = random_rows(rng, rows, 1 + rng.below(20));
    const std::size_t full = std::min(a.columns, b.columns);
    const auto svd = linalg::cross_svd(a, b, {.rank = full, .iterations = 20}, {.threads = 1});
    const auto omega = dense_product(a, b);
    double squares = 0;
    for (const auto& row : omega)
      for (const double value : row) squares += value * value;
    double found = 0;
    for (std::size_t k = 0; k < svd.singular_values.size(); ++k) {
      const double sigma = svd.singular_values[k];
      found += sigma * sigma;
      ASSERT_LE(sigma, svd.singular_values[k > 0 ? k - 1 : 0] * (1 + 1e-12));
      for (std::size_t i = 0; i < a.columns; ++i) {  // Omega v = sigma u
        double sum = 0;
        for (std::size_t j = 0; j < b.columns; ++j) sum += omega[i][j] * svd.right(j, k);
        ASSERT_NEAR(sum, sigma * svd.left(i, k), 1e-6 * svd.singular_values[0]) << round;
      }
    }
    ASSERT_NEAR(found, squares, 1e-8 * squares);  // all of the matrix is in the triplets
  }
}

TEST(CrossSvd, VectorsAreOrthonormal) {
  base::Rng rng(6);
  const auto a = random_rows(rng, 300, 80);
  const auto b = random_rows(rng, 300, 60);
  const auto svd = linalg::cross_svd(a, b, {.rank = 40}, {.threads = 2});
  ASSERT_EQ(svd.singular_values.size(), 40U);
  for (std::size_t k = 0; k < 40; ++k)
    for (std::size_t l = 0; l <= k; ++l) {
      double left = 0;
      double right = 0;
      for (std::size_t i = 0; i < 80; ++i) left += svd.left(i, k) * svd.left(i, l);
      for (std::size_t i = 0; i < 60; ++i) right += svd.right(i, k) * svd.right(i, l);
      EXPECT_NEAR(left, k == l ? 1 : 0, 1e-9);
      EXPECT_NEAR(right, k == l ? 1 : 0, 1e-9);
    }
}

TEST(CrossSvd, NothingGivesNothing) {
  SparseRows<double> empty;
  empty.columns = 3;
  empty.offsets = {0, 0, 0};
  EXPECT_TRUE(linalg::cross_svd(empty, empty, {.rank = 2}, {}).singular_values.empty());
}

}  // namespace
}  // namespace firth

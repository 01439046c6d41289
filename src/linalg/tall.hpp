// Products of tall matrices with small ones, cut into pieces of rows that do not depend on the number of
// threads; sums over rows are made in T within a panel of rows and in double across panels. With ranks, each
// holds some of the rows.
#pragma once

#include <cstddef>
#include <vector>

#include "base/ranks.hpp"
#include "firth/run.hpp"
#include "linalg/blas.hpp"
#include "linalg/matrix.hpp"

namespace firth::linalg {

/// The rows that a rank holds of a tall matrix of `rows` rows: whole groups of panels, whose sums are the same
/// wherever they are made. There are no more than 16 groups.
base::Share tall_rows(std::size_t rows, const base::Ranks& ranks, unsigned rank);
inline base::Share tall_rows(std::size_t rows, const base::Ranks& ranks) {
  return tall_rows(rows, ranks, ranks.rank());
}

/// Every rank has its own rows of `all`; afterwards every rank has all of them.
template <typename T>
void gather_tall_rows(View<T> all, const base::Ranks& ranks);

/// result = a^T b for two tall matrices that are all here.
template <typename T>
Matrix<double> tall_product(View<const T> a, View<const T> b, const RunOptions& run);
/// result = a^T b, on every rank, for two tall matrices of `rows` rows, of which the views have those of this rank.
template <typename T>
Matrix<double> tall_product(View<const T> a, View<const T> b, std::size_t rows, const RunOptions& run);

/// y -= q c.
template <typename T>
void tall_subtract(View<const T> q, const Matrix<T>& c, View<T> y, const RunOptions& run);

/// y = q c; y may be (part of) q's own memory if it starts at the same place.
template <typename T>
void tall_transform(View<const T> q, const Matrix<T>& c, View<T> y, const RunOptions& run);

/// symmetric_eigen() on rank 0, its result on every rank: all go on from the same bits, also on processors that differ.
void root_symmetric_eigen(Matrix<double>& matrix, std::vector<double>& values, const base::Ranks& ranks);

/// Bytes that tall_product takes for a result of `entries` numbers.
std::size_t tall_product_bytes(std::size_t rows, std::size_t entries);

}  // namespace firth::linalg

// Products of tall matrices with small ones, cut into pieces of rows that do not depend on the number of
// threads; sums over rows are made in T within a panel of rows and in double across panels.
#pragma once

#include "firth/run.hpp"
#include "linalg/blas.hpp"
#include "linalg/matrix.hpp"

namespace firth::linalg {

/// result = a^T b for two tall matrices.
template <typename T>
Matrix<double> tall_product(View<const T> a, View<const T> b, const RunOptions& run);

/// y -= q c.
template <typename T>
void tall_subtract(View<const T> q, const Matrix<T>& c, View<T> y, const RunOptions& run);

/// y = q c; y may be (part of) q's own memory if it starts at the same place.
template <typename T>
void tall_transform(View<const T> q, const Matrix<T>& c, View<T> y, const RunOptions& run);

/// Bytes that tall_product takes for a result of `entries` numbers.
std::size_t tall_product_bytes(std::size_t rows, std::size_t entries);

}  // namespace firth::linalg

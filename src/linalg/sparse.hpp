// Sparse matrices by rows, and their products with a few dense columns at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ranks.hpp"
#include "firth/run.hpp"
#include "linalg/blas.hpp"

namespace firth::linalg {

/// A sparse matrix by rows. Kept together with its transpose where both products are needed, so that every
/// product gathers and none scatters: no atomics, and the same sums for any number of threads.
template <typename T>
struct SparseRows {
  std::size_t columns = 0;
  std::vector<std::uint64_t> offsets = {0};  ///< one more than there are rows
  std::vector<std::uint32_t> indices;
  std::vector<T> values;

  std::size_t rows() const noexcept { return offsets.size() - 1; }
  std::uint64_t nonzeros() const noexcept { return indices.size(); }
};

template <typename T>
SparseRows<T> transposed(const SparseRows<T>& matrix);
/// Rows of the transpose outside `kept` are empty.
template <typename T>
SparseRows<T> transposed(const SparseRows<T>& matrix, base::Share kept);
/// Empties the rows outside `kept`.
template <typename T>
void keep_rows(SparseRows<T>& matrix, base::Share kept);

/// Columns that the kernels take at a time: more make better use of each index read, fewer stay in the cache.
inline constexpr std::size_t kNarrowPanel = 16;
inline constexpr std::size_t kWidePanel = 32;

/// out.row(i) = scale[i] * (matrix * in).row(i), or added to out where `add`. Both panels have `width`
/// columns (kNarrowPanel or kWidePanel) without gaps. No scale means 1. Only `rows` of `out` are written. Cost:
/// 2 * nonzeros * width operations.
template <typename T>
struct PanelProduct {
  const SparseRows<T>& matrix;
  const T* in;
  T* out;
  std::size_t width;
  base::Share rows;
  const T* scale = nullptr;
  bool add = false;
};
template <typename T>
void multiply_panel(const PanelProduct<T>& product, const RunOptions& run);

}  // namespace firth::linalg

#include "linalg/sparse.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/simd.hpp"

namespace firth::linalg {
namespace {

// Rows of the dense panel are fetched this many nonzeros ahead of their use.
constexpr std::uint64_t kAhead = 8;
constexpr std::uint64_t kPieceNonzeros = 1 << 16;

template <std::size_t kWidth, typename T>
inline __attribute__((always_inline)) void multiply_rows(const PanelProduct<T>& p, base::Share rows) {
  const std::uint32_t* indices = p.matrix.indices.data();
  const T* values = p.matrix.values.data();
  const std::uint64_t last = p.matrix.offsets[rows.end];
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    T sum[kWidth] = {};
    for (std::uint64_t k = p.matrix.offsets[i]; k < p.matrix.offsets[i + 1]; ++k) {
      const T* ahead = p.in + std::size_t{indices[std::min(k + kAhead, last - 1)]} * kWidth;
      for (std::size_t line = 0; line < kWidth * sizeof(T); line += 64) {
        __builtin_prefetch(reinterpret_cast<const char*>(ahead) + line);
      }
      const T* in = p.in + std::size_t{indices[k]} * kWidth;
      const T value = values[k];
      for (std::size_t j = 0; j < kWidth; ++j) sum[j] += value * in[j];
    }
    const T scale = p.scale == nullptr ? T{1} : p.scale[i];
    T* out = p.out + i * kWidth;
    if (p.add) {
      for (std::size_t j = 0; j < kWidth; ++j) out[j] += scale * sum[j];
    } else {
      for (std::size_t j = 0; j < kWidth; ++j) out[j] = scale * sum[j];
    }
  }
}

FIRTH_CLONES void multiply_rows_clones(const PanelProduct<float>& product, base::Share rows) {
  if (product.width == kWidePanel) {
    multiply_rows<kWidePanel>(product, rows);
  } else {
    multiply_rows<kNarrowPanel>(product, rows);
  }
}

FIRTH_CLONES void multiply_rows_clones(const PanelProduct<double>& product, base::Share rows) {
  if (product.width == kWidePanel) {
    multiply_rows<kWidePanel>(product, rows);
  } else {
    multiply_rows<kNarrowPanel>(product, rows);
  }
}

/// Cuts the rows into pieces of about equal work: the first rows belong to the most frequent words and are
/// thousands of times longer than the last.
template <typename T>
std::vector<std::size_t> row_pieces(const SparseRows<T>& matrix, base::Share rows) {
  std::vector<std::size_t> starts = {rows.begin};
  std::uint64_t begin = matrix.offsets[rows.begin] + rows.begin;
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    // A row without nonzeros costs its store.
    if (matrix.offsets[i + 1] + i - begin >= kPieceNonzeros) {
      starts.push_back(i + 1);
      begin = matrix.offsets[i + 1] + i + 1;
    }
  }
  if (starts.back() != rows.end) starts.push_back(rows.end);
  return starts;
}

}  // namespace

template <typename T>
SparseRows<T> transposed(const SparseRows<T>& matrix) {
  return transposed(matrix, {0, matrix.columns});
}

template <typename T>
SparseRows<T> transposed(const SparseRows<T>& matrix, base::Share kept) {
  const auto is_kept = [&](std::uint32_t column) { return column >= kept.begin && column < kept.end; };
  SparseRows<T> result;
  result.columns = matrix.rows();
  result.offsets.assign(matrix.columns + 1, 0);
  for (const std::uint32_t column : matrix.indices) {
    if (is_kept(column)) ++result.offsets[column + 1];
  }
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.indices.resize(result.offsets.back());
  result.values.resize(result.offsets.back());
  std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    for (std::uint64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
      if (!is_kept(matrix.indices[k])) continue;
      const std::uint64_t place = next[matrix.indices[k]]++;
      result.indices[place] = static_cast<std::uint32_t>(row);
      result.values[place] = matrix.values[k];
    }
  }
  return result;
}

template <typename T>
void keep_rows(SparseRows<T>& matrix, base::Share kept) {
  const std::uint64_t begin = matrix.offsets[kept.begin];
  const std::uint64_t end = matrix.offsets[kept.end];
  matrix.indices = {matrix.indices.begin() + static_cast<std::ptrdiff_t>(begin),
                    matrix.indices.begin() + static_cast<std::ptrdiff_t>(end)};
  matrix.values = {matrix.values.begin() + static_cast<std::ptrdiff_t>(begin),
                   matrix.values.begin() + static_cast<std::ptrdiff_t>(end)};
  for (std::uint64_t& offset : matrix.offsets) offset = std::clamp(offset, begin, end) - begin;
}

template <typename T>
void multiply_panel(const PanelProduct<T>& product, const RunOptions& run) {
  const std::vector<std::size_t> starts = row_pieces(product.matrix, product.rows);
  base::parallel_for(starts.size() - 1, 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      run.check_stop();
      multiply_rows_clones(product, {starts[piece], starts[piece + 1]});
    }
  });
}

template SparseRows<float> transposed(const SparseRows<float>&);
template SparseRows<double> transposed(const SparseRows<double>&);
template SparseRows<float> transposed(const SparseRows<float>&, base::Share);
template SparseRows<double> transposed(const SparseRows<double>&, base::Share);
template void keep_rows(SparseRows<float>&, base::Share);
template void keep_rows(SparseRows<double>&, base::Share);
template void multiply_panel(const PanelProduct<float>&, const RunOptions&);
template void multiply_panel(const PanelProduct<double>&, const RunOptions&);

}  // namespace firth::linalg

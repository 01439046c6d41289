#include "cluster/svd2/descriptors.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "linalg/blas.hpp"

namespace firth::svd2 {
namespace {

// Eigenvalues below this share of the largest are rounding errors of a matrix of smaller rank.
constexpr double kNegligible = 1e-12;

/// contexts^T contexts, the triangle column >= row. Counts are integers, so sums are exact and their order
/// does not matter.
linalg::Matrix<double> gram(const ContextMatrix& contexts, const RunOptions& run) {
  const ContextMatrix columns = linalg::transposed(contexts);
  linalg::Matrix<double> result(contexts.columns, contexts.columns);
  base::parallel_for(contexts.columns, 8, run.threads, [&](std::size_t begin, std::size_t end) {
    run.check_stop();
    for (std::size_t a = begin; a < end; ++a) {
      double* out = result.row(a);
      std::fill(out, out + contexts.columns, 0.0);
      for (std::uint64_t i = columns.offsets[a]; i < columns.offsets[a + 1]; ++i) {
        const std::uint32_t row = columns.indices[i];
        const auto first = contexts.indices.begin() + static_cast<std::ptrdiff_t>(contexts.offsets[row]);
        const auto last = contexts.indices.begin() + static_cast<std::ptrdiff_t>(contexts.offsets[row + 1]);
        auto place = std::lower_bound(first, last, static_cast<std::uint32_t>(a));
        for (; place != last; ++place) {
          out[*place] +=
              columns.values[i] * contexts.values[static_cast<std::size_t>(place - contexts.indices.begin())];
        }
      }
    }
  });
  return result;
}

void normalise(float* row, std::size_t width) {
  double squares = 0;
  for (std::size_t i = 0; i < width; ++i) squares += double{row[i]} * double{row[i]};
  if (squares == 0) return;
  const double scale = 1 / std::sqrt(squares);
  for (std::size_t i = 0; i < width; ++i) row[i] = static_cast<float>(row[i] * scale);
}

/// The leading eigenvectors of contexts^T contexts as columns, scaled as the descriptors want them.
struct Basis {
  std::vector<double> singular_values;
  linalg::Matrix<double> vectors;
};

Basis leading_eigenvectors(const ContextMatrix& contexts, const DescriptorOptions& options,
                           const RunOptions& run) {
  linalg::Matrix<double> vectors = gram(contexts, run);
  std::vector<double> values(contexts.columns);
  {
    const linalg::SingleThreadedBlas one_thread;
    linalg::symmetric_eigen<double>(vectors.view(), values);
  }
  // Eigenvalues rise; row i of `vectors` belongs to value i.
  Basis basis;
  const std::size_t max_rank = std::min(options.rank, contexts.columns);
  for (std::size_t i = 0; i < max_rank; ++i) {
    const double value = values[contexts.columns - 1 - i];
    if (value <= kNegligible * values.back() || value <= 0) break;
    basis.singular_values.push_back(std::sqrt(value));
  }
  const std::size_t rank = basis.singular_values.size();
  basis.vectors = linalg::Matrix<double>(contexts.columns, rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const double* vector = vectors.row(contexts.columns - 1 - i);
    const double scale = options.scale ? 1 : 1 / basis.singular_values[i];
    for (std::size_t column = 0; column < contexts.columns; ++column)
      basis.vectors(column, i) = vector[column] * scale;
  }
  return basis;
}

/// rows = contexts * basis, each row brought to length 1 if wanted.
void project_rows(const ContextMatrix& contexts, const linalg::Matrix<double>& basis,
                  const DescriptorOptions& options, linalg::View<float> rows, unsigned threads) {
  const std::size_t rank = basis.columns();
  base::parallel_for(contexts.rows(), 64, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sum(rank);
    for (std::size_t row = begin; row < end; ++row) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::uint64_t i = contexts.offsets[row]; i < contexts.offsets[row + 1]; ++i) {
        const double* from = basis.row(contexts.indices[i]);
        for (std::size_t j = 0; j < rank; ++j) sum[j] += contexts.values[i] * from[j];
      }
      float* out = rows.row(row);
      std::fill(out, out + rows.columns, 0.0F);
      for (std::size_t j = 0; j < rank; ++j) out[j] = static_cast<float>(sum[j]);
      if (options.unit_length) normalise(out, rows.columns);
    }
  });
}

}  // namespace

ContextMatrix context_matrix(const PairCounts& pairs, const ContextColumns& columns) {
  ContextMatrix matrix;
  matrix.columns = columns.count;
  std::vector<double> sums(columns.count);
  std::vector<std::uint32_t> present;
  for (WordId word = 0; word < pairs.rows(); ++word) {
    const auto others = pairs.right_words(word);
    const auto counts = pairs.right_counts(word);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::uint32_t column = columns.of_word[others[i]];
      if (column >= columns.count) continue;
      if (sums[column] == 0) present.push_back(column);
      sums[column] += static_cast<double>(counts[i]);
    }
    std::sort(present.begin(), present.end());
    for (const std::uint32_t column : present) {
      matrix.indices.push_back(column);
      matrix.values.push_back(sums[column]);
      sums[column] = 0;
    }
    present.clear();
    matrix.offsets.push_back(matrix.indices.size());
  }
  return matrix;
}

std::vector<double> describe(const ContextMatrix& contexts, const DescriptorOptions& options,
                             linalg::View<float> rows, const RunOptions& run) {
  const Basis basis = leading_eigenvectors(contexts, options, run);
  run.check_stop();
  project_rows(contexts, basis.vectors, options, rows, run.threads);
  return basis.singular_values;
}

std::uint64_t describe_bytes(std::size_t columns, std::size_t rank) {
  return sizeof(double) * (columns * columns + columns * rank) +
         linalg::symmetric_eigen_bytes<double>(columns);
}

}  // namespace firth::svd2

// Words as points: the reduced-rank descriptors of their left and right contexts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "linalg/matrix.hpp"
#include "linalg/sparse.hpp"

namespace firth::svd2 {

/// The neighbours of each word on one side, by column; the columns are words or clusters.
using ContextMatrix = linalg::SparseRows<double>;

/// Column of every word (any value >= columns: the word is no context), and how many columns there are.
struct ContextColumns {
  std::span<const std::uint32_t> of_word;
  std::size_t count;
};

/// Row i counts the columns of the words that follow word i in `pairs`. Of transposed pairs: that precede it.
ContextMatrix context_matrix(const PairCounts& pairs, const ContextColumns& columns);

struct DescriptorOptions {
  std::size_t rank;
  bool scale;
  bool unit_length;
};

/// One side of the descriptors and the singular values kept, falling.
struct Descriptors {
  linalg::Matrix<float> rows;
  std::vector<double> singular_values;
};

/// Writes U S* (or U) of the reduced-rank decomposition of `contexts` into `rows`, which has options.rank
/// columns; columns beyond the rank of the matrix are zero. Exact: all eigenvalues of the small matrix
/// contexts^T contexts, whose entries are integers. Returns the singular values.
std::vector<double> describe(const ContextMatrix& contexts, const DescriptorOptions& options,
                             linalg::View<float> rows, const RunOptions& run);

/// Bytes that describe() takes for this many columns.
std::uint64_t describe_bytes(std::size_t columns, std::size_t rank);

}  // namespace firth::svd2

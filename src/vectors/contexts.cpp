#include "vectors/contexts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "firth/error.hpp"

namespace firth::vectors {
namespace {

double transformed(double count, CountTransform transform) {
  switch (transform) {
    case CountTransform::sqrt:
      return std::sqrt(count);
    case CountTransform::log:
      return std::log1p(count);
    case CountTransform::raw:
      break;
  }
  return count;
}

/// The pairs with their values; everything but the scaling by words and contexts.
template <typename T>
linalg::SparseRows<T> values_of(const PairCounts& pairs, const EmbedOptions& options) {
  linalg::SparseRows<T> result;
  result.columns = pairs.rows();
  result.offsets.assign(pairs.offsets().begin(), pairs.offsets().end());
  result.indices.assign(pairs.rights().begin(), pairs.rights().end());
  result.values.reserve(pairs.distinct());
  for (const Count count : pairs.counts()) {
    result.values.push_back(static_cast<T>(transformed(static_cast<double>(count), options.transform)));
  }
  return result;
}

/// max(0, log(N(x,y) T / (N(x) N(y)))) in place of every count, with the marginals of the (transformed)
/// pairs.
template <typename T>
void to_ppmi(linalg::SparseRows<T>& matrix) {
  std::vector<double> left(matrix.rows(), 0.0);
  std::vector<double> right(matrix.columns, 0.0);
  double total = 0;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    for (std::uint64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
      left[row] += static_cast<double>(matrix.values[k]);
      right[matrix.indices[k]] += static_cast<double>(matrix.values[k]);
    }
    total += left[row];
  }
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    for (std::uint64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
      const double ratio =
          static_cast<double>(matrix.values[k]) * total / (left[row] * right[matrix.indices[k]]);
      matrix.values[k] = static_cast<T>(std::max(0.0, std::log(ratio)));
    }
  }
}

/// 1 / (t(count) + kappa), the scale by which a context is divided twice; 0 where nothing is counted.
template <typename T>
std::vector<T> inverses(std::span<const Count> counts, const EmbedOptions& options, double kappa) {
  std::vector<T> result;
  result.reserve(counts.size());
  for (const Count count : counts) {
    const double value = transformed(static_cast<double>(count), options.transform) + kappa;
    result.push_back(value > 0 ? static_cast<T>(1 / value) : T{0});
  }
  return result;
}

/// diag(u)^-1/2 for cca, diag(u)^-1 for reg, the identity otherwise.
template <typename T>
std::vector<T> left_scale(const Counts& counts, const EmbedOptions& options, double kappa) {
  const Vocabulary& vocabulary = counts.vocabulary();
  if (options.scale == CountScale::ppmi || options.scale == CountScale::raw) {
    return std::vector<T>(vocabulary.size(), T{1});
  }
  std::vector<T> scale = inverses<T>(vocabulary.counts(), options, kappa);
  if (options.scale == CountScale::cca) {
    for (T& value : scale) value = std::sqrt(value);
  }
  return scale;
}

/// Rows of words for each rank, cut so that all have about the same number of pairs, from both ends.
linalg::RowShares shared_rows(const Counts& counts, const EmbedOptions& options, const base::Ranks& ranks) {
  if (ranks.alone()) return linalg::RowShares();
  const std::size_t words = counts.vocabulary().size();
  std::vector<std::uint64_t> work(words + 1, 0);
  for (const int distance : context_distances(options.context)) {
    const PairCounts& pairs = counts.pairs_at(distance);
    for (std::size_t i = 0; i < words; ++i) work[i + 1] += pairs.offsets()[i + 1] - pairs.offsets()[i] + 1;
    for (const WordId right : pairs.rights()) ++work[right + std::size_t{1}];
  }
  std::partial_sum(work.begin(), work.end(), work.begin());
  linalg::RowShares shares{ranks, {}};
  for (unsigned r = 0; r < ranks.size(); ++r) {
    const auto place = std::ranges::lower_bound(work, work.back() * r / ranks.size());
    shares.begins.push_back(static_cast<std::size_t>(place - work.begin()));
  }
  shares.begins.push_back(words);
  return shares;
}

}  // namespace

void check_counts(const Counts& counts, const EmbedOptions& options) {
  if (counts.vocabulary().empty()) throw InputError({}, "there are no words", "give a text that has some");
  for (const int offset : options.context) (void)counts.pairs_at(std::abs(offset));
}

double kappa_for(const Counts& counts, const EmbedOptions& options) {
  return options.kappa ? *options.kappa : default_kappa(counts.info().tokens);
}

template <typename T>
ContextMatrix<T>::ContextMatrix(const Counts& counts, const EmbedOptions& options, const base::Ranks& ranks) {
  const double kappa = kappa_for(counts, options);
  linalg::RowShares shares = shared_rows(counts, options, ranks);
  const base::Share own = shares.own(counts.vocabulary().size());
  for (const int distance : context_distances(options.context)) {
    linalg::SparseRows<T> forward = values_of<T>(counts.pairs_at(distance), options);
    if (options.scale == CountScale::ppmi) to_ppmi(forward);
    linalg::SparseRows<T> backward = linalg::transposed(forward, own);
    if (!ranks.alone()) linalg::keep_rows(forward, own);
    pairs_.emplace(distance, Pairs{std::move(forward), std::move(backward)});
  }
  std::vector<typename linalg::GramOperator<T>::Block> blocks;
  for (const int offset : options.context) {
    const Pairs& pairs = pairs_.at(std::abs(offset));
    std::vector<T> right;
    if (options.scale == CountScale::cca) {
      const PairCounts& counted = counts.pairs_at(std::abs(offset));
      // v of the paper: how often a word is at the context's side of these pairs.
      right = inverses<T>(offset > 0 ? counted.right_marginals() : counted.left_marginals(), options, kappa);
    }
    blocks.push_back({offset > 0 ? &pairs.forward : &pairs.backward,
                      offset > 0 ? &pairs.backward : &pairs.forward, std::move(right)});
  }
  gram_ = std::make_unique<linalg::GramOperator<T>>(left_scale<T>(counts, options, kappa), std::move(blocks),
                                                    std::move(shares));
}

std::uint64_t context_matrix_bytes(const Counts& counts, const EmbedOptions& options, std::size_t scalar,
                                   unsigned ranks) {
  const std::uint64_t words = counts.vocabulary().size();
  std::uint64_t bytes = words * scalar * (1 + options.context.size());
  std::uint64_t largest = 0;
  for (const int distance : context_distances(options.context)) {
    const std::uint64_t pairs = counts.pairs_at(distance).distinct() * (scalar + sizeof(std::uint32_t));
    bytes += 2 * (pairs / ranks + words * sizeof(std::uint64_t));
    largest = std::max(largest, pairs);
  }
  return ranks == 1 ? bytes : bytes + largest;  // all pairs of a distance, until a rank has taken its own
}

template class ContextMatrix<float>;
template class ContextMatrix<double>;

}  // namespace firth::vectors

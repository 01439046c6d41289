#include "vectors/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "vectors/contexts.hpp"
#include "vectors/svd_checkpoint.hpp"

namespace firth::vectors {
namespace {

constexpr std::size_t kRowsAtATime = 4096;
// A word whose share of all kept singular vectors is this much below the average has nothing but rounding
// noise: its direction would be random.
constexpr double kNoise = 1e-6;

linalg::SvdOptions svd_options(const EmbedOptions& options, std::size_t words) {
  linalg::SvdOptions svd;
  svd.rank = std::min(options.dimensions, words);
  svd.tolerance = options.tolerance;
  return svd;
}

/// Rows times singular values to the exponent, then to length 1.
template <typename T>
void finish_rows(linalg::Matrix<T>& rows, const EmbedOptions& options, const SvdReport& svd,
                 const RunOptions& run) {
  std::vector<T> factors;
  for (const double sigma : svd.singular_values)
    factors.push_back(static_cast<T>(std::pow(sigma, options.exponent)));
  const double average = std::sqrt(static_cast<double>(rows.columns()) / static_cast<double>(rows.rows()));
  base::parallel_for(rows.rows(), kRowsAtATime, run.threads, [&](std::size_t begin, std::size_t end) {
    run.check_stop();
    for (std::size_t i = begin; i < end; ++i) {
      T* row = rows.row(i);
      double square = 0;
      for (std::size_t j = 0; j < rows.columns(); ++j)
        square += static_cast<double>(row[j]) * static_cast<double>(row[j]);
      const bool noise = std::sqrt(square) <= kNoise * average;
      double scaled = 0;
      for (std::size_t j = 0; j < rows.columns(); ++j) {
        row[j] = noise ? T{0} : row[j] * factors[j];
        scaled += static_cast<double>(row[j]) * static_cast<double>(row[j]);
      }
      if (!options.unit_length || scaled <= 0) continue;
      const T length = static_cast<T>(1 / std::sqrt(scaled));
      for (std::size_t j = 0; j < rows.columns(); ++j) row[j] *= length;
    }
  });
}

/// The singular vectors: those of the checkpoint, or new ones, which then go there.
template <typename T>
linalg::SvdResult<T> decompose(const Counts& counts, const EmbedOptions& options, const RunOptions& run) {
  SvdCheckpoint<T> checkpoint(counts, options, run);
  if (std::optional<linalg::SvdResult<T>> kept = checkpoint.load()) return std::move(*kept);
  const linalg::SvdOptions wanted = svd_options(options, counts.vocabulary().size());
  const ContextMatrix<T> matrix(counts, options, base::Ranks(run));
  linalg::SvdResult<T> svd = linalg::truncated_svd<T>(matrix.gram(), wanted, run);
  if (svd.singular_values.empty()) {
    throw InputError(
        {}, "no word has a context",
        "use sentences of at least two words, or text without sentences (TextOptions::boundaries)");
  }
  checkpoint.save(svd);
  return svd;
}

}  // namespace

template <typename T>
Vectors<T> compute_vectors(const Counts& counts, const EmbedOptions& options, const RunOptions& run) {
  Vectors<T> result;
  linalg::SvdResult<T> svd = decompose<T>(counts, options, run);
  if (svd.singular_values.size() < options.dimensions) {
    base::warn(run, fmt::format("the counts have rank {}: vectors have that many dimensions, not {}",
                                svd.singular_values.size(), options.dimensions));
  }
  if (!svd.converged) {
    base::warn(run, fmt::format("singular vectors have not all converged: the largest residual is {:.2g}",
                                *std::max_element(svd.residuals.begin(), svd.residuals.end())));
  }
  result.rows = std::move(svd.vectors);
  result.svd = {
      std::move(svd.singular_values), std::move(svd.residuals), svd.converged, svd.products, svd.restarts,
      kappa_for(counts, options)};
  finish_rows(result.rows, options, result.svd, run);
  return result;
}

std::uint64_t vectors_bytes(const Counts& counts, const EmbedOptions& options, std::size_t scalar,
                            const RunOptions& run) {
  const base::Ranks ranks(run);
  const std::size_t words = counts.vocabulary().size();
  return context_matrix_bytes(counts, options, scalar, ranks.size()) +
         linalg::svd_bytes(words, svd_options(options, words), scalar, ranks);
}

template Vectors<float> compute_vectors(const Counts&, const EmbedOptions&, const RunOptions&);
template Vectors<double> compute_vectors(const Counts&, const EmbedOptions&, const RunOptions&);

}  // namespace firth::vectors

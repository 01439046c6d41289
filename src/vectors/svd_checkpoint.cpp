#include "vectors/svd_checkpoint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/fingerprint.hpp"
#include "counts/fingerprint_counts.hpp"
#include "vectors/contexts.hpp"

namespace firth::vectors {
namespace {

constexpr base::FileKind kFile = {
    {'F', 'I', 'R', 'T', 'H', 'S', 'V', 'C'}, 1, "checkpoint of singular vectors", base::kCheckpointRemedy};

enum Kind : std::uint32_t {
  kNumbers = base::kFingerprintSection + 1,  // Numbers
  kSingularNumbers,
  kResidualNumbers,
  kRows,  // of all words, one after the other
};

struct Numbers {
  std::uint64_t products;
  std::uint64_t restarts;
  std::uint64_t converged;
};

std::uint64_t fingerprint(const Counts& counts, const EmbedOptions& options, std::size_t scalar,
                          const RunOptions& run) {
  if (options.checkpoint.file.empty()) return 0;
  base::Fingerprint print;
  counts::add_vocabulary(print, counts.vocabulary());
  for (const int distance : context_distances(options.context))
    counts::add_pairs(print, counts.pairs_at(distance));
  print.add_all(std::span<const int>(options.context));
  for (const std::uint64_t number :
       {std::uint64_t{scalar}, std::uint64_t{options.dimensions},
        static_cast<std::uint64_t>(options.transform), static_cast<std::uint64_t>(options.scale), run.seed}) {
    print.add(number);
  }
  return print.add(kappa_for(counts, options)).add(options.tolerance).value();
}

/// Numbers from -`most` to `most`.
template <typename T>
bool are_within(std::span<const T> values, double most) {
  return std::ranges::all_of(values,
                             [most](T value) { return std::abs(static_cast<double>(value)) <= most; });
}

}  // namespace

template <typename T>
SvdCheckpoint<T>::SvdCheckpoint(const Counts& counts, const EmbedOptions& options, const RunOptions& run)
    : run_(run),
      words_(counts.vocabulary().size()),
      rank_(std::min(options.dimensions, words_)),
      file_(kFile, options.checkpoint, fingerprint(counts, options, sizeof(T), run), base::Ranks(run)) {}

template <typename T>
std::optional<linalg::SvdResult<T>> SvdCheckpoint<T>::load() const {
  std::optional<linalg::SvdResult<T>> svd;
  file_.read([&](base::SectionReader& reader) { svd = read(reader); });
  return svd;
}

template <typename T>
linalg::SvdResult<T> SvdCheckpoint<T>::read(base::SectionReader& reader) const {
  constexpr double kSlack = 1e-3;  // columns have length 1 but for rounding
  const auto numbers = reader.take<Numbers>(kNumbers);
  const auto values = reader.take<double>(kSingularNumbers);
  const auto residuals = reader.take<double>(kResidualNumbers);
  const auto rows = reader.take<T>(kRows);
  const bool sizes = numbers.size() == 1 && !values.empty() && values.size() <= rank_ &&
                     residuals.size() == values.size() && rows.size() == words_ * values.size();
  if (!sizes) reader.damaged("its sizes are not those of the counts");
  const bool falling = std::ranges::is_sorted(values, std::greater<>()) && values.back() > 0;
  if (!falling || !std::isfinite(values.front()) || !are_within<T>(rows, 1 + kSlack))
    reader.damaged("it has no singular vectors");
  linalg::SvdResult<T> svd;
  svd.vectors = linalg::Matrix<T>(words_, values.size());
  std::copy(rows.begin(), rows.end(), svd.vectors.row(0));
  svd.singular_values.assign(values.begin(), values.end());
  svd.residuals.assign(residuals.begin(), residuals.end());
  svd.products = numbers[0].products;
  svd.restarts = numbers[0].restarts;
  svd.converged = numbers[0].converged != 0;
  return svd;
}

template <typename T>
void SvdCheckpoint<T>::save(const linalg::SvdResult<T>& svd) {
  if (!file_.is_kept() || !base::Ranks(run_).is_root()) return;
  const linalg::Matrix<T>& from = svd.vectors;
  std::vector<T> copied;
  std::span<const T> rows(from.row(0), from.rows() * from.columns());
  if (from.stride() != from.columns()) {
    for (std::size_t i = 0; i < from.rows(); ++i)
      copied.insert(copied.end(), from.row(i), from.row(i) + from.columns());
    rows = copied;
  }
  const Numbers numbers = {svd.products, svd.restarts, svd.converged ? 1U : 0U};
  const std::array<base::Section, 4> sections = {base::make_section(kNumbers, std::span(&numbers, 1)),
                                                 base::make_section(kSingularNumbers, svd.singular_values),
                                                 base::make_section(kResidualNumbers, svd.residuals),
                                                 base::make_section(kRows, rows)};
  file_.write(sections);
  file_.report(run_);
}

template class SvdCheckpoint<float>;
template class SvdCheckpoint<double>;

}  // namespace firth::vectors

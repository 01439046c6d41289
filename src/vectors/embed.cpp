#include "firth/embed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/memory_limit.hpp"
#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "vectors/contexts.hpp"
#include "vectors/vectors.hpp"

namespace firth {
namespace vectors {

template <typename T>
WordVectors public_vectors(const Vocabulary& vocabulary, Vectors<T> vectors) {
  WordVectors result{vocabulary, vectors.rows.columns(), {}, std::move(vectors.svd)};
  result.values.reserve(vocabulary.size() * result.dimensions);
  for (std::size_t i = 0; i < vectors.rows.rows(); ++i) {
    const T* row = vectors.rows.row(i);
    for (std::size_t j = 0; j < result.dimensions; ++j) result.values.push_back(static_cast<float>(row[j]));
  }
  return result;
}

template WordVectors public_vectors(const Vocabulary&, Vectors<float>);
template WordVectors public_vectors(const Vocabulary&, Vectors<double>);

namespace {

template <typename T>
WordVectors embed(const Counts& counts, const EmbedOptions& options, const RunOptions& run) {
  const std::uint64_t result = counts.vocabulary().size() * options.dimensions * (sizeof(T) + sizeof(float));
  base::require_memory(run, std::max(vectors_bytes(counts, options, sizeof(T), run), result),
                       "making word vectors", kMemoryHint);
  return public_vectors(counts.vocabulary(), compute_vectors<T>(counts, options, run));
}

/// A whole number with an optional sign.
int parse_offset(std::string_view text, std::string_view whole) {
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const std::optional<int> value = base::parse_number<int>(digits);
  const bool two_signs = text.starts_with("+-");
  if (two_signs || !value) {
    throw UsageError(fmt::format("'{}' is not a context", whole),
                     "use R1, LR1, LR2 or offsets such as -1,+1,+2");
  }
  return *value;
}

void validate_context(const std::vector<int>& context) {
  constexpr int kMaxDistance = 5;
  constexpr const char* kField = "EmbedOptions::context";
  if (context.empty())
    throw UsageError("the context has no positions", "use R1, LR1, LR2 or offsets", kField);
  for (const int offset : context) {
    if (offset == 0 || std::abs(offset) > kMaxDistance) {
      throw UsageError(fmt::format("context offset {}", offset), "offsets lie within -5..5 and are not 0",
                       kField);
    }
    if (std::count(context.begin(), context.end(), offset) > 1) {
      throw UsageError(fmt::format("context offset {} is given twice", offset), "name each offset once",
                       kField);
    }
  }
}

}  // namespace
}  // namespace vectors

void validate(const EmbedOptions& options) {
  if (options.dimensions == 0)
    throw UsageError("vectors of 0 dimensions", "ask for at least 1", "EmbedOptions::dimensions");
  if (options.kappa && !(*options.kappa >= 0 && std::isfinite(*options.kappa))) {
    throw UsageError(fmt::format("kappa is {}", *options.kappa), "it must be a number >= 0",
                     "EmbedOptions::kappa");
  }
  if (!std::isfinite(options.exponent)) {
    throw UsageError("the exponent of singular values is not a number", "give one, e.g. 0.5",
                     "EmbedOptions::exponent");
  }
  if (!(options.tolerance > 0 && options.tolerance < 1)) {
    throw UsageError(fmt::format("the tolerance is {}", options.tolerance), "it must lie between 0 and 1",
                     "EmbedOptions::tolerance");
  }
  vectors::validate_context(options.context);
  validate(options.checkpoint);
}

WordVectors embed_words(const Counts& counts, const EmbedOptions& options, const RunOptions& run) {
  validate(options);
  vectors::check_counts(counts, options);
  if (counts.vocabulary().size() <= vectors::kDoubleWords)
    return vectors::embed<double>(counts, options, run);
  return vectors::embed<float>(counts, options, run);
}

std::vector<int> parse_context(std::string_view text) {
  if (text == "R1") return {1};
  if (text == "LR1") return {-1, 1};
  if (text == "LR2") return {-2, -1, 1, 2};
  std::vector<int> offsets;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    offsets.push_back(vectors::parse_offset(text.substr(begin, end - begin), text));
    begin = end + 1;
  }
  return offsets;
}

std::vector<int> context_distances(std::span<const int> context) {
  std::set<int> distances;
  for (const int offset : context) distances.insert(std::abs(offset));
  return {distances.begin(), distances.end()};
}

double default_kappa(Count tokens) {
  // The best of 0..5000 for AMI was 10 at 1 and 2 million tokens, 50 at 19 million, 50 to 200 at 77 million.
  return std::sqrt(static_cast<double>(tokens)) / 100;
}

std::vector<Neighbour> nearest_words(const WordVectors& vectors, std::span<const float> query,
                                     std::size_t count) {
  if (query.size() != vectors.dimensions) {
    throw UsageError(
        fmt::format("a query of {} numbers for vectors of {}", query.size(), vectors.dimensions));
  }
  const auto dot = [](std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += static_cast<double>(a[j]) * static_cast<double>(b[j]);
    return sum;
  };
  const double length = std::sqrt(dot(query, query));
  std::vector<Neighbour> all;
  for (WordId word = 0; word < vectors.vocabulary.size(); ++word) {
    const double own = std::sqrt(dot(vectors.row(word), vectors.row(word)));
    if (own > 0 && length > 0) all.push_back({word, dot(vectors.row(word), query) / (own * length)});
  }
  const std::size_t kept = std::min(count, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                    [](const Neighbour& a, const Neighbour& b) {
                      return a.cosine != b.cosine ? a.cosine > b.cosine : a.word < b.word;
                    });
  all.resize(kept);
  return all;
}

}  // namespace firth

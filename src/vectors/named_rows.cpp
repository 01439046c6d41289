#include "vectors/named_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "base/stage.hpp"
#include "firth/error.hpp"

namespace firth::vectors {
namespace {

void check_finite(const NamedRows& rows) {
  const std::span<const float> numbers = rows.numbers();
  const auto bad =
      std::find_if(numbers.begin(), numbers.end(), [](float value) { return !std::isfinite(value); });
  if (bad == numbers.end()) return;
  const auto row = static_cast<std::size_t>(bad - numbers.begin()) / rows.dimensions;
  throw InputError({rows.path}, fmt::format("vector {} has a number that is not finite", row + 1),
                   "remove the vector, or make it again");
}

/// Numbers of the rows to keep: of a repeated word the first.
std::vector<std::size_t> distinct_rows(const NamedRows& rows, const RunOptions& run) {
  std::unordered_set<std::string_view> seen(rows.words.size());
  std::vector<std::size_t> kept;
  kept.reserve(rows.words.size());
  for (std::size_t row = 0; row < rows.words.size(); ++row) {
    if (seen.insert(rows.words[row].first).second) kept.push_back(row);
  }
  const std::size_t repeated = rows.words.size() - kept.size();
  if (repeated > 0) {
    base::warn(run, fmt::format("{}: {} repeated {} left out; the first vector of each is used", rows.path,
                                repeated, repeated == 1 ? "word is" : "words are"));
  }
  return kept;
}

}  // namespace

WordVectors in_vocabulary_order(NamedRows rows, const RunOptions& run) {
  check_finite(rows);
  std::vector<std::size_t> order = distinct_rows(rows, run);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto& [word_a, count_a] = rows.words[a];
    const auto& [word_b, count_b] = rows.words[b];
    return count_a != count_b ? count_a > count_b : word_a < word_b;
  });
  const std::size_t size = rows.dimensions;
  WordVectors vectors;
  vectors.dimensions = size;
  std::vector<std::pair<std::string, Count>> words;
  words.reserve(order.size());
  const bool in_place = order.size() == rows.words.size() && std::is_sorted(order.begin(), order.end());
  if (!in_place) vectors.values.reserve(order.size() * size);
  for (const std::size_t row : order) {
    if (!in_place) {
      const std::span<const float> numbers = rows.numbers().subspan(row * size, size);
      vectors.values.insert(vectors.values.end(), numbers.begin(), numbers.end());
    }
    words.push_back(std::move(rows.words[row]));
  }
  if (in_place) {
    vectors.values = std::move(rows.values);
    vectors.mapped = rows.mapped;
    vectors.mapped_file = std::move(rows.mapped_file);
  }
  vectors.vocabulary = Vocabulary::from_words(std::move(words));
  return vectors;
}

}  // namespace firth::vectors

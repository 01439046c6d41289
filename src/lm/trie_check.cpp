#include "lm/trie_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/simd.hpp"

namespace firth::lm {
namespace {

FIRTH_CLONES
bool are_probabilities(std::span<const double> values) {
  constexpr double kMax = 1 + 1e-9;
  unsigned wrong = 0;
  for (const double p : values) wrong |= (p >= 0 && p <= kMax) ? 0U : 1U;  // NaN is neither
  return wrong == 0;
}

FIRTH_CLONES
bool are_weights(std::span<const double> values) {
  unsigned wrong = 0;
  for (const double w : values) wrong |= (w >= 0 && w <= std::numeric_limits<double>::max()) ? 0U : 1U;
  return wrong == 0;
}

FIRTH_CLONES
bool are_short_weights(std::span<const float> values) {
  unsigned wrong = 0;
  for (const float w : values) wrong |= (w >= 0 && w <= std::numeric_limits<float>::max()) ? 0U : 1U;
  return wrong == 0;
}

FIRTH_CLONES
bool are_below(std::span<const std::uint8_t> codes, std::size_t end) {
  unsigned wrong = 0;
  for (const std::uint8_t code : codes) wrong |= code < end ? 0U : 1U;
  return wrong == 0;
}

FIRTH_CLONES
bool are_within(std::span<const std::uint32_t> values, std::uint64_t least, std::uint64_t end) {
  unsigned wrong = 0;
  for (const std::uint32_t value : values) wrong |= (value >= least && value < end) ? 0U : 1U;
  return wrong == 0;
}

FIRTH_CLONES
bool is_rising(std::span<const std::uint64_t> values) {
  unsigned wrong = 0;
  for (std::size_t i = 1; i < values.size(); ++i) wrong |= values[i] < values[i - 1] ? 1U : 0U;
  return wrong == 0;
}

FIRTH_CLONES
std::uint64_t count_falls(std::span<const Symbol> symbols) {
  std::uint64_t falls = 0;
  for (std::size_t i = 1; i < symbols.size(); ++i) falls += symbols[i] <= symbols[i - 1] ? 1 : 0;
  return falls;
}

const char* problem_of_sizes(const TrieArrays& a, std::size_t symbols) {
  const auto levels = a.level_begin;
  const bool order = levels.size() >= 2 && levels.size() <= kMaxOrder + 1U && levels[0] == 0;
  if (!order || !std::is_sorted(levels.begin(), levels.end())) return "its levels make no sense";
  const std::uint64_t entries = levels.back();
  const std::uint64_t nodes = 1 + levels[levels.size() - 2];
  const bool symbols_exact =
      a.probabilities.values().size() == (a.probabilities.is_quantized() ? symbols : entries);
  const bool fits = levels[1] == symbols && symbols_exact && nodes <= kMaxNodes &&
                    a.symbols.size() == entries && a.probabilities.size() == entries &&
                    a.links.size() == entries && a.backoffs.size() == nodes &&
                    a.first_child.size() == nodes + 1;
  return fits ? nullptr : "its arrays do not fit";
}

// The children of a node rise. That is so if symbols fall nowhere but at the first child of a node: there are as many
// falls in all as there are at first children.
bool children_rise(const TrieArrays& a) {
  std::uint64_t at_first = 0;
  for (std::size_t node = 0; node + 1 < a.first_child.size(); ++node) {
    const std::uint64_t first = a.first_child[node];
    if (first == 0 || first == a.first_child[node + 1]) continue;
    at_first += a.symbols[first] <= a.symbols[first - 1] ? 1 : 0;
  }
  return at_first == count_falls(a.symbols);
}

const char* problem_of_children(const TrieArrays& a, std::size_t symbols) {
  constexpr const char* kOutOfOrder = "its n-grams are out of order";
  const auto levels = a.level_begin;
  if (!is_rising(a.first_child) || a.first_child.back() != levels.back()) return kOutOfOrder;
  for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
    const std::uint64_t first_node = level == 0 ? 0 : 1 + levels[level - 1];
    if (a.first_child[first_node] != levels[level]) return kOutOfOrder;
  }
  if (!are_within(a.symbols, 0, symbols) || !children_rise(a)) return kOutOfOrder;
  for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
    if (a.symbols[symbol] != symbol) return "a word has no probability";
  }
  return nullptr;
}

// A link leads to a shorter n-gram: so every walk along links ends.
const char* problem_of_numbers(const TrieArrays& a) {
  for (std::size_t level = 1; level < a.level_begin.size(); ++level) {
    const std::uint64_t first = a.level_begin[level - 1];
    const auto links = a.links.subspan(first, a.level_begin[level] - first);
    if (!are_within(links, level == 1 ? 0 : 1, 1 + first)) return "an n-gram leads nowhere";
  }
  const Probabilities& p = a.probabilities;
  if (!are_probabilities(p.values()) || !are_probabilities(p.table())) return "a probability is out of range";
  if (!are_below(p.codes(), p.table().size())) return "a probability is not in the table";
  const bool weights = are_weights(a.backoffs.values()) && are_short_weights(a.backoffs.short_values());
  return weights ? nullptr : "a back-off weight is out of range";
}

}  // namespace

const char* problem_of(const TrieArrays& arrays, std::size_t symbols) {
  if (const char* problem = problem_of_sizes(arrays, symbols)) return problem;
  if (const char* problem = problem_of_children(arrays, symbols)) return problem;
  return problem_of_numbers(arrays);
}

}  // namespace firth::lm

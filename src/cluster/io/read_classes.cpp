// Formats that name the class of each word: mkcls and clustercat, SRILM, Clark.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "cluster/io/formats.hpp"
#include "cluster/io/word_list.hpp"
#include "firth/error.hpp"

namespace firth::clusters {
namespace {

// Probabilities become counts per 10^9; their ratios within a class survive.
constexpr double kProbabilityScale = 1e9;

struct ColumnFacts {
  std::size_t distinct = 0;
  bool all_numbers = true;
};

ColumnFacts look_at_column(const TextTable& table, std::size_t column) {
  ColumnFacts facts;
  std::unordered_set<std::string_view> seen;
  seen.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    seen.insert(table.row(i)[column]);
    facts.all_numbers = facts.all_numbers && parse_count(table.row(i)[column]).has_value();
  }
  facts.distinct = seen.size();
  return facts;
}

/// Every word comes once, classes come again and again: the column with more distinct entries is the word. If
/// both have as many, classes are numbers more often than words are.
std::size_t find_word_column(const TextTable& table, ColumnOrder order) {
  const ColumnFacts first = look_at_column(table, 0);
  const ColumnFacts second = look_at_column(table, 1);
  if (first.distinct != second.distinct) return first.distinct > second.distinct ? 0 : 1;
  if (first.all_numbers != second.all_numbers) return second.all_numbers ? 0 : 1;
  if (order == ColumnOrder::word_first) return 0;
  throw InputError({table.name()}, "cannot tell which column is the word and which the class",
                   "if the word comes first, say that the format is 'classes'; else swap the columns");
}

bool in_unit_interval(std::optional<double> value) {
  return value && *value >= 0 && *value <= 1;
}

Count scaled(double probability) {
  return static_cast<Count>(std::llround(probability * kProbabilityScale));
}

Clustering cluster_words(const std::string& name, const std::vector<WordEntry>& entries) {
  const WordList words = make_word_list(name, entries);
  return {words.vocabulary, words.labels};
}

}  // namespace

Clustering read_classes(const TextTable& table, ColumnOrder order) {
  table.require_columns(2, 2, "word<TAB>class");
  const std::size_t word_column = find_word_column(table, order);
  LabelNumbers numbers;
  std::vector<WordEntry> entries;
  entries.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string_view label = table.row(i)[1 - word_column];
    if (label.empty()) table.fail(i, "the class is empty", "expected word<TAB>class");
    entries.push_back({table.row(i)[word_column], table.line(i), numbers(label), 0});
  }
  return cluster_words(table.name(), entries);
}

Clustering read_srilm(const TextTable& table) {
  LabelNumbers numbers;
  std::vector<WordEntry> entries;
  entries.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto row = table.row(i);
    const std::optional<double> probability = row.size() > 2 ? parse_real(row[1]) : std::nullopt;
    if (row.size() < 2) table.fail(i, "1 column", "expected CLASS [probability] word");
    if (row.size() > (probability ? 3u : 2u)) {
      table.fail(i, fmt::format("the class '{}' expands to more than one word", shown(row[0])),
                 "Firth's classes hold single words: expected CLASS [probability] word");
    }
    if (probability && !in_unit_interval(probability)) {
      table.fail(i, fmt::format("'{}' is not a probability", shown(row[1])), "expected a number from 0 to 1");
    }
    entries.push_back({row.back(), table.line(i), numbers(row[0]), probability ? scaled(*probability) : 0});
  }
  return cluster_words(table.name(), entries);
}

Clustering read_clark(const TextTable& table) {
  table.require_columns(3, 3, "word class weight");
  std::vector<double> weights;
  bool all_counts = true;
  bool all_probabilities = true;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::optional<double> weight = parse_real(table.row(i)[2]);
    if (table.row(i)[1].empty()) table.fail(i, "the class is empty", "expected word class weight");
    if (!weight) {
      table.fail(i, fmt::format("'{}' is not a number", shown(table.row(i)[2])),
                 "expected word class weight");
    }
    weights.push_back(*weight);
    all_counts = all_counts && parse_count(table.row(i)[2]);
    all_probabilities = all_probabilities && in_unit_interval(weight);
  }
  LabelNumbers numbers;
  std::vector<WordEntry> entries;
  entries.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    Count count = 0;
    if (all_counts) {
      count = *parse_count(table.row(i)[2]);
    } else if (all_probabilities) {
      count = scaled(weights[i]);
    }
    entries.push_back({table.row(i)[0], table.line(i), numbers(table.row(i)[1]), count});
  }
  return cluster_words(table.name(), entries);
}

}  // namespace firth::clusters

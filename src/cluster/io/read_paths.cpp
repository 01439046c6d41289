#include <fmt/format.h>

#include <algorithm>

#include "cluster/io/fork_tree.hpp"
#include "cluster/io/formats.hpp"
#include "cluster/io/word_list.hpp"
#include "firth/error.hpp"

namespace firth::clusters {
namespace {

constexpr std::string_view kPathColumns = "bits<TAB>word<TAB>count (the count may be missing)";

/// The column that holds bit strings: 0 as wcluster writes, 1 for tools that put the word first.
std::size_t find_bits_column(const TextTable& table) {
  std::size_t first = 0;
  std::size_t second = 0;
  std::size_t first_other = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (is_bits(table.row(i)[0])) {
      ++first;
    } else if (first == i) {
      first_other = i;
    }
    if (is_bits(table.row(i)[1])) ++second;
  }
  if (first == table.size()) return 0;
  if (second == table.size()) return 1;
  table.fail(first_other, fmt::format("'{}' is not a string of 0s and 1s", shown(table.row(first_other)[0])),
             fmt::format("expected {}", kPathColumns));
}

/// Distinct bit strings in order, each with the first row that has it.
struct Path {
  std::string_view bits;
  std::size_t row;
};

std::vector<Path> distinct_paths(const TextTable& table, std::size_t column) {
  std::vector<Path> paths;
  paths.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) paths.push_back({table.row(i)[column], i});
  std::sort(paths.begin(), paths.end(),
            [](const Path& a, const Path& b) { return a.bits != b.bits ? a.bits < b.bits : a.row < b.row; });
  const auto same = [](const Path& a, const Path& b) { return a.bits == b.bits; };
  paths.erase(std::unique(paths.begin(), paths.end(), same), paths.end());
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    if (!paths[i + 1].bits.starts_with(paths[i].bits)) continue;
    table.fail(paths[i + 1].row,
               fmt::format("the bits '{}' go on where the class '{}' of line {} ends",
                           shown(paths[i + 1].bits), shown(paths[i].bits), table.line(paths[i].row)),
               "classes must be the leaves of one tree");
  }
  return paths;
}

}  // namespace

bool is_prefix_free(std::vector<std::string_view> paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  const auto starts = [](std::string_view a, std::string_view b) { return b.starts_with(a); };
  return std::adjacent_find(paths.begin(), paths.end(), starts) == paths.end();
}

Clustering read_paths(const TextTable& table) {
  table.require_columns(2, 3, kPathColumns);
  const std::size_t bits_column = find_bits_column(table);
  const std::vector<Path> paths = distinct_paths(table, bits_column);
  std::vector<std::string_view> bits;
  bits.reserve(paths.size());
  for (const Path& path : paths) bits.push_back(path.bits);

  std::vector<WordEntry> entries;
  entries.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto row = table.row(i);
    const auto place = std::lower_bound(bits.begin(), bits.end(), row[bits_column]) - bits.begin();
    const std::optional<Count> count = row.size() == 3 ? parse_count(row[2]) : Count{0};
    if (!count) {
      table.fail(i, fmt::format("'{}' is not a count", shown(row[2])),
                 fmt::format("expected {}", kPathColumns));
    }
    entries.push_back({row[1 - bits_column], table.line(i), static_cast<ClassId>(place), *count});
  }
  const WordList words = make_word_list(table.name(), entries);
  std::vector<std::uint32_t> ranks(bits.size());
  for (std::size_t word = words.labels.size(); word-- > 0;) {
    ranks[words.labels[word]] = static_cast<std::uint32_t>(word);
  }
  return {words.vocabulary, words.labels, deepest_first(forks_of_paths(bits), ranks)};
}

}  // namespace firth::clusters

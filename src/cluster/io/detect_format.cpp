#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "cluster/io/formats.hpp"
#include "cluster/io/page_sections.hpp"
#include "firth/error.hpp"

namespace firth::clusters {
namespace {

/// An object that starts with a name; "{<TAB>3" is a word and its class.
bool looks_like_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t brace = text.find_first_not_of(" \t\r\n");
  if (brace == std::string_view::npos || text[brace] != '{') return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", brace + 1);
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return next != std::string_view::npos && text[next] == '"' && text[last] == '}';
}

template <typename Test>
bool every(const TextTable& table, std::size_t column, Test test) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (column >= table.row(i).size() || !test(table.row(i)[column])) return false;
  }
  return true;
}

bool are_paths(const TextTable& table, std::size_t column) {
  if (!every(table, column, is_bits)) return false;
  std::vector<std::string_view> paths;
  for (std::size_t i = 0; i < table.size(); ++i) paths.push_back(table.row(i)[column]);
  return is_prefix_free(std::move(paths));
}

/// Bit strings where a class number might stand: no number is written with a leading zero.
bool are_paths_after_words(const TextTable& table) {
  bool leading_zero = false;
  for (std::size_t i = 0; i < table.size(); ++i) {
    leading_zero = leading_zero || (table.row(i)[1].size() > 1 && table.row(i)[1][0] == '0');
  }
  return leading_zero && are_paths(table, 1);
}

/// Whether the third column counts the merges to come, down to 0 for the last one. Weights that happen to
/// fall by one per line do not also fit the number of names.
bool counts_down(const TextTable& table) {
  std::unordered_set<std::string_view> words;
  std::optional<Count> first;
  std::optional<Count> previous;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::optional<Count> number = parse_count(table.row(i)[2]);
    if (!number || (previous && (*previous == 0 || *number != *previous - 1))) return false;
    if (!first) first = number;
    previous = number;
    words.insert(table.row(i)[0]);
    words.insert(table.row(i)[1]);
  }
  return *previous == 0 && *first + 2 == words.size();
}

bool is_count(std::string_view text) {
  return parse_count(text).has_value();
}
bool is_real(std::string_view text) {
  return parse_real(text).has_value();
}
bool is_probability(std::string_view text) {
  const std::optional<double> value = parse_real(text);
  return value && *value >= 0 && *value <= 1;
}

std::optional<ClusterFormat> detect_columns(const TextTable& table) {
  std::size_t least = table.row(0).size();
  std::size_t most = least;
  for (std::size_t i = 0; i < table.size(); ++i) {
    least = std::min(least, table.row(i).size());
    most = std::max(most, table.row(i).size());
  }
  if (least >= 2 && most <= 3 && are_paths(table, 0)) return ClusterFormat::paths;
  if (least == 5 && most == 5 && every(table, 2, is_count)) return ClusterFormat::merges;
  if (least != most) return std::nullopt;
  if (least == 2) return are_paths_after_words(table) ? ClusterFormat::paths : ClusterFormat::classes;
  if (least != 3) return std::nullopt;
  const bool counts_last = every(table, 2, is_count);
  if (counts_last && are_paths_after_words(table)) return ClusterFormat::paths;
  if (counts_last && counts_down(table)) return ClusterFormat::merges;
  const bool weights_last = every(table, 2, is_real);
  if (every(table, 1, is_probability) && !weights_last) return ClusterFormat::srilm;
  return weights_last ? std::optional(ClusterFormat::clark) : std::nullopt;
}

/// A row that does not go with the others, so that they are of no format together.
struct OddRow {
  std::size_t row = 0;
  std::string why = {};
};

/// The first row with another number of columns than most have.
std::optional<OddRow> find_odd_length(const TextTable& table) {
  std::map<std::size_t, std::size_t> rows_of;
  for (std::size_t i = 0; i < table.size(); ++i) ++rows_of[table.row(i).size()];
  const auto usual = std::max_element(rows_of.begin(), rows_of.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (rows_of.size() == 1 || 2 * usual->second <= table.size()) return std::nullopt;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t columns = table.row(i).size();
    if (columns != usual->first)
      return OddRow{
          i, fmt::format("the number of columns is {} here and {} in most lines", columns, usual->first)};
  }
  return std::nullopt;
}

/// The first row whose field is not what nine of ten are, if all rows are long enough.
template <typename Test>
std::optional<OddRow> find_odd_field(const TextTable& table, std::size_t column, Test test,
                                     std::string_view what) {
  std::size_t others = 0;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (column >= table.row(i).size()) return std::nullopt;
    if (test(table.row(i)[column])) continue;
    ++others;
    if (!first) first = i;
  }
  if (!first || 10 * others > table.size()) return std::nullopt;
  return OddRow{*first,
                fmt::format("'{}' is not {}, as it is in most lines", table.row(*first)[column], what)};
}

/// Whether most lines have more words than any format of classes has columns.
bool looks_like_text(const TextTable& table) {
  constexpr std::size_t kMaxColumns = 4;
  std::size_t long_lines = 0;
  for (std::size_t i = 0; i < table.size(); ++i) long_lines += table.row(i).size() > kMaxColumns ? 1u : 0u;
  return 2 * long_lines > table.size();
}

[[noreturn]] void fail_to_tell(const TextTable& table) {
  if (looks_like_text(table))
    throw InputError({table.name()}, "this looks like running text, not like classes",
                     "give a folder or file of classes; where there is a text, too, the classes come first");
  std::optional<OddRow> odd = find_odd_length(table);
  if (!odd) odd = find_odd_field(table, 0, is_bits, "a bit string");
  if (!odd) odd = find_odd_field(table, 2, is_real, "a number");
  const std::string problem = "cannot tell the format of this file of classes";
  throw InputError({table.name(), odd ? table.line(odd->row) : 0}, odd ? problem + ": " + odd->why : problem,
                   "say which it is with load_clustering(): paths, classes, merges, srilm, clark or json");
}

}  // namespace

ClusterFormat detect_format(std::string_view text, const std::string& name) {
  if (looks_like_page(text)) return ClusterFormat::page;
  if (looks_like_json(text)) return ClusterFormat::json;
  const TextTable table(text, name);
  const std::optional<ClusterFormat> format = detect_columns(table);
  if (format) return *format;
  if (name.ends_with(".cats"))
    throw InputError({name}, "this list of mkcls is not read",
                     "give the file of classes beside it, without .cats");
  fail_to_tell(table);
}

}  // namespace firth::clusters

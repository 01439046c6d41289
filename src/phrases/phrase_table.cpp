#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "firth/phrases.hpp"
#include "text/characters.hpp"
#include "text/line_reader.hpp"

namespace firth {
namespace phrases {
namespace {

std::string_view next_column(std::string_view& line) {
  const std::size_t tab = std::min(line.find('\t'), line.size());
  const std::string_view column = line.substr(0, tab);
  line.remove_prefix(std::min(tab + 1, line.size()));
  return column;
}

bool is_word(std::string_view column) {
  return !column.empty() && std::none_of(column.begin(), column.end(), text::is_space);
}

constexpr std::uint32_t kMaxRound = 16;

/// Reads a number into `value`, which stays as it is where the column is empty; false if it is no number.
template <typename Number>
bool read_number(std::string_view column, Number& value) {
  if (column.empty()) return true;
  return base::parse_number(column, value) == std::errc();
}

/// What follows the parts of a phrase.
void read_figures(std::string_view line, Phrase& phrase, const SourceLocation& where) {
  const bool counted =
      read_number(next_column(line), phrase.count) && read_number(next_column(line), phrase.left_count) &&
      read_number(next_column(line), phrase.right_count) && read_number(next_column(line), phrase.score);
  if (!counted)
    throw InputError(
        where, "the columns after the parts are not numbers",
        "they are counts of the phrase, its left and its right part, and a score; or leave them out");
  if (!read_number(next_column(line), phrase.round) || phrase.round < 1 || phrase.round > kMaxRound)
    throw InputError(where, "the last column is not the number of a round",
                     "rounds are numbers from 1 to 16");
}

}  // namespace
}  // namespace phrases

std::string format_phrases(const Phrases& phrases) {
  std::string text;
  for (const Phrase& phrase : phrases.list) {
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{:.4f}\t{}\n", phrase.left, phrase.right, phrase.count,
                        phrase.left_count, phrase.right_count, phrase.score, phrase.round);
  }
  return text;
}

Phrases load_phrases(const Inputs& table, const std::string& joiner, const RunOptions& run) {
  text::LineReader lines(table, run);
  Phrases result{{}, joiner};
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    const std::string_view left = phrases::next_column(line);
    const std::string_view right = phrases::next_column(line);
    if (!phrases::is_word(left) || !phrases::is_word(right))
      throw InputError(lines.where(), "not two words with a tab between them",
                       "the first two columns are the parts of a phrase");
    Phrase phrase{std::string(left), std::string(right)};
    phrases::read_figures(line, phrase, lines.where());
    result.list.push_back(std::move(phrase));
  }
  return result;
}

}  // namespace firth

#include "text/conllu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "firth/error.hpp"
#include "text/line_walk.hpp"

namespace firth::text {
namespace {

SourceLocation place_of(const Block& block, std::string_view part) {
  return block.where(static_cast<std::size_t>(part.data() - block.data()));
}

std::size_t count_columns(std::string_view line) noexcept {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) + 1;
}

[[noreturn]] void refuse_columns(const Block& block, std::string_view line) {
  throw InputError(place_of(block, line),
                   fmt::format("{} columns instead of {}", count_columns(line), kConlluColumns),
                   "a CoNLL-U line is ten columns with tabs between them");
}

// "7" is a word; "7-8" (a multiword token) and "7.1" (an empty node) are not words of the sentence.
ConlluLine kind_of(const Block& block, std::string_view id) {
  if (is_digits(id)) return ConlluLine::word;
  const std::size_t mark = id.find_first_of("-.");
  if (mark != std::string_view::npos && is_digits(id.substr(0, mark)) && is_digits(id.substr(mark + 1))) {
    return ConlluLine::skipped;
  }
  throw InputError(
      place_of(block, id), fmt::format("'{}' is not a word number", id),
      "the first column of CoNLL-U is 1, 2, ..., a range such as 1-2, or an empty node such as 1.1");
}

}  // namespace

ConlluLine read_conllu_line(const Block& block, std::string_view line, ConlluRow& row) {
  if (is_blank(line)) return ConlluLine::blank;
  if (line.front() == '#') return ConlluLine::comment;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < kConlluColumns; ++i) {
    const std::size_t tab = line.find('\t', begin);
    if ((tab == std::string_view::npos) != (i + 1 == kConlluColumns)) refuse_columns(block, line);
    row[i] = line.substr(begin, tab - begin);
    begin = tab + 1;
  }
  return kind_of(block, row.front());
}

void refuse_empty_column(const Block& block, std::string_view column) {
  throw InputError(place_of(block, column), "an empty column", "CoNLL-U writes _ for what is not known");
}

bool is_conllu_row(std::string_view line) noexcept {
  return count_columns(line) == kConlluColumns;
}

}  // namespace firth::text

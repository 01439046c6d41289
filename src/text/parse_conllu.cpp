#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "firth/error.hpp"
#include "text/block_words.hpp"
#include "text/line_walk.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kColumns = 10;

std::size_t column_index(ConlluColumn column) {
  switch (column) {
    case ConlluColumn::form:
      return 1;
    case ConlluColumn::lemma:
      return 2;
    case ConlluColumn::upos:
      return 3;
    case ConlluColumn::xpos:
      break;
  }
  return 4;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

enum class LineKind { word, skipped, wrong };

// "7" is a word; "7-8" (a multiword token) and "7.1" (an empty node) are not words of the sentence.
LineKind kind_of(std::string_view id) {
  if (is_number(id)) return LineKind::word;
  const std::size_t mark = id.find_first_of("-.");
  if (mark == std::string_view::npos) return LineKind::wrong;
  return is_number(id.substr(0, mark)) && is_number(id.substr(mark + 1)) ? LineKind::skipped
                                                                         : LineKind::wrong;
}

std::array<std::string_view, kColumns> split_columns(const Block& block, std::string_view line) {
  const auto found = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) + 1;
  const auto offset = static_cast<std::size_t>(line.data() - block.data());
  if (found != kColumns) {
    throw InputError(block.where(offset), fmt::format("{} columns instead of {}", found, kColumns),
                     "a CoNLL-U line is ten columns with tabs between them");
  }
  std::array<std::string_view, kColumns> columns;
  for (std::string_view& column : columns) {
    column = line.substr(0, line.find('\t'));
    line.remove_prefix(std::min(line.size(), column.size() + 1));
  }
  return columns;
}

// Forms and lemmas may have blanks in them ("10 000"); words have not.
void add_value(std::string_view value, std::string& buffer, WordSink& sink) {
  if (std::none_of(value.begin(), value.end(), is_space)) {
    sink.add_piece(value);
    return;
  }
  buffer.assign(value);
  std::replace_if(buffer.begin(), buffer.end(), is_space, '_');
  sink.add_piece(buffer);
}

}  // namespace

void parse_conllu(const Block& block, const TextOptions& options, WordSink& sink) {
  const std::size_t wanted = column_index(options.column);
  const bool lines = options.boundaries == Boundaries::lines;
  std::string buffer;
  for_each_line(block.text(), [&](std::string_view line) {
    if (line.empty()) {
      if (lines) sink.words.end_sequence();
      return;
    }
    if (line.front() == '#') return;
    const auto columns = split_columns(block, line);
    const LineKind kind = kind_of(columns[0]);
    const auto place = [&](std::string_view column) {
      return block.where(static_cast<std::size_t>(column.data() - block.data()));
    };
    if (kind == LineKind::wrong) {
      throw InputError(place(columns[0]), fmt::format("'{}' is not a word number", columns[0]),
                       "the first column is 1, 2, ..., a range such as 1-2, or an empty node such as 1.1");
    }
    if (kind == LineKind::skipped) return;
    if (columns[wanted].empty()) {
      throw InputError(place(columns[wanted]), "an empty column", "CoNLL-U writes _ for what is not known");
    }
    add_value(columns[wanted], buffer, sink);
  });
}

}  // namespace firth::text

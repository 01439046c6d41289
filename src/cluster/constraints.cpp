#include <fmt/format.h>

#include "firth/constraints.hpp"
#include "firth/error.hpp"
#include "text/line_reader.hpp"

namespace firth {
namespace {

std::vector<std::string> split_line(std::string_view line) {
  std::vector<std::string> words;
  for (std::string_view word = text::next_field(line); !word.empty() && word[0] != '#';
       word = text::next_field(line)) {
    if (word[0] == '\\' && word.size() > 1) word.remove_prefix(1);
    words.emplace_back(word);
  }
  return words;
}

Constraint::Kind kind_of(const std::string& word, const SourceLocation& where) {
  if (word == "together") return Constraint::Kind::together;
  if (word == "apart") return Constraint::Kind::apart;
  if (word == "seed") return Constraint::Kind::seed;
  if (word == "out") return Constraint::Kind::out;
  throw InputError(where, fmt::format("'{}' is not a kind of constraint", word),
                   "begin the line with together, apart, seed or out");
}

Constraint parse_line(std::vector<std::string> words, const SourceLocation& where) {
  Constraint item{kind_of(words[0], where), "", {}, where.line};
  std::size_t first = 1;
  if (item.kind == Constraint::Kind::seed && words.size() > 1) item.name = words[first++];
  item.words.assign(words.begin() + static_cast<std::ptrdiff_t>(first), words.end());
  const bool pairs = item.kind == Constraint::Kind::together || item.kind == Constraint::Kind::apart;
  if (item.words.size() < (pairs ? 2U : 1U)) {
    throw InputError(
        where, fmt::format("'{}' needs {}", words[0], pairs ? "two words" : "a word"),
        item.kind == Constraint::Kind::seed ? "write: seed CLASS WORD..." : "add it, or drop the line");
  }
  return item;
}

}  // namespace

Constraints load_constraints(const Inputs& list, const RunOptions& run) {
  text::LineReader lines(list, run);
  Constraints constraints{list.first_name(), {}};
  for (std::string_view line; lines.next(line);) {
    std::vector<std::string> words = split_line(line);
    if (!words.empty()) constraints.items.push_back(parse_line(std::move(words), lines.where()));
  }
  return constraints;
}

}  // namespace firth

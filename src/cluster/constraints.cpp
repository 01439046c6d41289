#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "firth/constraints.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

std::vector<std::string> split_line(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  std::string word;
  while (stream >> word && word[0] != '#') {
    if (word[0] == '\\' && word.size() > 1) word.erase(0, 1);
    words.push_back(word);
  }
  return words;
}

Constraint::Kind kind_of(const std::string& word, const SourceLocation& where) {
  if (word == "together") return Constraint::Kind::together;
  if (word == "apart") return Constraint::Kind::apart;
  if (word == "seed") return Constraint::Kind::seed;
  if (word == "out") return Constraint::Kind::out;
  throw InputError(where, fmt::format("'{}' is no kind of constraint", word),
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

Constraints load_constraints(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw IoError(path, "open", errno);
  Constraints constraints{path, {}};
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    std::vector<std::string> words = split_line(line);
    if (!words.empty()) constraints.items.push_back(parse_line(std::move(words), {path, number}));
  }
  if (file.bad()) throw IoError(path, "read", errno);
  return constraints;
}

}  // namespace firth

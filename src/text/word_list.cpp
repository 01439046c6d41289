#include "text/word_list.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "text/characters.hpp"
#include "text/line_reader.hpp"

namespace firth::text {
namespace {

/// The first fields of a line.
std::array<std::string_view, 4> fields_of(std::string_view line) {
  std::array<std::string_view, 4> fields;
  for (std::string_view& field : fields) field = next_field(line);
  return fields;
}

/// GIZA++ numbers its words: number, word, count.
bool is_numbered(const std::array<std::string_view, 4>& fields) {
  return fields[3].empty() && !fields[2].empty() && is_digits(fields[0]) && is_digits(fields[2]);
}

}  // namespace

std::vector<ListedWord> read_word_list(const Inputs& list, const RunOptions& run) {
  LineReader lines(list, run);
  std::vector<ListedWord> first;
  std::vector<ListedWord> second;
  bool numbered = true;
  for (std::string_view line; lines.next(line);) {
    const auto fields = fields_of(line);
    if (fields[0].empty()) continue;
    first.push_back({std::string(fields[0]), lines.line()});
    numbered = numbered && is_numbered(fields);
    if (numbered) second.push_back({std::string(fields[1]), lines.line()});
  }
  return numbered ? second : first;
}

}  // namespace firth::text

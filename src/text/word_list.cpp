#include "text/word_list.hpp"

#include <string_view>

#include "text/line_reader.hpp"

namespace firth::text {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<ListedWord> read_word_list(const std::string& path, const RunOptions& run) {
  LineReader lines(path, run);
  std::vector<ListedWord> words;
  for (std::string_view line; lines.next(line);) {
    const std::string_view word = trimmed(line.substr(0, line.find('\t')));
    if (!word.empty()) words.push_back({std::string(word), lines.line()});
  }
  return words;
}

}  // namespace firth::text

#include "firth/text.hpp"
#include "text/characters.hpp"
#include "text/unicode_words.hpp"
#include "text/utf8.hpp"

namespace firth {

std::vector<std::string> line_words(std::string_view line, const TextOptions& options) {
  const std::string text = text::replace_invalid(line);
  std::vector<std::string> words;
  text::WordMaker maker(options);
  const auto add = [&](std::string_view word) { words.emplace_back(word); };
  for (std::size_t at = 0; at < text.size();) {
    if (text::is_space(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !text::is_space(text[end])) ++end;
    maker.words_of(std::string_view(text).substr(at, end - at), add);
    at = end;
  }
  return words;
}

}  // namespace firth

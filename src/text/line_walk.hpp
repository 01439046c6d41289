// The lines of a text.
#pragma once

#include <string_view>

#include "text/characters.hpp"

namespace firth::text {

/// Calls `body(line)` for every line, without its line feed and one carriage return before it. Text after
/// the last line feed is a line too.
template <typename Body>
void for_each_line(std::string_view text, const Body& body) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    body(line);
  }
}

/// Takes the next word (between ASCII white space) off the front of `text`; empty at the end.
inline std::string_view next_field(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_space(text[end])) ++end;
  const std::string_view field = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return field;
}

}  // namespace firth::text

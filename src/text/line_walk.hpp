// The lines of a text, and the fields of a line.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "text/characters.hpp"

namespace firth::text {

/// Takes the first line off the front of `text`, and gives it without its line feed and one carriage return
/// before that. Text after the last line feed is a line, too.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Calls `body(line)` for every line.
template <typename Body>
void for_each_line(std::string_view text, const Body& body) {
  while (!text.empty()) body(take_line(text));
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

/// Whether there is no word in the line.
inline bool is_blank(std::string_view line) {
  return next_field(line).empty();
}

inline bool has_tab(std::string_view line) noexcept {
  return line.find('\t') != std::string_view::npos;
}

/// The parts of a line between tabs, of which there is one at least.
inline void split_tabs(std::string_view line, std::vector<std::string_view>& parts) {
  parts.clear();
  for (;;) {
    const std::size_t end = line.find('\t');
    parts.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

}  // namespace firth::text

// Bytes that separate words.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace firth::text {

/// May be at the start of a file, and is no part of its text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// White space of ASCII: blank, tab, line feed, vertical tab, form feed, carriage return. Other spaces of
/// Unicode do not separate words (a no-break space is there to hold them together).
inline bool is_space(char c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// A value of a column as a word: words have no white space, so `_` takes its place ("10 000"). The result is
/// `value` itself or lives in `buffer`.
inline std::string_view as_word(std::string_view value, std::string& buffer) {
  if (std::none_of(value.begin(), value.end(), is_space)) return value;
  buffer.assign(value);
  std::replace_if(buffer.begin(), buffer.end(), is_space, '_');
  return buffer;
}

/// Whether the text is made of digits, and not empty.
inline bool is_digits(std::string_view text) noexcept {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace firth::text

// Bytes that separate words.
#pragma once

namespace firth::text {

/// White space of ASCII: blank, tab, line feed, vertical tab, form feed, carriage return. Other spaces of
/// Unicode do not separate words (a no-break space is there to hold them together).
inline bool is_space(char c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace firth::text

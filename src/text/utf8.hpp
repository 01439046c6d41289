// Checking and mending UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace firth::text {

/// What is wrong at a place in a text.
enum class TextFault {
  none,
  nul,   ///< a NUL byte
  utf8,  ///< bytes that are not UTF-8
};

/// The first fault of a text and its byte offset.
struct FoundFault {
  TextFault fault = TextFault::none;
  std::size_t offset = 0;
};

/// Looks for NUL bytes and broken UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing
/// beyond U+10FFFF).
FoundFault check_text(std::string_view text) noexcept;

/// The text with each NUL byte and each maximal ill-formed part replaced by U+FFFD, as the Unicode standard
/// recommends.
std::string replace_invalid(std::string_view text);

}  // namespace firth::text

// What keeps the first word of a file from being read as its byte-order mark.
#pragma once

#include <string_view>

namespace firth::base {

/// What a file has in front of its first bytes: readers take one mark away, also if it is the beginning of a word.
inline std::string_view mark_before(std::string_view first_bytes) noexcept {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return first_bytes.starts_with(kMark) ? kMark : std::string_view();
}

}  // namespace firth::base

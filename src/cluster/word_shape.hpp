// What the letters of a word look like, for everything here that goes by spelling.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace firth::clusters {

enum class CharacterKind : std::uint8_t {
  digit,      ///< 0 to 9
  capital,    ///< A to Z
  small,      ///< a to z
  non_ascii,  ///< anything beyond ASCII
  hyphen,
  apostrophe,
  other,  ///< any other ASCII character
};

/// Kind of a character, which has at least one byte.
CharacterKind kind_of(std::string_view character);

/// The characters of UTF-8 text. Bytes that do not continue a character start one.
std::vector<std::string_view> utf8_characters(std::string_view word);

/// Runs of capitals (X), small letters (x), digits (9), letters beyond ASCII (u); other characters as they are:
/// "Mc-42" is "Xx-9".
std::string word_shape(std::string_view word);

}  // namespace firth::clusters

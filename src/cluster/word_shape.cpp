#include "cluster/word_shape.hpp"

namespace firth::clusters {
namespace {

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

char shape_of(std::string_view character) {
  switch (kind_of(character)) {
    case CharacterKind::digit:
      return '9';
    case CharacterKind::capital:
      return 'X';
    case CharacterKind::small:
      return 'x';
    case CharacterKind::non_ascii:
      return 'u';
    default:
      return character[0];
  }
}

}  // namespace

CharacterKind kind_of(std::string_view character) {
  const char byte = character[0];
  if (byte >= '0' && byte <= '9') return CharacterKind::digit;
  if (byte >= 'A' && byte <= 'Z') return CharacterKind::capital;
  if (byte >= 'a' && byte <= 'z') return CharacterKind::small;
  if (static_cast<unsigned char>(byte) >= 0x80U) return CharacterKind::non_ascii;
  if (byte == '-') return CharacterKind::hyphen;
  if (byte == '\'') return CharacterKind::apostrophe;
  return CharacterKind::other;
}

std::vector<std::string_view> utf8_characters(std::string_view word) {
  std::vector<std::string_view> characters;
  for (std::size_t begin = 0; begin < word.size();) {
    std::size_t end = begin + 1;
    while (end < word.size() && !starts_character(word[end])) ++end;
    characters.push_back(word.substr(begin, end - begin));
    begin = end;
  }
  return characters;
}

std::string word_shape(std::string_view word) {
  std::string shape;
  for (const std::string_view character : utf8_characters(word)) {
    const char kind = shape_of(character);
    if (shape.empty() || shape.back() != kind) shape.push_back(kind);
  }
  return shape;
}

}  // namespace firth::clusters

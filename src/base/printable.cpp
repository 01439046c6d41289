#include "firth/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace firth {
namespace {

constexpr std::size_t kQuotedCharacters = 60;
constexpr std::size_t kMessageBytes = 1500;
constexpr std::string_view kCut = "...";

/// Bytes of the UTF-8 sequence at the front of `text`; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  std::size_t length = 0;
  if (first < 0x80) length = 1;
  if (first >= 0xC2 && first < 0xE0) length = 2;
  if (first >= 0xE0 && first < 0xF0) length = 3;
  if (first >= 0xF0 && first < 0xF5) length = 4;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  return length;
}

bool is_control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
  return first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
}

/// Takes a character, or a byte that belongs to none, off the front of `text` and adds it to `result`.
void take_character(std::string_view& text, std::string& result) {
  const std::size_t length = sequence_length(text);
  const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
  const auto last = static_cast<unsigned char>(sequence.back());
  if (length == 0 || (length == 1 && is_control(sequence))) {
    result += fmt::format("\\x{:02x}", last);
  } else if (is_control(sequence)) {
    result += fmt::format("\\u{:04x}", last);
  } else {
    result += sequence;
  }
  text.remove_prefix(sequence.size());
}

bool is_letter(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

/// Where a quotation begins: a quote that is no apostrophe.
std::size_t find_opening(std::string_view text, char before) {
  for (std::size_t at = text.find('\''); at != std::string_view::npos; at = text.find('\'', at + 1))
    if (!is_letter(at == 0 ? before : text[at - 1])) return at;
  return std::string_view::npos;
}

std::size_t find_closing(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('\'', from); at != std::string_view::npos; at = text.find('\'', at + 1))
    if (at + 1 == text.size() || !is_letter(text[at + 1])) return at;
  return text.size();
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) take_character(text, result);
  return result;
}

std::string shown(std::string_view text) {
  std::string result;
  for (std::size_t characters = 0; !text.empty(); ++characters) {
    if (characters == kQuotedCharacters) return result.append(kCut);
    if (text[0] == '\n' || text[0] == '\t') {
      result += text[0] == '\n' ? "\\n" : "\\t";
      text.remove_prefix(1);
    } else {
      take_character(text, result);
    }
  }
  return result;
}

std::string message_text(std::string_view text) {
  std::string result;
  char before = ' ';
  while (!text.empty() && result.size() < kMessageBytes) {
    const std::size_t open = find_opening(text, before);
    if (open == std::string_view::npos) break;
    const std::size_t close = find_closing(text, open + 1);
    result += printable(text.substr(0, open + 1));
    result += shown(text.substr(open + 1, close - open - 1));
    if (close < text.size()) result += '\'';
    text.remove_prefix(std::min(close + 1, text.size()));
    before = '\'';
  }
  const std::size_t room = result.size() < kMessageBytes ? kMessageBytes - result.size() : 0;
  result += printable(text.substr(0, room));
  return text.size() > room ? result.append(kCut) : result;
}

}  // namespace firth

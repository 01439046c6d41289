#include "commands/terminal_text.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>

#include "progress_bar.hpp"

namespace firth::cli {
namespace {

struct CodePoint {
  std::uint32_t value;
  std::size_t bytes;
};

/// The code point at the start of a text, nothing if there is no UTF-8.
std::optional<CodePoint> first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  if (byte(0) < 0x80) return CodePoint{byte(0), 1};
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return std::nullopt;
  std::uint32_t value = byte(0) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return std::nullopt;
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) return std::nullopt;
  return CodePoint{value, length};
}

bool is_control(std::uint32_t value) {
  return value < 0x20 || (value >= 0x7F && value < 0xA0) || (value >= 0x200E && value <= 0x200F) ||
         (value >= 0x2028 && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::optional<CodePoint> point = first_code_point(text);
    const std::size_t bytes = point ? point->bytes : 1;
    if (point && !is_control(point->value)) {
      result += text.substr(0, bytes);
    } else {
      for (const char byte : text.substr(0, bytes))
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    text.remove_prefix(bytes);
  }
  return result;
}

std::string shown_word(std::string_view word) {
  constexpr std::size_t kLongest = 100;
  constexpr std::size_t kKept = 60;
  if (word.size() < kLongest) return terminal_text(word);
  const auto starts = [](char byte) { return (byte & 0xC0) != 0x80; };
  const auto characters = static_cast<std::size_t>(std::count_if(word.begin(), word.end(), starts));
  if (characters < kLongest) return terminal_text(word);
  std::size_t end = 0;
  for (std::size_t seen = 0; seen <= kKept; ++end) seen += starts(word[end]) ? 1 : 0;
  return fmt::format("{}... ({} characters)", terminal_text(word.substr(0, end - 1)), grouped(characters));
}

std::string spelling_advice(const Vocabulary& vocabulary, const std::string& word) {
  std::optional<WordId> best;
  for (WordId id = 0; id < vocabulary.size(); ++id) {
    const bool same = strcasecmp(std::string(vocabulary.word(id)).c_str(), word.c_str()) == 0;
    if (same && (!best || vocabulary.count(id) > vocabulary.count(*best))) best = id;
  }
  if (!best) return "check its spelling and case";
  return fmt::format("did you mean '{}'?", shown_word(vocabulary.word(*best)));
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarks = "<&[\\`";
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : ' '); };
  const auto is_blank = [](unsigned char c) { return c <= ' '; };
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char before = at(i - 1);  // beyond the end for the first
    const bool star = text[i] == '*' && !(is_blank(before) && is_blank(at(i + 1)));
    const bool line = text[i] == '_' && !(is_letter(before) && is_letter(at(i + 1)));
    if (star || line || kMarks.find(text[i]) != std::string_view::npos) result += '\\';
    result += text[i];
  }
  return result;
}

}  // namespace firth::cli

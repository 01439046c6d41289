#include "commands/terminal_text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

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

}  // namespace firth::cli

// Numbers in text files.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace firth::lm {

/// The number that `text` is, all of it; nullopt if it is none or NaN. Infinities are numbers.
inline std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
  return value;
}

}  // namespace firth::lm

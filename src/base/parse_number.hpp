// A number that is all of a text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace firth::base {

/// The number, or nothing if there is anything else, before or after it, or if it does not fit the type. As
/// std::from_chars: no plus sign, no white space; "inf" and "nan" are numbers of floating point.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace firth::base

// A number that is all of a text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace firth::base {

/// Sets `value` if all of the text is a number, and gives std::errc(); else result_out_of_range or
/// invalid_argument. As std::from_chars: no plus sign, no white space; "inf" and "nan" are numbers of floating point.
template <typename Number>
std::errc parse_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return error;
  return end == text.data() + text.size() ? std::errc() : std::errc::invalid_argument;
}

/// The number, or nothing if there is anything else, before or after it, or if it does not fit the type.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  return parse_number(text, value) == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace firth::base

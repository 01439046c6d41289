// A number that is all of what somebody typed.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace firth::cli {

/// Nothing if the text is anything else than a number, or does not fit the type.
template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

}  // namespace firth::cli

// Numbers in text files.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>

#include "base/parse_number.hpp"

namespace firth::lm {

/// The number that `text` is, all of it; nullopt if it is none or NaN. Infinities are numbers.
inline std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::optional<double> value = base::parse_number<double>(text);
  return value && !std::isnan(*value) ? value : std::nullopt;
}

}  // namespace firth::lm

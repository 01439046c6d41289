// The words that every model has, whatever the text: they come first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lm/model.hpp"

namespace firth::lm {

/// In the order of their symbols.
inline const std::vector<std::string>& special_names() {
  static const std::vector<std::string> names = {std::string(kUnknownName), std::string(kBeginName),
                                                 std::string(kEndName)};
  return names;
}

inline bool is_special(std::string_view word) {
  return word == kUnknownName || word == kBeginName || word == kEndName;
}

}  // namespace firth::lm

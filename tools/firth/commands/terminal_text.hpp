// Words of a text on a terminal, which would obey the control characters in them.
#pragma once

#include <string>
#include <string_view>

namespace firth::cli {

/// The text with control characters, invisible direction marks and broken UTF-8 as \xHH, byte by byte.
std::string terminal_text(std::string_view text);

}  // namespace firth::cli

// Which format a file of tokens has.
#pragma once

#include <string_view>

#include "firth/text.hpp"
#include "text/columns.hpp"

namespace firth::text {

/// Finds out from the first lines of a file. Without tags to be read, lines with blanks between words may be
/// text as well as columns: columns are told by a first sentence of at least three lines of the same width.
TokenFormat detect_token_format(std::string_view first_lines, const ColumnLayout& layout, bool with_tags);

}  // namespace firth::text

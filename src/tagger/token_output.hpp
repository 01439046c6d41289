// Lines of CoNLL-U with something changed.
#pragma once

#include <string>
#include <string_view>

namespace firth::tagger {

/// Appends the line to `out` with column `column` (from 1; negative: from the end) of its tab-separated
/// columns replaced.
void replace_column(std::string_view line, int column, std::string_view value, std::string& out);

/// Appends the line to `out` with `attributes` (A=b|C=d) added to its last column, MISC.
void add_misc(std::string_view line, std::string_view attributes, std::string& out);

}  // namespace firth::tagger

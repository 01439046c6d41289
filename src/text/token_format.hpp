// Which format a file of tokens has.
#pragma once

#include <optional>
#include <string_view>

#include "firth/text.hpp"

namespace firth::text {

/// What is known about a file before its lines are read.
struct TokenHints {
  bool tagged = false;    ///< tags are to be read: it cannot be text
  bool named = false;     ///< its name says that it has columns
  bool complete = false;  ///< no more lines will come
};

/// Finds out from the first lines of a file; nothing if lines that follow may still tell otherwise. Once found out, it
/// does not change with more lines: so it does not matter in which pieces a pipe brings them. Words with blanks between
/// them may be a line of text as well as columns. Columns are told by -DOCSTART-, by the name of the file, by entity
/// tags in the last column, or by a first sentence of at least three lines of the same width.
std::optional<TokenFormat> find_token_format(std::string_view first_lines, const TokenHints& hints);

/// Whether the first lines of a file tell its format, and, if that is columns, what separates them.
bool tells_token_format(std::string_view first_lines, TokenFormat given, const TokenHints& hints);

/// Whether the first column has the numbers of words in their sentence, not the words.
bool counts_words(std::string_view first_lines);

/// Whether a text has columns beyond doubt: it begins with -DOCSTART-, or each line of its first sentence ends with an
/// entity tag. Nothing if lines that follow may still tell.
std::optional<bool> has_entity_columns(std::string_view first_lines, bool complete);

}  // namespace firth::text

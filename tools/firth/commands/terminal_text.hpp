// Words and names where they are shown: a terminal would obey control characters in them, Markdown its own marks.
#pragma once

#include <firth/counts.hpp>
#include <string>
#include <string_view>

namespace firth::cli {

/// The text with control characters, invisible direction marks and broken UTF-8 as \xHH, byte by byte.
std::string terminal_text(std::string_view text);

/// The same for a word among others: a very long one (100 characters and more) is cut, and its length is said.
std::string shown_word(std::string_view word);

/// What to say about a word that is not there: the most frequent one that differs in its capitals (of ASCII) only, if any.
std::string spelling_advice(const Vocabulary& vocabulary, const std::string& word);

/// The text with a backslash before what Markdown would take for a mark: <, &, [, \ and `; * and _ unless they stand alone
/// or within a word.
std::string markdown_text(std::string_view text);

}  // namespace firth::cli

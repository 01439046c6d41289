// Files with a word per line and columns beside it, as CoNLL's shared tasks have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "firth/error.hpp"

namespace firth::text {

/// A line that only separates documents (CoNLL 2003).
inline constexpr std::string_view kDocumentWord = "-DOCSTART-";

/// What the first lines of a file tell about all of it.
struct ColumnLayout {
  bool tabs = false;       ///< columns have tabs between them, else white space
  std::size_t width = 0;   ///< columns of the first word; 0 if there is none
  std::uint64_t line = 0;  ///< its line

  explicit ColumnLayout(std::string_view first_lines);

  /// "#breaking TAB O" is a word, "# sent_id = 1" is not; with blanks as separators nobody can tell. Nor is
  /// -DOCSTART- a word that stands alone.
  bool is_comment(std::string_view line) const noexcept;
  void split(std::string_view line, std::vector<std::string_view>& columns) const;
  /// Throws InputError for a line that has more or fewer columns than the first. `format` is the option that says what
  /// the file has instead.
  [[noreturn]] void refuse_width(std::size_t columns, const SourceLocation& where, const char* format) const;
};

/// Column `number`: from 1, or negative from the last, -1; nullptr if there is none.
const std::string_view* find_column(const std::vector<std::string_view>& columns, int number) noexcept;

/// Throws InputError for a column with the words (or `what` it is for) that is not there.
[[noreturn]] void refuse_column(std::size_t columns, int number, const char* what,
                                const SourceLocation& where);

}  // namespace firth::text

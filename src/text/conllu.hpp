// Lines of CoNLL-U: the one place that knows what they look like.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "text/block_reader.hpp"

namespace firth::text {

inline constexpr std::size_t kConlluColumns = 10;

/// Columns by their place, from 0.
inline constexpr std::size_t kConlluForm = 1;
inline constexpr std::size_t kConlluLemma = 2;
inline constexpr std::size_t kConlluUpos = 3;
inline constexpr std::size_t kConlluXpos = 4;

enum class ConlluLine {
  blank,    ///< nothing but white space: the sentence ends
  comment,  ///< starts with #
  skipped,  ///< a multiword token (1-2) or an empty node (1.1): no word of the sentence
  word,
};

/// The columns of a line.
using ConlluRow = std::array<std::string_view, kConlluColumns>;

/// What a line of `block` is; fills `row` if it is a word. Throws InputError for a line with another number of
/// columns, or another first column.
ConlluLine read_conllu_line(const Block& block, std::string_view line, ConlluRow& row);

/// Throws InputError at a column that must not be empty.
[[noreturn]] void refuse_empty_column(const Block& block, std::string_view column);

/// Whether a line looks like a row of CoNLL-U rather than like columns of another kind.
bool is_conllu_row(std::string_view line) noexcept;

}  // namespace firth::text

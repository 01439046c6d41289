// Lines of columns: what all line-based cluster formats are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/printable.hpp"
#include "firth/types.hpp"

namespace firth::clusters {

/// What separates columns.
enum class Columns {
  tabs,         ///< tabs; in a line without a tab, runs of spaces
  white_space,  ///< runs of spaces and tabs
};

/// The non-blank lines of a text, cut into columns. Takes CRLF, a byte order mark and a missing last newline.
/// The text must outlive the table.
class TextTable {
 public:
  /// `name` stands for the file in messages. Throws InputError for NUL bytes and for a text without lines.
  TextTable(std::string_view content, std::string name, Columns columns = Columns::tabs);

  std::size_t size() const noexcept { return lines_.size(); }
  /// Line number of row i in the text.
  std::uint64_t line(std::size_t row) const { return lines_[row]; }
  std::span<const std::string_view> row(std::size_t row) const {
    return std::span(fields_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }
  const std::string& name() const noexcept { return name_; }

  /// Throws InputError for row i: "problem; hint".
  [[noreturn]] void fail(std::size_t row, std::string_view problem, std::string_view hint) const;

  /// Throws InputError unless every row has between `min` and `max` columns; `expected` describes a line.
  void require_columns(std::size_t min, std::size_t max, std::string_view expected) const;

 private:
  void add_line(std::string_view line, Columns columns);

  std::string name_;
  std::vector<std::uint64_t> lines_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::string_view> fields_;
};

/// A whole number without sign, or nothing.
std::optional<Count> parse_count(std::string_view text);

/// A finite number, or nothing.
std::optional<double> parse_real(std::string_view text);

/// Whether the text consists of 0s and 1s; true for the empty text.
bool is_bits(std::string_view text);

}  // namespace firth::clusters

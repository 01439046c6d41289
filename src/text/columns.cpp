#include "text/columns.hpp"

#include <fmt/format.h>

#include "text/line_walk.hpp"

namespace firth::text {
namespace {

// Lines that are examined to find out what separates columns.
constexpr std::size_t kMaxLinesForTabs = 200;

// Whether a line of the first sentence has a tab.
bool uses_tabs(std::string_view text) {
  bool words = false;
  for (std::size_t i = 0; i < kMaxLinesForTabs && !text.empty(); ++i) {
    const std::string_view line = take_line(text);
    if (has_tab(line) && !is_blank(line)) return true;
    if (words && is_blank(line)) return false;
    words = words || (!is_blank(line) && !line.starts_with('#') && line != kDocumentWord);
  }
  return false;
}

}  // namespace

ColumnLayout::ColumnLayout(std::string_view first_lines) : tabs(uses_tabs(first_lines)) {
  std::vector<std::string_view> columns;
  for (std::uint64_t number = 1; width == 0 && !first_lines.empty(); ++number) {
    const std::string_view row = take_line(first_lines);
    if (is_blank(row) || is_comment(row)) continue;
    split(row, columns);
    width = columns.size();
    line = number;
  }
}

bool ColumnLayout::is_comment(std::string_view row) const noexcept {
  return row == kDocumentWord || (tabs && row.starts_with('#') && !has_tab(row));
}

void ColumnLayout::split(std::string_view row, std::vector<std::string_view>& columns) const {
  if (tabs) return split_tabs(row, columns);
  columns.clear();
  for (std::string_view part = next_field(row); !part.empty(); part = next_field(row)) {
    columns.push_back(part);
  }
}

void ColumnLayout::refuse_width(std::size_t columns, const SourceLocation& where, const char* format) const {
  throw InputError(
      where,
      fmt::format("{} {}, but {} on line {}", columns, columns == 1 ? "column" : "columns", width, line),
      fmt::format("all lines of a file need the same columns, with a tab (or, where no line has "
                  "one, blanks) between them; if it has no columns, give its format ({})",
                  format));
}

const std::string_view* find_column(const std::vector<std::string_view>& columns, int number) noexcept {
  const auto width = static_cast<int>(columns.size());
  const int index = number > 0 ? number - 1 : width + number;
  return index < 0 || index >= width ? nullptr : &columns[static_cast<std::size_t>(index)];
}

void refuse_column(std::size_t columns, int number, const char* what, const SourceLocation& where) {
  throw InputError(where,
                   fmt::format("there is no column {} with the {}: the line has {}", number, what, columns),
                   "columns count from 1; -1 is the last");
}

}  // namespace firth::text

#include "text/token_format.hpp"

#include <algorithm>
#include <vector>

#include "text/conllu.hpp"
#include "text/line_walk.hpp"

namespace firth::text {
namespace {

/// Lines of the first sentence that are examined.
constexpr std::size_t kMaxLines = 200;

/// The lines of the first sentence, without comments.
struct FirstSentence {
  explicit FirstSentence(std::string_view text) {
    for (std::size_t i = 0; i < kMaxLines && !text.empty(); ++i) {
      const std::string_view line = take_line(text);
      ended = is_blank(line) && !lines.empty();
      if (ended) return;
      const bool comment = line.starts_with('#') && line.find('\t') == std::string_view::npos;
      if (!is_blank(line) && !comment) lines.push_back(line);
    }
  }

  std::vector<std::string_view> lines;
  bool ended = false;  ///< by a blank line
};

/// Whether all lines have the same number of fields, at least two, and there are enough lines to tell.
bool is_table(const std::vector<std::string_view>& lines, const ColumnLayout& layout) {
  constexpr std::size_t kEnough = 3;
  if (lines.size() < kEnough || layout.width < 2) return false;
  std::vector<std::string_view> columns;
  return std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
    layout.split(line, columns);
    return columns.size() == layout.width;
  });
}

}  // namespace

TokenFormat detect_token_format(std::string_view first_lines, const ColumnLayout& layout, bool with_tags) {
  const FirstSentence first(first_lines);
  if (!first.lines.empty() && is_conllu_row(first.lines.front())) return TokenFormat::conllu;
  const bool columns = layout.tabs || with_tags || (first.ended && is_table(first.lines, layout));
  return columns ? TokenFormat::columns : TokenFormat::text;
}

}  // namespace firth::text

#include <string>

#include "firth/error.hpp"
#include "text/characters.hpp"
#include "text/columns.hpp"
#include "text/line_walk.hpp"
#include "text/parse_block.hpp"

namespace firth::text {

void parse_columns(const Block& block, int column, bool lines, WordSink& sink) {
  ColumnLayout layout(*block.head);
  if (layout.width == 0) {  // nothing but comments so far
    layout = ColumnLayout(block.text());
    layout.line += block.first_line - 1;
  }
  std::vector<std::string_view> columns;
  std::string buffer;
  for_each_line(block.text(), [&](std::string_view line) {
    if (is_blank(line)) {
      if (lines) sink.words.end_sequence();
      return;
    }
    if (layout.is_comment(line)) return;
    layout.split(line, columns);
    const auto where = [&] { return block.where(static_cast<std::size_t>(line.data() - block.data())); };
    if (columns.size() != layout.width) layout.refuse_width(columns.size(), where(), "TextOptions::format");
    const std::string_view* const word = find_column(columns, column);
    if (word == nullptr) refuse_column(columns.size(), column, "words (TextOptions::column)", where());
    if (word->empty()) throw InputError(where(), "an empty word", "give it a spelling, or take the line out");
    if (*word != kDocumentWord) sink.add_piece(as_word(*word, buffer));
  });
}

}  // namespace firth::text

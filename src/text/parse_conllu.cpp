#include <string>

#include "text/characters.hpp"
#include "text/conllu.hpp"
#include "text/line_walk.hpp"
#include "text/parse_block.hpp"

namespace firth::text {

void parse_conllu(const Block& block, std::size_t column, bool lines, WordSink& sink) {
  std::string buffer;
  ConlluRow row;
  for_each_line(block.text(), [&](std::string_view line) {
    const ConlluLine kind = read_conllu_line(block, line, row);
    if (kind == ConlluLine::word) {
      if (row[column].empty()) refuse_empty_column(block, row[column]);
      sink.add_piece(as_word(row[column], buffer));
    } else if (kind == ConlluLine::blank && lines) {
      sink.words.end_sequence();
    }
  });
}

}  // namespace firth::text

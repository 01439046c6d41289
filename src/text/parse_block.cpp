#include "text/parse_block.hpp"

#include "base/parse_number.hpp"
#include "text/characters.hpp"
#include "text/line_walk.hpp"
#include "text/text_options.hpp"

namespace firth::text {
namespace {

CsvOptions csv_options(const TextOptions& options) {
  CsvOptions csv;
  csv.separator = options.format == InputFormat::tsv ? '\t' : ',';
  const std::string& column = options.column;
  if (is_digits(column)) {
    base::parse_number(column, csv.number);
  } else {
    csv.name = field_name(options);
  }
  return csv;
}

std::size_t id_bytes(InputFormat format) {
  return format == InputFormat::ids16 ? 2 : 4;
}

}  // namespace

BlockParser::BlockParser(const TextOptions& options, const RunOptions& run)
    : options_(options), csv_(csv_options(options)) {
  ids_.sequence_end = options.sequence_end;
  if (!options.id_names.empty()) ids_.names = IdNames(options.id_names, run);
}

BlockOptions BlockParser::block_options() const {
  BlockOptions blocks;
  blocks.invalid_utf8 = options_.invalid_utf8;
  switch (options_.format) {
    case InputFormat::automatic:
    case InputFormat::text:
    case InputFormat::ids:
      blocks.cut = CutAt::space;
      break;
    case InputFormat::columns:
      blocks.keep_head = true;
      break;
    case InputFormat::csv:
    case InputFormat::tsv:
      blocks.cut = CutAt::record;
      blocks.separator = csv_.separator;
      if (options_.format == InputFormat::csv)
        blocks.separator_of = [csv = csv_](std::string_view begin) { return csv_separator(begin, csv); };
      blocks.keep_head = true;
      break;
    case InputFormat::ids16:
    case InputFormat::ids32:
      blocks.cut = CutAt::unit;
      blocks.unit_bytes = id_bytes(options_.format);
      break;
    case InputFormat::conllu:
    case InputFormat::jsonl:
    case InputFormat::counts:
      break;
  }
  return blocks;
}

void BlockParser::parse(Block& block, WordSink& sink) const {
  const bool lines = options_.boundaries == TextBoundaries::lines;
  if (block_options().cut != CutAt::unit) check_block(block, options_.invalid_utf8);
  sink.repaired += block.repaired;
  switch (options_.format) {
    case InputFormat::automatic:
    case InputFormat::counts:
    case InputFormat::text:
      return parse_text(block, options_, sink);
    case InputFormat::conllu:
      return parse_conllu(block, conllu_column(options_.column), lines, sink);
    case InputFormat::columns:
      return parse_columns(block, word_column(options_.column), lines, sink);
    case InputFormat::jsonl:
      return parse_jsonl(block, field_name(options_), lines, sink);
    case InputFormat::csv:
    case InputFormat::tsv:
      return parse_csv(block, csv_, lines, sink);
    case InputFormat::ids:
      return parse_ids(block, ids_, lines, sink);
    case InputFormat::ids16:
    case InputFormat::ids32:
      return parse_binary_ids(block, ids_, id_bytes(options_.format), sink);
  }
}

void add_lines(std::string_view text, bool lines, WordSink& sink) {
  for_each_line(text, [&](std::string_view line) {
    for (std::string_view piece = next_field(line); !piece.empty(); piece = next_field(line)) {
      sink.add_piece(piece);
    }
    if (lines) sink.words.end_sequence();
  });
  if (lines) sink.words.end_sequence();
}

}  // namespace firth::text

// A block of input in any format as numbered words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "firth/run.hpp"
#include "firth/text.hpp"
#include "text/block_reader.hpp"
#include "text/block_words.hpp"
#include "text/id_names.hpp"

namespace firth::text {

/// Which column of CSV or TSV is read.
struct CsvOptions {
  char separator = ',';
  std::size_t number = 0;  ///< from 1; 0 = the one that the first record calls `name`
  std::string name = {};
};

/// How token ids are read.
struct IdOptions {
  std::optional<std::uint32_t> sequence_end = {};
  IdNames names = {};
};

/// Knows the format of the input. May be used by several threads at once.
class BlockParser {
 public:
  /// `options.format` is neither automatic nor counts. Reads the names of ids; throws what reading throws,
  /// and UsageError as validate() does.
  BlockParser(const TextOptions& options, const RunOptions& run);

  /// How the input must be cut for it.
  BlockOptions block_options() const;

  /// Checks the block, and adds its words to the sink. Throws InputError.
  void parse(Block& block, WordSink& sink) const;

 private:
  TextOptions options_;
  CsvOptions csv_;
  IdOptions ids_;
};

/// The formats. Blocks have passed check_block(), and are cut as block_options() says. With `lines`, a line
/// (record, sentence) ends a sequence.
void parse_text(const Block& block, const TextOptions& options, WordSink& sink);
/// As parse_text(), but every line is a sequence, blank or not. The block is cut at a line.
void parse_lines(const Block& block, const TextOptions& options, WordSink& sink);
void parse_conllu(const Block& block, std::size_t column, bool lines, WordSink& sink);
void parse_columns(const Block& block, int column, bool lines, WordSink& sink);
void parse_jsonl(const Block& block, const std::string& field, bool lines, WordSink& sink);
void parse_csv(const Block& block, const CsvOptions& options, bool lines, WordSink& sink);
/// What separates the fields of a file of CSV that begins so: where commas do not give the column that is wanted, but
/// semicolons or tabs do, it is those. Spreadsheets write semicolons where numbers have a decimal comma.
char csv_separator(std::string_view begin, const CsvOptions& options);
void parse_ids(const Block& block, const IdOptions& options, bool lines, WordSink& sink);
void parse_binary_ids(const Block& block, const IdOptions& options, std::size_t bytes, WordSink& sink);

/// The words of a text within a record: lines in it are sequences of their own, and it ends one.
void add_lines(std::string_view text, bool lines, WordSink& sink);

}  // namespace firth::text

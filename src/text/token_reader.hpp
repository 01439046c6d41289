// Sentences of tokens from text, columns or CoNLL-U, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firth/text.hpp"
#include "text/columns.hpp"
#include "text/conllu.hpp"
#include "text/line_reader.hpp"
#include "text/token_format.hpp"

namespace firth::text {

/// Part of a string.
struct Slice {
  std::size_t begin = 0;
  std::size_t size = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, size); }
};

/// A line of a sentence as it was read. Comments, multiword ranges and empty nodes are lines without a word.
struct TokenLine {
  Slice line;       ///< without its end
  Slice word = {};  ///< empty: no token
  Slice tag = {};
  Slice guess = {};
  Slice tag_column = {};  ///< where the tag is in `line`
  std::uint64_t number = 0;

  bool is_token() const { return word.size > 0; }
};

/// A sentence: its lines, and the tokens among them.
struct TokenSentence {
  std::string text;
  std::vector<TokenLine> lines;

  std::string_view part(Slice slice) const { return slice.of(text); }
  /// The words, as views of `text`.
  void words(std::vector<std::string_view>& words) const;
  void clear() {
    text.clear();
    lines.clear();
  }
  /// Copies `part` to the end of `text`.
  Slice keep(std::string_view part);
};

/// What is to be read besides words.
enum class ReadColumns {
  words,     ///< nothing
  tags,      ///< the tag column
  any_tags,  ///< the tag column, if there is one: not in text, nor where there is a single column
  guesses,   ///< two tag columns: the right tag and the guessed one right after it
};

/// Reads all inputs, one after the other. Large because each of three formats has its own state.
class TokenReader {
 public:
  TokenReader(const Inputs& inputs, const TokenOptions& options, ReadColumns columns, const RunOptions& run);

  /// The next sentence with at least one token or comment; false after the last. Throws InputError with the
  /// line that cannot be read.
  bool next(TokenSentence& sentence);

  /// Calls `action` whenever next() has to wait for a pipe or a terminal, to whose writer answers may be due.
  void before_waiting(std::function<void()> action) { before_waiting_ = std::move(action); }

  /// The format of the file of the last sentence.
  TokenFormat format() const noexcept { return format_; }
  /// Its path, for messages.
  const std::string& path() const { return lines_->path(); }
  /// Bytes on disk that were used so far, and of all inputs (0 if not known).
  std::uint64_t bytes_done() const { return finished_bytes_ + (lines_ ? lines_->bytes_done() : 0); }
  std::uint64_t bytes_total() const noexcept { return bytes_total_; }

 private:
  bool open_next();
  void open(const InputFile& file, const TokenHints& hints);
  bool read_text(TokenSentence& sentence);
  bool read_lines(TokenSentence& sentence);
  void add_line(std::string_view line, TokenSentence& sentence);
  bool split(std::string_view line);
  bool has_tags() const;
  void add_tags(std::string_view word, TokenLine& added, TokenSentence& sentence);
  std::string_view column(int number, const char* what) const;
  std::string_view value(int number, const char* what, const char* problem, const char* hint) const;

  std::vector<InputFile> files_;
  TokenOptions options_;
  ReadColumns read_;
  RunOptions run_;
  std::size_t next_file_ = 0;
  std::optional<LineReader> lines_;
  TokenFormat format_ = TokenFormat::columns;
  std::optional<ColumnLayout> layout_;
  std::vector<std::string_view> columns_;
  std::string buffer_;
  std::uint64_t finished_bytes_ = 0;
  std::uint64_t bytes_total_ = 0;
  std::function<void()> before_waiting_;
};

}  // namespace firth::text

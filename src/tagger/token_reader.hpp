// Sentences of tokens from text, columns or CoNLL-U, one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/features.hpp"
#include "text/line_source.hpp"

namespace firth::tagger {

/// Part of a string.
struct Piece {
  std::size_t begin = 0;
  std::size_t size = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, size); }
};

/// A line of a sentence as it was read. Comments, multiword ranges and empty nodes are lines without a word.
struct TokenLine {
  Piece line;       ///< without its end
  Piece word = {};  ///< empty: no token
  Piece tag = {};
  Piece guess = {};
  std::uint64_t number = 0;

  bool is_token() const { return word.size > 0; }
};

/// A sentence: its lines, and the tokens among them.
struct TokenSentence {
  std::string text;
  std::vector<TokenLine> lines;

  std::string_view part(Piece piece) const { return piece.of(text); }
  /// The words, as views of `text`.
  void words(std::vector<std::string_view>& words) const;
  void clear() {
    text.clear();
    lines.clear();
  }
};

/// What is to be read besides words.
enum class Wanted {
  words,    ///< nothing
  tags,     ///< the tag column
  guesses,  ///< two tag columns: the right tag and the guessed one right after it
};

/// Reads all inputs, one after the other.
class TokenReader {
 public:
  TokenReader(const Inputs& inputs, const TokenOptions& options, Wanted wanted, const RunOptions& run);

  /// The next sentence with at least one token or comment; false after the last. Throws InputError with the
  /// line that cannot be read.
  bool next(TokenSentence& sentence);

  /// The format of the file of the last sentence.
  TokenFormat format() const noexcept { return format_; }
  /// Its path, for messages.
  const std::string& path() const { return source_->path(); }
  /// Bytes on disk that were used so far, and of all inputs (0 if not known).
  std::uint64_t bytes_done() const { return finished_bytes_ + (source_ ? source_->bytes_done() : 0); }
  std::uint64_t bytes_total() const noexcept { return bytes_total_; }

 private:
  bool open_next();
  void detect();
  bool next_line(std::string_view& line);
  bool read_text(TokenSentence& sentence);
  bool read_lines(TokenSentence& sentence);
  void add_line(std::string_view line, TokenSentence& sentence);
  void split(std::string_view line);
  void check_columns();
  std::string_view column(int number, const char* what) const;
  bool is_comment(std::string_view line) const;
  bool is_word_line() const;

  std::vector<text::InputFile> files_;
  TokenOptions options_;
  Wanted wanted_;
  RunOptions run_;
  std::size_t next_file_ = 0;
  std::optional<text::LineSource> source_;
  TokenFormat format_ = TokenFormat::columns;
  bool tabs_ = false;      // columns have tabs between them
  std::size_t width_ = 0;  // columns of the first line of the file
  std::uint64_t width_line_ = 0;
  std::vector<std::string> ahead_;  // lines read to find out the format
  std::size_t next_ahead_ = 0;
  std::uint64_t line_number_ = 0;
  std::vector<std::string_view> columns_;
  std::uint64_t finished_bytes_ = 0;
  std::uint64_t bytes_total_ = 0;
};

}  // namespace firth::tagger

// Lines of files with their places: what every format that is read line by line starts from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "firth/error.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "text/block_reader.hpp"
#include "text/line_walk.hpp"

namespace firth::text {

/// Reads plain or compressed UTF-8 text from one file after the other.
class LineReader {
 public:
  /// A list, a table or a model in one file or in memory: options for texts do not reach it. Throws as single_input().
  LineReader(const Inputs& list, const RunOptions& run);
  LineReader(std::vector<InputFile> files, const RunOptions& run, InvalidUtf8 policy = InvalidUtf8::error);
  LineReader(std::vector<InputFile> files, const RunOptions& run, const BlockOptions& options);

  /// The next line without its end (line feed, or carriage return and line feed); false after the last. The
  /// view is valid until the next call. Throws InputError (a NUL byte, broken UTF-8), ResourceError (a line
  /// beyond max_line_bytes()), IoError, Cancelled.
  bool next(std::string_view& line);

  /// What comes next, without taking it: some complete lines of one file, nothing at the end.
  std::string_view ahead();

  /// Whether the last line is the first of its file.
  bool starts_file() const noexcept { return starts_file_; }
  /// The place of the last line.
  SourceLocation where() const { return {path(), line_, 0}; }
  /// The place of a part of it.
  SourceLocation where(std::string_view part) const {
    return block_.where(static_cast<std::size_t>(part.data() - block_.data()));
  }
  const std::string& path() const noexcept { return block_.path; }
  /// What the last line is a part of.
  const Block& block() const noexcept { return block_; }
  std::uint64_t line() const noexcept { return line_; }

  /// Bytes on disk that were used so far, and all of them (0 if not known).
  std::uint64_t bytes_done() const noexcept { return reader_.bytes_done(); }
  std::uint64_t bytes_total() const noexcept { return reader_.bytes_total(); }

 private:
  RunOptions run_;
  InvalidUtf8 policy_;
  std::uint64_t repaired_ = 0;
  BlockReader reader_;
  Block block_;
  std::string_view left_;
  std::uint64_t next_line_ = 1;
  bool next_starts_file_ = false;
  std::uint64_t line_ = 0;
  bool starts_file_ = false;
};

}  // namespace firth::text

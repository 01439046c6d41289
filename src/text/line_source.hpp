// Lines of a file with their places, for formats that are read line by line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firth/error.hpp"
#include "firth/run.hpp"
#include "text/block_reader.hpp"
#include "text/block_words.hpp"
#include "text/line_walk.hpp"

namespace firth::text {

/// Reads plain or compressed UTF-8 text.
class LineSource {
 public:
  LineSource(const std::string& path, const RunOptions& run)
      : LineSource(single_input(path, run.stop), run) {}

  explicit LineSource(InputFile file, const RunOptions& run, InvalidUtf8 policy = InvalidUtf8::error)
      : path_(display_name(file.path)),
        run_(run),
        policy_(policy),
        reader_({std::move(file)}, CutAt::line, kBlockBytes) {}

  /// The next line without its end; false after the last. The view is good until the next call.
  bool next(std::string_view& line) {
    while (left_.empty()) {
      run_.check_stop();
      if (!reader_.next(block_)) return false;
      check_block(block_, policy_);
      left_ = block_.text();
    }
    ++line_;
    const std::size_t end = left_.find('\n');
    line = left_.substr(0, end);
    left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }

  /// The place of the line that next() gave last.
  SourceLocation where() const { return {path_, line_, 0}; }
  const std::string& path() const { return path_; }
  std::uint64_t line() const { return line_; }
  /// Bytes on disk that were used so far.
  std::uint64_t bytes_done() const { return reader_.bytes_done(); }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  std::string path_;
  RunOptions run_;
  InvalidUtf8 policy_;
  BlockReader reader_;
  Block block_;
  std::string_view left_;
  std::uint64_t line_ = 0;
};

}  // namespace firth::text

// Lines of a file with their places, for formats that are read line by line.
#pragma once

#include <string>
#include <string_view>

#include "corpus/block_parser.hpp"
#include "corpus/block_reader.hpp"
#include "corpus/line_walk.hpp"
#include "firth/error.hpp"

namespace firth::lm {

/// Reads plain or compressed UTF-8 text.
class LineSource {
 public:
  LineSource(std::string path, const RunOptions& run)
      : path_(std::move(path)), run_(run), reader_(expand(path_), corpus::CutAt::line, kBlockBytes) {}

  /// The next line without its end; false after the last. The view is good until the next call.
  bool next(std::string_view& line) {
    while (left_.empty()) {
      run_.check_stop();
      if (!reader_.next(block_)) return false;
      corpus::check_block(block_, InvalidUtf8::error);
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
  Where where() const { return {path_, line_, 0}; }
  const std::string& path() const { return path_; }
  std::uint64_t line() const { return line_; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  static std::vector<corpus::InputFile> expand(const std::string& path) {
    const std::vector<std::string> inputs = {path};
    return corpus::expand_inputs(inputs);
  }

  std::string path_;
  const RunOptions& run_;
  corpus::BlockReader reader_;
  corpus::Block block_;
  std::string_view left_;
  std::uint64_t line_ = 0;
};

}  // namespace firth::lm

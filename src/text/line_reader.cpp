#include "text/line_reader.hpp"

#include <utility>

namespace firth::text {

LineReader::LineReader(const Inputs& list, const RunOptions& run)
    : LineReader({single_input(list, run.stop)}, run,
                 BlockOptions{.max_bytes = max_line_bytes(run.memory_bytes), .auxiliary = true}) {}

LineReader::LineReader(std::vector<InputFile> files, const RunOptions& run, InvalidUtf8 policy)
    : LineReader(std::move(files), run,
                 BlockOptions{.max_bytes = max_line_bytes(run.memory_bytes), .invalid_utf8 = policy}) {}

LineReader::LineReader(std::vector<InputFile> files, const RunOptions& run, const BlockOptions& options)
    : run_(run), policy_(options.invalid_utf8), reader_(std::move(files), options) {
  block_.path = reader_.first_path();
}

std::string_view LineReader::ahead() {
  while (left_.empty()) {
    run_.check_stop();
    if (!reader_.next(block_)) {
      warn_of_repairs(run_, std::exchange(repaired_, 0));
      return {};
    }
    check_block(block_, policy_);
    repaired_ += block_.repaired;
    left_ = block_.text();
    next_line_ = block_.first_line;
    next_starts_file_ = block_.starts_file;
  }
  return left_;
}

bool LineReader::next(std::string_view& line) {
  if (left_.empty() && ahead().empty()) return false;
  line = take_line(left_);
  line_ = next_line_++;
  starts_file_ = std::exchange(next_starts_file_, false);
  return true;
}

}  // namespace firth::text

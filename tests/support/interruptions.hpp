// Runs that are stopped on the way, and searches that go on from a checkpoint.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firth/run.hpp"
#include "firth/search_limits.hpp"
#include "support/temp_folder.hpp"

namespace firth::testing {

/// Asks for a stop at a given report of progress; never if that is negative.
class StopAt final : public ProgressSink {
 public:
  explicit StopAt(int reports) : left_(reports) {}
  void begin(std::string_view, std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t, std::string_view) override {
    if (--left_ == 0) source_.request_stop();
  }
  void end() override {}
  void warn(std::string_view) override {}
  std::stop_token token() const { return source_.get_token(); }

 private:
  int left_;
  std::stop_source source_;
};

/// Keeps a copy of a file at each report of progress at which it has changed: what a process that is killed then leaves.
class KeepCopies final : public ProgressSink {
 public:
  KeepCopies(const TempFolder& folder, std::string name) : folder_(folder), name_(std::move(name)) {}
  void begin(std::string_view, std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t, std::string_view) override {
    const std::string now = read_file(folder_.file(name_));
    if (now.empty() || now == last_) return;
    last_ = now;
    files.push_back(folder_.write("copy" + std::to_string(files.size()), now));
  }
  void end() override {}
  void warn(std::string_view) override {}

  std::vector<std::string> files;

 private:
  const TempFolder& folder_;
  std::string name_;
  std::string last_;
};

/// Limits of a search that writes its checkpoint as often as it can; `resume` goes on from the one that is there.
inline SearchLimits checkpoint_limits(const std::string& file, bool resume) {
  SearchLimits limits;
  limits.checkpoint_file = file;
  limits.checkpoint_seconds = 0;
  limits.resume = resume;
  return limits;
}

}  // namespace firth::testing

// Runs that are stopped on the way, and searches that go on from a checkpoint.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "firth/run.hpp"
#include "firth/search_limits.hpp"

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

/// Limits of a search that writes its checkpoint as often as it can; `resume` goes on from the one that is there.
inline SearchLimits checkpoint_limits(const std::string& file, bool resume) {
  SearchLimits limits;
  limits.checkpoint_file = file;
  limits.checkpoint_seconds = 0;
  limits.resume = resume;
  return limits;
}

}  // namespace firth::testing

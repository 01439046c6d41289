// Progress for people, and a record of the stages for run.json.
#pragma once

#include <chrono>
#include <cstdint>
#include <firth/run.hpp>
#include <firth/run_record.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace firth::cli {

/// Most memory this process has had so far.
std::uint64_t peak_memory_bytes();

/// Draws one line on standard error: stage, share done, rate, time left, note.
class ProgressBar : public ProgressSink {
 public:
  /// `shown`: draw at all; `terminal`: redraw one line instead of writing new ones.
  ProgressBar(bool shown, bool terminal) : shown_(shown), terminal_(terminal) {}
  ~ProgressBar() override { clear_line(); }

  void begin(std::string_view stage, std::string_view unit, std::uint64_t total) override;
  void advance(std::uint64_t done, std::string_view note) override;
  void end() override;
  void warn(std::string_view message) override;

  /// Removes what is drawn, so that other text can be written.
  void clear_line();

  const std::vector<StageRecord>& records() const { return records_; }

 private:
  using Clock = std::chrono::steady_clock;

  void draw(std::uint64_t done, std::string_view note);

  bool shown_;
  bool terminal_;
  bool drawn_ = false;
  bool running_ = false;
  std::string stage_;
  std::string unit_;
  std::uint64_t total_ = 0;
  Clock::time_point started_;
  Clock::time_point last_drawn_;
  std::vector<StageRecord> records_;
};

/// "1:05", "2:03:09".
std::string clock_text(double seconds);

/// "21,314".
std::string grouped(std::uint64_t number);

}  // namespace firth::cli

// Progress for people, and a record of the stages for run.json.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <firth/run.hpp>
#include <firth/run_record.hpp>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace firth::cli {

/// Most memory this process has had so far.
std::uint64_t peak_memory_bytes();

/// Draws one line on standard error: stage, share done, rate, time left, note. Large because a thread of its own draws,
/// too, when the work has nothing to report.
class ProgressBar : public ProgressSink {
 public:
  /// `shown`: draw at all; `terminal`: redraw one line instead of writing new ones; `warns`: print warnings.
  ProgressBar(bool shown, bool terminal, bool warns = true);
  ~ProgressBar() override;

  void begin(std::string_view stage, std::string_view unit, std::uint64_t total) override;
  void advance(std::uint64_t done, std::string_view note) override;
  void end() override;
  void warn(std::string_view message) override;

  /// Removes what is drawn, so that other text can be written.
  void clear_line();

  /// Nothing is drawn any more unless the work itself reports: results are being written to the same terminal.
  void stop_heartbeat();

  const std::vector<StageRecord>& records() const { return records_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// Says that the work goes on while it does not report itself.
  void beat(const std::stop_token& stop);
  void end_stage();
  void clear();
  void draw(std::uint64_t done, std::string_view note);
  void write_line(const std::string& line);

  bool shown_;
  bool terminal_;
  bool warns_;
  std::set<std::string> warnings_;  ///< what was said
  bool drawn_ = false;
  bool running_ = false;
  std::string stage_;
  std::string unit_;
  std::uint64_t total_ = 0;
  const Clock::time_point created_ = Clock::now();
  Clock::time_point started_;
  Clock::time_point last_drawn_ = created_;
  std::vector<StageRecord> records_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread heartbeat_;
};

/// "1:05", "2:03:09".
std::string clock_text(double seconds);

/// "21,314".
std::string grouped(std::uint64_t number);

/// "1 word", "1,200 words".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace firth::cli

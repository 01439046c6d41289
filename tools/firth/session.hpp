// What a running command shares: threads, seed, memory, progress, standard output.
#pragma once

#include <firth/run.hpp>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "option_table.hpp"
#include "progress_bar.hpp"

namespace firth::cli {

/// When progress is shown.
enum class ProgressMode { automatic, always, never };

/// Which of the shared options a command has.
struct SharedOptions {
  bool threads = true;
  bool seed = false;
  bool memory = false;
};

/// One run of one command.
class Session {
 public:
  explicit Session(std::stop_token stop);

  /// Adds --threads, --seed, --memory with --temp-folder, --progress, as far as the command uses them.
  void declare(OptionTable& options, SharedOptions which);

  /// Called after parsing: sets up progress.
  void start();

  /// What to hand to the library.
  const RunOptions& run() const { return run_; }
  RunOptions& run() { return run_; }

  /// Stages so far, with their times and memory, for run.json.
  const std::vector<StageRecord>& stages() const { return progress_->records(); }

  /// Writes to standard output. Throws ClosedPipe when nobody reads any more, IoError on other failures.
  void print(std::string_view text);

  /// A line for people, on standard error.
  void say(std::string_view text);

  /// Everything printed has arrived.
  void finish();

 private:
  /// Says so if there are fewer threads than asked for.
  void check_threads();

  RunOptions run_;
  bool has_threads_ = false;
  bool stdout_is_terminal_;
  ProgressMode progress_mode_ = ProgressMode::automatic;
  std::unique_ptr<ProgressBar> progress_;
};

/// The reader of our standard output went away: not an error.
struct ClosedPipe {};

}  // namespace firth::cli

// What a running command shares: threads, seed, memory, progress, standard output.
#pragma once

#include <firth/inputs.hpp>
#include <firth/run.hpp>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
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
  bool json = false;
  bool text = false;    ///< reads text, which may be in another encoding
  bool spools = false;  ///< copies what can be read only once; a command with `memory` may do that, too
};

/// What a command found out, by name.
using Figures = std::vector<std::pair<std::string, std::variant<double, std::string>>>;

/// One run of one command.
class Session {
 public:
  /// `world` has the ranks of the run; nullptr = one.
  explicit Session(std::stop_token stop, World* world = nullptr);

  /// Adds --threads, --seed, --memory, --temp-folder, --json, --progress, as far as the command uses them.
  void declare(OptionTable& options, SharedOptions which);

  /// Called after parsing: sets up progress.
  void start();

  /// What to hand to the library.
  const RunOptions& run() const { return run_; }
  RunOptions& run() { return run_; }

  /// Rank 0 of a run reads inputs, writes outputs and speaks.
  bool is_root() const { return rank_ == 0; }
  unsigned ranks() const { return ranks_; }
  /// Whether somebody has interrupted the run, on any rank; all ranks must ask.
  bool is_interrupted() const;

  /// Files of text, folders or standard input, in the encoding that was named.
  Inputs text(const std::vector<std::string>& paths) const;

  /// Stages so far, with their times and memory, for run.json.
  const std::vector<StageRecord>& stages() const { return progress_->records(); }

  /// Writes to standard output. Throws ClosedPipe when nobody reads any more, IoError on other failures.
  void print(std::string_view text);
  /// The same, for output that somebody at the other end of a pipe may wait for.
  void print_now(std::string_view text) {
    print(text);
    finish();
  }

  /// A line for people, on standard error; not with --quiet.
  void say(std::string_view text);

  /// Whether --json was given.
  bool json() const noexcept { return json_; }

  /// What came of the command: with --json one line of JSON on standard output, else a line for people.
  void report(const Figures& figures, std::string_view text);

  /// Everything printed has arrived.
  void finish();

 private:
  /// Says so if there are fewer threads than asked for.
  void check_threads();

  RunOptions run_;
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
  bool has_threads_ = false;
  bool stdout_is_terminal_;
  bool quiet_ = false;
  bool json_ = false;
  std::string encoding_;
  ProgressMode progress_mode_ = ProgressMode::automatic;
  std::unique_ptr<ProgressBar> progress_;
};

/// The reader of our standard output went away: not an error.
struct ClosedPipe {};

/// Thrown after Ctrl-C when what was found so far has been written, and the command has said so.
struct InterruptedWithResult {};

}  // namespace firth::cli

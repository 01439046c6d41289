// The file that a run can be continued from after it was stopped or killed.
//
//   firth::HmmOptions options{.states = 50};
//   options.checkpoint = {.file = "run.checkpoint", .resume = true};
//   const firth::HmmResult trained = firth::train_hmm("text.txt", options, {});
#pragma once

#include <string>

namespace firth {

struct CheckpointOptions {
  /// Where the state of the run is kept; empty = nowhere.
  std::string file = {};
  /// Minimum number of seconds between two writes of the file. It is also written when the run ends or is stopped.
  double seconds = 1;
  /// Continue from `file` if it exists; it must come from the same input, options and seed. The result is that of a run
  /// that was never interrupted, on any number of threads.
  bool resume = false;
};

/// Throws UsageError if the options make no sense.
void validate(const CheckpointOptions& options);

}  // namespace firth

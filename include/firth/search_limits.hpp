// When a search ends, and the file that it can be continued from.
//
//   firth::AutoOptions options{.classes = 1000};
//   options.limits.max_seconds = 120;
//   options.limits.checkpoint_file = "run.checkpoint";
#pragma once

#include <stop_token>
#include <string>

namespace firth {

/// For searches that can end at any time with the best classes found so far.
struct SearchLimits {
  /// The search ends early after about this many seconds; 0 = no limit. Results then depend on the machine.
  double max_seconds = 0;
  /// Set from another thread, ends the search early: unlike RunOptions::stop, which stops the work without a
  /// result.
  std::stop_token finish = {};
  /// File that an interrupted search can be continued from; empty = none.
  std::string checkpoint_file = {};
  /// Minimum number of seconds between two writes of the checkpoint. It is also written when the search ends or is
  /// stopped.
  double checkpoint_seconds = 1;
  /// Continue from `checkpoint_file` if it exists; it must come from the same counts, options and seed. The result is
  /// that of a search that was never interrupted, on any number of threads.
  bool resume = false;
};

}  // namespace firth

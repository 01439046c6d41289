// Ctrl-C and kill: the work stops at the next convenient point, cleans up, and the command exits with 130.
#pragma once

#include <stop_token>
#include <thread>

namespace firth::cli {

/// While it lives, SIGINT and SIGTERM trigger the stop token instead of ending the process; a second one ends
/// it at once. Closed pipes become errors of write() instead of signals.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::thread watcher_;
};

}  // namespace firth::cli

// Ctrl-C and kill: the work stops at the next convenient point, cleans up, and the command exits with 130.
#pragma once

#include <stop_token>
#include <thread>

namespace firth::cli {

/// From now on an interrupted command may take its time: it ends with what it has found so far.
void wait_for_result_when_interrupted() noexcept;

/// While it lives, SIGINT and SIGTERM trigger the stop token instead of ending the process; a second one ends
/// it at once, and so does work that does not stop within two seconds. Closed pipes become errors of write()
/// instead of signals.
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

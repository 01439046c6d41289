// Work on several threads. The threading library itself is behind base/tasks.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace firth::base {

/// Number of threads to use for a request: 0 means all cores. Fewer where the system does not let that many start.
unsigned resolve_threads(unsigned requested);

/// Calls body(begin, end) for consecutive pieces of [0, size), each at most `grain` long, on up to `threads`
/// threads (0 = all). Pieces depend on `grain` only, never on the number of threads: a body that writes its
/// results by index gives the same result for any number. The first exception is rethrown after the join.
void parallel_for(std::size_t size, std::size_t grain, unsigned threads,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

/// A short pause between two looks at what another thread is about to change.
inline void cpu_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Threads that help with many small pieces of work, microseconds apart, where starting tasks would take
/// longer than the work. They watch for new work for a short while, then sleep. On a busy machine the calling
/// thread does the work alone and waits for nobody.
class Team {
 public:
  /// `threads` as in resolve_threads; the calling thread is one of them.
  explicit Team(unsigned threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  unsigned size() const noexcept;

  /// Calls body(thread, piece), thread < size(), once for every piece in [0, pieces); returns when all calls
  /// have. Thread t begins with the t-th of size() equal parts, so that it finds in its cache what it needed
  /// for the same pieces the last time, then it helps the others; a thread that comes late (or never) finds
  /// its part done. The first exception is rethrown.
  void share(std::size_t pieces, const std::function<void(unsigned thread, std::size_t piece)>& body);

  /// Calls body(0) on the calling thread and body(t), t < size(), on every other thread that arrives before
  /// body(0) is done (perhaps never, perhaps twice); returns when all calls have. So bodies take their work
  /// from a shared counter until there is none left. The first exception is rethrown.
  void run(const std::function<void(unsigned thread)>& body);

  /// What threads 1 to `helpers` do while nothing is shared: step(thread) again and again, until it returns
  /// false; then they watch, and try again now and then. Shared work does without a thread that is inside a
  /// step, so steps should be short; they must not throw. Nothing (the default) ends it: no thread is inside a
  /// step when the call returns.
  void set_idle_task(std::function<bool(unsigned thread)> step, unsigned helpers);
  /// Wakes the helpers that sleep: there is something to do for the idle task. Costs next to nothing.
  void wake();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace firth::base

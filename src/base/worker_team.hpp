// Threads that stay awake between short pieces of work, for loops that go parallel thousands of times a
// second.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace firth::base {

/// A fixed team: the calling thread and `threads - 1` others. Not itself thread-safe.
class WorkerTeam {
 public:
  /// Body of a piece of work: `worker` < size() tells whose scratch memory to use; [begin, end) what to do.
  using Body = std::function<void(unsigned worker, std::size_t begin, std::size_t end)>;

  /// `threads` 0 = all cores.
  explicit WorkerTeam(unsigned threads);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  unsigned size() const noexcept;

  /// Calls body for consecutive pieces of [0, size), each at most `grain` long; who gets which piece is
  /// chance, so a body must write its results by index. Returns when all are done; the first exception is
  /// rethrown.
  void run(std::size_t size, std::size_t grain, const Body& body);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace firth::base

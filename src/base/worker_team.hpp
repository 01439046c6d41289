// Loops that go parallel thousands of times a second.
#pragma once

#include <cstddef>
#include <functional>

#include "base/parallel.hpp"

namespace firth::base {

/// A Team that shares out the pieces of a range.
class WorkerTeam {
 public:
  /// Body of a piece of work: `worker` < size() tells whose scratch memory to use; [begin, end) what to do.
  using Body = std::function<void(unsigned worker, std::size_t begin, std::size_t end)>;

  /// `threads` 0 = all cores.
  explicit WorkerTeam(unsigned threads) : team_(threads) {}

  unsigned size() const noexcept { return team_.size(); }

  /// Calls body for consecutive pieces of [0, size), each at most `grain` long; who gets which piece is
  /// chance, so a body must write its results by index. Returns when all are done; after an exception, which
  /// is rethrown, pieces may be left undone.
  void run(std::size_t size, std::size_t grain, const Body& body);

 private:
  Team team_;
};

}  // namespace firth::base

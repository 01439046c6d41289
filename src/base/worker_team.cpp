#include "base/worker_team.hpp"

#include <algorithm>
#include <atomic>

namespace firth::base {

void WorkerTeam::run(std::size_t size, std::size_t grain, const Body& body) {
  const std::size_t step = std::max<std::size_t>(grain, 1);
  if (size <= step || team_.size() == 1) {
    for (std::size_t begin = 0; begin < size; begin += step) body(0, begin, std::min(size, begin + step));
    return;
  }
  std::atomic<std::size_t> next{0};
  team_.run([&](unsigned worker) {
    for (;;) {
      const std::size_t begin = next.fetch_add(step, std::memory_order_relaxed);
      if (begin >= size) return;
      body(worker, begin, std::min(size, begin + step));
    }
  });
}

}  // namespace firth::base

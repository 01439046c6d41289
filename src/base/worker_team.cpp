#include "base/worker_team.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/parallel.hpp"

namespace firth::base {
namespace {

// How often a thread looks for the next piece of work before it goes to sleep: some 30 microseconds, about
// the time that waking it up costs.
constexpr int kSpins = 2000;

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `value` differs from `old`: awake at first, then asleep.
template <typename T>
void wait_for_change(const std::atomic<T>& value, T old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

struct WorkerTeam::Shared {
  std::atomic<std::uint64_t> round{0};  // one more for each run(); workers wait for it to change
  std::atomic<bool> stopping{false};
  std::atomic<bool> open{false};     // whether workers may join the round
  std::atomic<unsigned> active{0};   // workers that joined, or are about to see that it is closed
  std::atomic<std::size_t> next{0};  // first index nobody has taken
  std::size_t size = 0;
  std::size_t grain = 1;
  const Body* body = nullptr;
  std::mutex error_lock;
  std::exception_ptr error;
  std::vector<std::thread> threads;

  void work(unsigned worker) {
    try {
      for (;;) {
        const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= size) return;
        (*body)(worker, begin, std::min(size, begin + grain));
      }
    } catch (...) {
      const std::lock_guard guard(error_lock);
      if (!error) error = std::current_exception();
      next.store(size, std::memory_order_relaxed);
    }
  }

  void serve(unsigned worker) {
    std::uint64_t seen = 0;
    for (;;) {
      wait_for_change(round, seen);
      seen = round.load(std::memory_order_acquire);
      if (stopping.load(std::memory_order_acquire)) return;
      // Either the caller sees that we joined, or we see that the round is closed (sequential consistency):
      // a worker that wakes up late, on a busy machine, keeps nobody waiting.
      active.fetch_add(1);
      if (open.load()) work(worker);
      if (active.fetch_sub(1) == 1) active.notify_one();
    }
  }

  void start_round() {
    round.fetch_add(1, std::memory_order_acq_rel);
    round.notify_all();
  }
};

WorkerTeam::WorkerTeam(unsigned threads) : shared_(std::make_unique<Shared>()) {
  const unsigned count = resolve_threads(threads);
  shared_->threads.reserve(count - 1);
  for (unsigned worker = 1; worker < count; ++worker) {
    shared_->threads.emplace_back([shared = shared_.get(), worker] { shared->serve(worker); });
  }
}

WorkerTeam::~WorkerTeam() {
  shared_->stopping.store(true, std::memory_order_release);
  shared_->start_round();
  for (std::thread& thread : shared_->threads) thread.join();
}

unsigned WorkerTeam::size() const noexcept {
  return static_cast<unsigned>(shared_->threads.size()) + 1;
}

void WorkerTeam::run(std::size_t size, std::size_t grain, const Body& body) {
  Shared& s = *shared_;
  s.size = size;
  s.grain = std::max<std::size_t>(grain, 1);
  s.body = &body;
  s.next.store(0, std::memory_order_relaxed);
  const bool alone = s.threads.empty() || size <= s.grain;
  if (!alone) {
    s.open.store(true);
    s.start_round();
  }
  s.work(0);
  s.open.store(false);
  for (unsigned left = s.active.load(); left != 0; left = s.active.load()) wait_for_change(s.active, left);
  if (s.error) std::rethrow_exception(std::exchange(s.error, nullptr));
}

}  // namespace firth::base

#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/aligned.hpp"
#include "base/tasks.hpp"

namespace firth::base {

namespace {

constexpr unsigned kMaxProbed = 256;

/// Threads that the system lets this process have, found out by starting them: a library that cannot start one
/// of its own would end the process.
unsigned start_threads(unsigned wanted) {
  std::latch go(1);
  std::vector<std::thread> started;
  try {
    while (started.size() + 1 < wanted) started.emplace_back([&go] { go.wait(); });
  } catch (const std::system_error&) {
  }
  go.count_down();
  for (std::thread& thread : started) thread.join();
  const auto found = static_cast<unsigned>(started.size()) + 1;
  return found == wanted ? found : std::max(found, 2u) - 1;  // at the limit, one stays in reserve
}

unsigned startable_threads(unsigned wanted) {
  static std::mutex mutex;
  static unsigned probed = 1;
  static unsigned found = 1;
  const std::lock_guard lock(mutex);
  const unsigned probe = std::min(wanted, kMaxProbed);
  if (probe > probed && found == probed) {
    found = start_threads(probe);
    probed = probe;
  }
  return found < probed ? std::min(wanted, found) : wanted;
}

}  // namespace

unsigned resolve_threads(unsigned requested) {
  const unsigned wanted = requested > 0 ? requested : static_cast<unsigned>(std::max(1, processor_count()));
  return startable_threads(wanted);
}

namespace {

/// The pieces of one parallel_for. Its two atomics repeat what the threading library does inside: work begins
/// after the call, and the call returns after all work. The library is not built with the thread sanitizer,
/// and without them every result would look like a race. For the same reason errors are kept here and do not
/// travel through the library.
class Pieces {
 public:
  Pieces(std::size_t size, std::size_t step, const std::function<void(std::size_t, std::size_t)>& body)
      : size_(size), step_(step), body_(body) {}

  std::size_t count() const { return (size_ + step_ - 1) / step_; }
  void publish() { begun_.store(true, std::memory_order_release); }
  void collect() const { ended_.load(std::memory_order_acquire); }

  /// After the first error the pieces that are left are not begun.
  void run(std::size_t first, std::size_t last) {
    begun_.load(std::memory_order_acquire);
    const Ending ending{ended_};
    try {
      for (std::size_t piece = first; piece < last && !failed_.load(std::memory_order_relaxed); ++piece)
        body_(piece * step_, std::min(size_, (piece + 1) * step_));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
    }
  }

  /// When all work is done: throws the first error.
  void finish() {
    collect();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  struct Ending {
    std::atomic<std::size_t>& ended;
    ~Ending() { ended.fetch_add(1, std::memory_order_release); }
  };

  std::size_t size_;
  std::size_t step_;
  const std::function<void(std::size_t, std::size_t)>& body_;
  std::atomic<bool> begun_{false};
  std::atomic<std::size_t> ended_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void parallel_for(std::size_t size, std::size_t grain, unsigned threads,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  Pieces pieces(size, std::max<std::size_t>(grain, 1), body);
  const unsigned workers = resolve_threads(threads);
  if (workers == 1 || pieces.count() <= 1) {
    pieces.run(0, pieces.count());
    pieces.finish();
    return;
  }
  pieces.publish();
  try {
    run_tasks(pieces.count(), workers, {&pieces, [](void* all, std::size_t first, std::size_t last) {
                                          static_cast<Pieces*>(all)->run(first, last);
                                        }});
  } catch (...) {  // the library's own: no thread could be started
    pieces.collect();
    throw;
  }
  pieces.finish();
}

namespace {

// A quarter of a millisecond of watching: longer than nearly every pause between two pieces of work. To wake
// a thread that sleeps takes a tenth of that, and it would miss the work it was woken for. A thread that
// watches in vain watches a little less the next time.
constexpr int kMaxRounds = 16384;
constexpr int kMinRounds = 64;
constexpr int kYieldEvery = 256;  // if the processor has other work, that goes first

/// Waits for a value to change without giving up the processor, and learns how long that takes.
class SpinWait {
 public:
  /// False if it has not changed for so long that the thread may sleep. `idle_task` is what to do meanwhile;
  /// it says whether there was anything.
  template <class IdleTask>
  bool wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old, IdleTask idle_task) {
    for (int round = 1; round <= rounds_; ++round) {
      if (value.load(std::memory_order_acquire) != old) {
        rounds_ = std::min(rounds_ * 2, kMaxRounds);
        return true;
      }
      if (idle_task())
        round = 0;
      else if (round % kYieldEvery == 0)
        std::this_thread::yield();
      else
        cpu_pause();
    }
    rounds_ = std::max(rounds_ - rounds_ / 8, kMinRounds);
    return false;
  }

 private:
  int rounds_ = kMaxRounds;
};

constexpr std::uint32_t kAccepting = 1u << 31;

/// What helpers do while nothing is shared.
class IdleTask {
 public:
  /// True if the task had something to do for this thread.
  bool step(unsigned thread) {
    if (thread > helpers_.load(std::memory_order_relaxed)) return false;
    inside_.fetch_add(1);  // sequentially consistent, as in replace(): one of the two sees the other
    const bool done = thread <= helpers_.load() && task_(thread);
    inside_.fetch_sub(1, std::memory_order_release);
    return done;
  }

  /// Sleeps until `generation` is no longer `seen`.
  void sleep(unsigned thread, const std::atomic<std::uint32_t>& generation, std::uint32_t seen) {
    const std::uint32_t helper = thread <= helpers_.load(std::memory_order_relaxed) ? 1 : 0;
    sleepers_.fetch_add(helper, std::memory_order_relaxed);
    generation.wait(seen, std::memory_order_acquire);
    sleepers_.fetch_sub(helper, std::memory_order_relaxed);
  }

  /// No thread is inside the old task when this returns.
  void replace(std::function<bool(unsigned)> task, unsigned helpers) {
    helpers_.store(0);
    while (inside_.load() != 0) std::this_thread::yield();
    task_ = std::move(task);
    helpers_.store(helpers);
  }

  bool has_sleepers() const { return sleepers_.load(std::memory_order_relaxed) != 0; }

 private:
  alignas(kCacheLine) std::atomic<std::uint32_t> inside_{0};    // threads inside a step
  alignas(kCacheLine) std::atomic<std::uint32_t> sleepers_{0};  // helpers only
  std::function<bool(unsigned)> task_;
  std::atomic<unsigned> helpers_{0};  // threads up to this one have an idle task
};

}  // namespace

struct Team::State {
  IdleTask idle;
  std::atomic<std::uint32_t> generation{0};    ///< changes when there is work
  std::atomic<std::uint32_t> participants{0};  ///< how many are inside, plus kAccepting while more may join
  std::atomic<bool> stop{false};
  const std::function<void(unsigned)>* body = nullptr;
  std::mutex mutex;
  std::exception_ptr error;
  SpinWait waiting;  ///< of the calling thread
  struct alignas(kCacheLine) Part {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };
  std::vector<Part> parts;  ///< of the pieces to share, one for each thread
  std::vector<std::jthread> threads;

  void call(unsigned thread) {
    try {
      (*body)(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  }

  void join_generation(unsigned thread) {
    std::uint32_t seen = participants.load(std::memory_order_relaxed);
    while ((seen & kAccepting) != 0) {
      if (!participants.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire,
                                              std::memory_order_relaxed))
        continue;
      call(thread);
      if (participants.fetch_sub(1, std::memory_order_acq_rel) == 1) participants.notify_one();
      return;
    }
  }

  void next_generation() {
    generation.fetch_add(1, std::memory_order_release);
    generation.notify_all();
  }

  void work(unsigned thread) {
    SpinWait own;
    for (std::uint32_t seen = 0;;) {
      if (!own.wait_for_change(generation, seen, [&] { return idle.step(thread); }))
        idle.sleep(thread, generation, seen);
      seen = generation.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_relaxed)) return;
      join_generation(thread);
    }
  }
};

Team::Team(unsigned threads) : state_(std::make_unique<State>()) {
  const unsigned size = resolve_threads(threads);
  state_->parts = std::vector<State::Part>(size);
  try {
    for (unsigned thread = 1; thread < size; ++thread)
      state_->threads.emplace_back([state = state_.get(), thread] { state->work(thread); });
  } catch (const std::system_error&) {
    // Those that could be started share the work.
  }
}

Team::~Team() {
  state_->stop.store(true, std::memory_order_relaxed);
  state_->next_generation();
}

unsigned Team::size() const noexcept {
  return static_cast<unsigned>(state_->threads.size()) + 1;
}

void Team::run(const std::function<void(unsigned)>& body) {
  State& state = *state_;
  state.body = &body;
  if (!state.threads.empty()) {
    state.participants.store(kAccepting, std::memory_order_release);
    state.next_generation();
  }
  state.call(0);
  std::uint32_t inside = state.participants.fetch_and(~kAccepting, std::memory_order_acq_rel) & ~kAccepting;
  for (; inside != 0; inside = state.participants.load(std::memory_order_acquire))
    if (!state.waiting.wait_for_change(state.participants, inside, [] { return false; }))
      state.participants.wait(inside, std::memory_order_acquire);
  if (state.error) std::rethrow_exception(std::exchange(state.error, nullptr));
}

void Team::set_idle_task(std::function<bool(unsigned)> step, unsigned helpers) {
  state_->idle.replace(std::move(step), helpers);
  state_->next_generation();  // those who sleep have not been counted as helpers
}

void Team::wake() {
  if (state_->idle.has_sleepers()) state_->next_generation();
}

void Team::share(std::size_t pieces, const std::function<void(unsigned, std::size_t)>& body) {
  std::vector<State::Part>& parts = state_->parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].next.store(i * pieces / parts.size(), std::memory_order_relaxed);
    parts[i].end = (i + 1) * pieces / parts.size();
  }
  run([&](unsigned thread) {
    for (std::size_t turn = 0; turn < parts.size(); ++turn) {
      State::Part& part = parts[(thread + turn) % parts.size()];
      for (;;) {
        const std::size_t piece = part.next.fetch_add(1, std::memory_order_relaxed);
        if (piece >= part.end) break;
        body(thread, piece);
      }
    }
  });
}

}  // namespace firth::base

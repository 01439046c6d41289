// Many sentences, shared among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <firth/run.hpp>
#include <mutex>
#include <thread>
#include <vector>

namespace firth::python {

/// Calls use(session, i) for i in 0..count-1; every thread has a session of its own, made by make(). The first exception is
/// thrown again.
template <class Make, class Use>
void share_work(std::size_t count, const RunOptions& run, const Make& make, const Use& use) {
  constexpr std::size_t kChunk = 64;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    try {
      auto session = make();
      for (std::size_t begin = next.fetch_add(kChunk); begin < count; begin = next.fetch_add(kChunk)) {
        run.check_stop();
        for (std::size_t i = begin; i < std::min(count, begin + kChunk); ++i) use(session, i);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!error) error = std::current_exception();
      next = count;
    }
  };
  const std::size_t wanted = run.threads == 0 ? std::thread::hardware_concurrency() : run.threads;
  const std::size_t threads = std::clamp<std::size_t>(count / kChunk, 1, std::max<std::size_t>(wanted, 1));
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace firth::python

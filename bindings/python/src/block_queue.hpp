// Hands blocks of data from the calling thread to the work. Each side waits for the other.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <firth/error.hpp>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace firth::python {

template <class Block>
class BlockQueue {
 public:
  void connect(std::function<void()> wake) {
    const std::scoped_lock lock(mutex_);
    wake_ = std::move(wake);
  }

  [[nodiscard]] bool wants_data() const {
    const std::scoped_lock lock(mutex_);
    return !ended_ && blocks_.size() < kMaxBlocks;
  }

  void push(Block block) {
    const std::scoped_lock lock(mutex_);
    blocks_.push_back(std::move(block));
    changed_.notify_one();
  }

  /// No block follows.
  void end() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  void abort() {
    const std::scoped_lock lock(mutex_);
    ended_ = aborted_ = true;
    changed_.notify_all();
  }

  /// The next block, or nothing at the end. Throws Cancelled after abort().
  [[nodiscard]] std::optional<Block> pop() {
    std::optional<Block> block;
    std::function<void()> wake;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ended_ || !blocks_.empty(); });
      if (aborted_) throw Cancelled();
      if (blocks_.empty()) return std::nullopt;
      block = std::move(blocks_.front());
      blocks_.pop_front();
      wake = wake_;
    }
    if (wake) wake();
    return block;
  }

 private:
  /// Enough that neither side waits when both are equally fast.
  static constexpr std::size_t kMaxBlocks = 4;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> blocks_;
  std::function<void()> wake_;
  bool ended_ = false;
  bool aborted_ = false;
};

}  // namespace firth::python

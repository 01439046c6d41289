// How often each of many keys was seen, in memory that grows with the number of different keys.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/memory_limit.hpp"
#include "firth/run.hpp"
#include "lm/sorted_runs.hpp"

namespace firth::lm {

/// Keys are sorted and counted when the buffer is full; sorted lists are merged when they are of similar length.
template <typename Key>
class KeyCounter {
 public:
  using Item = Counted<Key>;

  /// `run` must outlive the counter.
  explicit KeyCounter(const RunOptions& run) : run_(run) { buffer_.reserve(1 << 16); }

  void add(Key key) {
    buffer_.push_back(key);
    if (buffer_.size() == kBufferedKeys) flush();
  }

  /// All keys, rising; the counter is empty afterwards.
  std::vector<Item> take() {
    flush();
    while (runs_.size() > 1) merge_last_two();
    std::vector<Item> items;
    if (!runs_.empty()) items = std::move(runs_.back());
    runs_.clear();
    buffer_ = {};
    return items;
  }

  /// Throws ResourceError if there is no room for this many items.
  static void require(std::size_t items, const RunOptions& run) {
    base::require_memory(run, items * sizeof(Item), "the table of n-grams",
                         "lower the order or the number of words");
  }

 private:
  static constexpr std::size_t kBufferedKeys = std::size_t{1} << 23;

  std::size_t kept_items() const {
    std::size_t kept = 0;
    for (const auto& run : runs_) kept += run.size();
    return kept;
  }

  void flush() {
    run_.check_stop();
    if (buffer_.empty()) return;
    require(kept_items() + buffer_.size() * 2, run_);
    parallel_sort(buffer_, run_.threads);
    runs_.push_back(count_sorted(buffer_));
    buffer_.clear();
    while (runs_.size() > 1 && runs_[runs_.size() - 2].size() < 2 * runs_.back().size()) merge_last_two();
  }

  void merge_last_two() {
    require(kept_items() * 2, run_);
    std::vector<Item> last = std::move(runs_.back());
    runs_.pop_back();
    runs_.back() = merge_counted(runs_.back(), last);
  }

  const RunOptions& run_;
  std::vector<Key> buffer_;
  std::vector<std::vector<Item>> runs_;
};

}  // namespace firth::lm

// How often each of many keys was seen, in memory that grows with the number of different keys, or on disk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/temp_file.hpp"
#include "firth/run.hpp"
#include "lm/key_runs.hpp"
#include "lm/sorted_runs.hpp"

namespace firth::lm {

/// Keys are sorted and counted when the buffer is full; sorted lists are merged when they are of similar length. When
/// they take a quarter of the memory of the run, they go to a temporary file as one sorted run. Throws IoError,
/// Cancelled.
template <typename Key>
class KeyCounter {
 public:
  using Item = Counted<Key>;

  /// `run` must outlive the counter.
  explicit KeyCounter(const RunOptions& run) : run_(run) {
    if (run.memory_bytes == 0) return;
    max_items_ = std::max<std::uint64_t>(run.memory_bytes / 4 / sizeof(Item), 1);
    max_buffered_ = std::clamp<std::uint64_t>(run.memory_bytes / 16 / sizeof(Item), 1, kBuffered);
  }

  void add(Key key) {
    buffer_.push_back(key);
    if (buffer_.size() >= max_buffered_) flush();
  }

  void add(const Item& item) {
    weighted_.push_back(item);
    if (weighted_.size() >= max_buffered_) flush();
  }

  /// How many keys for_each() will visit.
  std::uint64_t distinct() {
    flush();
    if (file_ == nullptr && runs_.size() <= 1) return runs_.empty() ? 0 : runs_.front().size();
    std::uint64_t keys = 0;
    for_each([&](const Item&) { ++keys; });
    return keys;
  }

  /// Calls visit(item) for every key, rising.
  template <typename Visit>
  void for_each(const Visit& visit) {
    flush();
    std::vector<RunReader<Key>> readers = memory_readers();
    for (const Extent& extent : spilled_) readers.emplace_back(*file_, extent.begin, extent.end);
    merge_runs(std::move(readers), visit);
  }

 private:
  static constexpr std::size_t kBuffered = std::size_t{1} << 23;

  /// Items of the file.
  struct Extent {
    std::uint64_t begin;
    std::uint64_t end;
  };

  std::vector<RunReader<Key>> memory_readers() const {
    std::vector<RunReader<Key>> readers;
    for (const auto& items : runs_) readers.emplace_back(std::span<const Item>(items));
    return readers;
  }

  void flush() {
    run_.check_stop();
    if (!buffer_.empty()) {
      parallel_sort(buffer_, run_.threads);
      runs_.push_back(count_sorted(buffer_));
      buffer_.clear();
    }
    if (!weighted_.empty()) {
      parallel_sort(weighted_, run_.threads);
      collapse(weighted_);
      runs_.push_back({weighted_.begin(), weighted_.end()});
      weighted_.clear();
    }
    while (runs_.size() > 1 && runs_[runs_.size() - 2].size() < 2 * runs_.back().size()) merge_last_two();
    std::uint64_t kept = 0;
    for (const auto& items : runs_) kept += items.size();
    if (max_items_ > 0 && kept > max_items_) spill();
  }

  void merge_last_two() {
    std::vector<Item> last = std::move(runs_.back());
    runs_.pop_back();
    runs_.back() = merge_counted(runs_.back(), last);
  }

  void spill() {
    constexpr std::size_t kWritten = 4096;
    if (file_ == nullptr) file_ = std::make_unique<base::TempFile>(run_.temp_folder);
    Extent extent{written_, 0};
    std::vector<Item> items;
    const auto write = [&] {
      file_->write_at(written_ * sizeof(Item), std::as_bytes(std::span(items)));
      written_ += items.size();
      items.clear();
    };
    merge_runs(memory_readers(), [&](const Item& item) {
      items.push_back(item);
      if (items.size() == kWritten) write();
    });
    write();
    extent.end = written_;
    spilled_.push_back(extent);
    runs_.clear();
  }

  const RunOptions& run_;
  std::uint64_t max_items_ = 0;  // in memory; 0 = no limit
  std::size_t max_buffered_ = kBuffered;
  std::vector<Key> buffer_;
  std::vector<Item> weighted_;
  std::vector<std::vector<Item>> runs_;
  std::unique_ptr<base::TempFile> file_;
  std::uint64_t written_ = 0;  // items of the file
  std::vector<Extent> spilled_;
};

}  // namespace firth::lm

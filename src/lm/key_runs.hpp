// Sorted runs of counted keys, in memory or in a temporary file, gone through side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/temp_file.hpp"
#include "lm/sorted_runs.hpp"

namespace firth::lm {

/// One run from its first item to its last.
template <typename Key>
class RunReader {
 public:
  using Item = Counted<Key>;

  /// A run in memory.
  explicit RunReader(std::span<const Item> items) : at_(items.data()), end_(items.data() + items.size()) {}
  /// Items first .. end - 1 of a file.
  RunReader(const base::TempFile& file, std::uint64_t first, std::uint64_t end)
      : file_(&file), next_(first), last_(end) {
    refill();
  }

  bool done() const { return at_ == end_; }
  const Item& item() const { return *at_; }
  void advance() {
    if (++at_ == end_) refill();
  }

 private:
  static constexpr std::uint64_t kBufferItems = 4096;

  void refill() {
    if (next_ == last_) return;
    buffer_.resize(std::min(kBufferItems, last_ - next_));
    file_->read_at(next_ * sizeof(Item), std::as_writable_bytes(std::span(buffer_)));
    next_ += buffer_.size();
    at_ = buffer_.data();
    end_ = at_ + buffer_.size();
  }

  const base::TempFile* file_ = nullptr;
  std::uint64_t next_ = 0;  // item of the file
  std::uint64_t last_ = 0;
  std::vector<Item> buffer_;
  const Item* at_ = nullptr;
  const Item* end_ = nullptr;
};

/// Calls visit(item) for every key of the runs, rising, with the sum of its counts.
template <typename Key, typename Visit>
void merge_runs(std::vector<RunReader<Key>> readers, const Visit& visit) {
  std::erase_if(readers, [](const RunReader<Key>& reader) { return reader.done(); });
  const auto later = [](const RunReader<Key>& a, const RunReader<Key>& b) { return b.item() < a.item(); };
  std::make_heap(readers.begin(), readers.end(), later);
  const auto take_first = [&](Counted<Key>& sum) {
    std::pop_heap(readers.begin(), readers.end(), later);
    sum.count += readers.back().item().count;
    readers.back().advance();
    if (readers.back().done()) {
      readers.pop_back();
    } else {
      std::push_heap(readers.begin(), readers.end(), later);
    }
  };
  while (!readers.empty()) {
    Counted<Key> sum{readers.front().item().key, 0};
    while (!readers.empty() && readers.front().item().key == sum.key) take_first(sum);
    visit(sum);
  }
}

}  // namespace firth::lm

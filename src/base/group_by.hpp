// Counting sort: things that have a number each, group by group. Where the sorted arrays are themselves the result (a
// transposed matrix, the n-grams of a model, the rules of a chart), they are filled where they stay, and not through this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace firth::base {

/// The members of each group, in rising order.
class Groups {
 public:
  /// Member i, of at most 2^32, is in group keys[i]; keys that are not below `groups` (kNoClass, for example) are in none.
  Groups(std::span<const std::uint32_t> keys, std::size_t groups) : begin_(groups + 1) {
    for (const std::uint32_t key : keys) {
      if (key < groups) ++begin_[std::size_t{key} + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    members_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] < groups) members_[next[keys[i]]++] = static_cast<std::uint32_t>(i);
    }
  }

  std::size_t size() const noexcept { return begin_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t group) const {
    return std::span(members_).subspan(begin_[group], begin_[group + 1] - begin_[group]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> members_;
};

}  // namespace firth::base

// Keys with counts, sorted: the workhorse below n-gram counting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.hpp"
#include "firth/types.hpp"

namespace firth::lm {

/// A key and how often it was seen.
template <typename Key>
struct Counted {
  Key key;
  Count count;

  friend bool operator<(const Counted& a, const Counted& b) noexcept { return a.key < b.key; }
};

/// Sorts in pieces of fixed size on several threads, then merges neighbours: the same order for any number of
/// threads, since equal items cannot be told apart after collapsing.
template <typename Item>
void parallel_sort(std::vector<Item>& items, unsigned threads) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  base::parallel_for(items.size(), kPiece, threads, [&](std::size_t begin, std::size_t end) {
    std::sort(items.begin() + static_cast<std::ptrdiff_t>(begin),
              items.begin() + static_cast<std::ptrdiff_t>(end));
  });
  if (items.size() <= kPiece) return;
  std::vector<Item> other(items.size());
  for (std::size_t width = kPiece; width < items.size(); width *= 2) {
    base::parallel_for(items.size(), 2 * width, threads, [&](std::size_t begin, std::size_t end) {
      const auto at = [&](std::size_t place) { return items.begin() + static_cast<std::ptrdiff_t>(place); };
      const std::size_t middle = std::min(begin + width, end);
      std::merge(at(begin), at(middle), at(middle), at(end),
                 other.begin() + static_cast<std::ptrdiff_t>(begin));
    });
    items.swap(other);
  }
}

/// Adds up neighbours with equal keys.
template <typename Key>
void collapse(std::vector<Counted<Key>>& items) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (kept > 0 && items[kept - 1].key == items[i].key) {
      items[kept - 1].count += items[i].count;
    } else {
      items[kept++] = items[i];
    }
  }
  items.resize(kept);
}

/// Sorted keys as counted keys without repetition.
template <typename Key>
std::vector<Counted<Key>> count_sorted(const std::vector<Key>& keys) {
  std::vector<Counted<Key>> items;
  for (std::size_t begin = 0; begin < keys.size();) {
    std::size_t end = begin + 1;
    while (end < keys.size() && keys[end] == keys[begin]) ++end;
    items.push_back({keys[begin], end - begin});
    begin = end;
  }
  return items;
}

/// The sum of two sorted lists without repetition.
template <typename Key>
std::vector<Counted<Key>> merge_counted(const std::vector<Counted<Key>>& a,
                                        const std::vector<Counted<Key>>& b) {
  std::vector<Counted<Key>> sum;
  sum.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(sum));
  collapse(sum);
  return sum;
}

}  // namespace firth::lm

// Pairs of clusters that must not merge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cluster/brown/count_rows.hpp"

namespace firth::brown {

/// By slot. Few pairs are closed, so each slot has a list.
class ClosedPairs {
 public:
  /// `line_end`: slot 0 is the end of a line, which merges with nothing.
  ClosedPairs(std::size_t slots, bool line_end) : line_end_(line_end), others_(slots) {}

  bool contains(Slot v, Slot w) const {
    if (line_end_ && (v == 0 || w == 0)) return true;
    return std::find(others_[v].begin(), others_[v].end(), w) != others_[v].end();
  }

  void add(Slot v, Slot w) {
    if (v == w || contains(v, w)) return;
    others_[v].push_back(w);
    others_[w].push_back(v);
    any_ = true;
  }

  /// `gone` becomes part of `kept`: what one of the two must not merge with, both must not.
  void merge(Slot kept, Slot gone) {
    if (!any_) return;
    for (const Slot w : others_[gone]) {
      std::erase(others_[w], gone);
      add(kept, w);
    }
    others_[gone].clear();
  }

  /// Slots move; `moved` has the new place of each, kNoSlot for free ones.
  void compact(std::span<const Slot> moved) {
    if (!any_) return;
    std::vector<std::vector<Slot>> lists(others_.size());
    for (Slot v = 0; v < moved.size(); ++v) {
      if (moved[v] == kNoSlot) continue;
      for (const Slot w : others_[v]) lists[moved[v]].push_back(moved[w]);
    }
    others_ = std::move(lists);
  }

  /// All pairs may merge, but for those with the end of a line. Whether that changes anything.
  bool clear() {
    for (std::vector<Slot>& list : others_) list.clear();
    return std::exchange(any_, false);
  }

  /// Sets the lanes that row v must not merge with to `never`.
  template <class Value>
  void mask(Slot v, std::span<Value> row, Value never) const {
    if (line_end_ && v == 0) std::fill(row.begin(), row.end(), never);
    if (line_end_) row[0] = never;
    if (any_)
      for (const Slot w : others_[v]) row[w] = never;
  }

 private:
  bool line_end_;
  bool any_ = false;
  std::vector<std::vector<Slot>> others_;
};

}  // namespace firth::brown

// How often classes follow each other, for classes that become one.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/aligned.hpp"
#include "cluster/objective.hpp"

namespace firth::clusters {

/// Counts by rows, both ways, and marginals. A class that became part of another has none.
class ClassTable {
 public:
  explicit ClassTable(const PairCounts& pairs)
      : size_(pairs.rows()),
        after_(size_ * size_),
        before_(size_ * size_),
        left_(pairs.left_marginals()),
        right_(pairs.right_marginals()) {
    pairs.for_each_pair([&](std::size_t v, std::size_t w, Count count) {
      after_[v * size_ + w] = count;
      before_[w * size_ + v] = count;
    });
  }

  std::size_t size() const noexcept { return size_; }
  Count count(std::size_t v, std::size_t w) const { return after_[v * size_ + w]; }
  const Count* after(std::size_t v) const { return &after_[v * size_]; }    ///< N(v,c) over c
  const Count* before(std::size_t v) const { return &before_[v * size_]; }  ///< N(c,v) over c
  Count left_marginal(std::size_t v) const { return left_[v]; }
  Count right_marginal(std::size_t v) const { return right_[v]; }

  void merge(std::size_t kept, std::size_t gone) {
    for (base::AlignedVector<Count>* side : {&after_, &before_}) {
      for (std::size_t c = 0; c < size_; ++c)
        (*side)[kept * size_ + c] += std::exchange((*side)[gone * size_ + c], 0);
      for (std::size_t c = 0; c < size_; ++c)
        (*side)[c * size_ + kept] += std::exchange((*side)[c * size_ + gone], 0);
    }
    left_[kept] += std::exchange(left_[gone], 0);
    right_[kept] += std::exchange(right_[gone], 0);
  }

  /// Leaves only the classes of `places`, which ascend; they move up. In place: no cell moves behind one that
  /// is still needed.
  void keep(const std::vector<std::size_t>& places) {
    const std::size_t kept = places.size();
    for (base::AlignedVector<Count>* side : {&after_, &before_}) {
      for (std::size_t v = 0; v < kept; ++v) {
        for (std::size_t w = 0; w < kept; ++w) (*side)[v * kept + w] = (*side)[places[v] * size_ + places[w]];
      }
      side->resize(kept * kept);
      side->shrink_to_fit();
    }
    for (std::size_t v = 0; v < kept; ++v) {
      left_[v] = left_[places[v]];
      right_[v] = right_[places[v]];
    }
    left_.resize(kept);
    right_.resize(kept);
    size_ = kept;
  }

 private:
  std::size_t size_;
  base::AlignedVector<Count> after_;
  base::AlignedVector<Count> before_;
  std::vector<Count> left_;
  std::vector<Count> right_;
};

}  // namespace firth::clusters

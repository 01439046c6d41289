// A pair of clusters that might merge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>

#include "cluster/brown/count_rows.hpp"
#include "cluster/brown/objective_terms.hpp"

namespace firth::brown {

inline constexpr Score kNoLoss = std::numeric_limits<Score>::max();

/// The smaller one wins: less loss, then the rule for ties.
struct Candidate {
  Score loss = kNoLoss;
  std::uint32_t first = UINT32_MAX;   ///< rank of the cluster that ranks first
  std::uint32_t second = UINT32_MAX;  ///< rank of the other
  Slot v = kNoSlot;
  Slot w = kNoSlot;

  static Candidate of(Score loss, Slot v, std::uint32_t rank_v, Slot w, std::uint32_t rank_w) {
    return {loss, std::min(rank_v, rank_w), std::max(rank_v, rank_w), v, w};
  }
  bool operator<(const Candidate& other) const {
    return std::tie(loss, first, second) < std::tie(other.loss, other.first, other.second);
  }
};

}  // namespace firth::brown

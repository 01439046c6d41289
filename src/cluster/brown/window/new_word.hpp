// A word about to enter a window.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/brown/count_rows.hpp"
#include "firth/types.hpp"

namespace firth::brown {

/// How often a word or cluster is next to a cluster of the window.
struct Neighbour {
  Slot slot;
  Count after;   ///< times the cluster of the slot comes after it
  Count before;  ///< times the cluster of the slot comes before it
};

struct NewWord {
  WordId word = 0;
  Count self = 0;          ///< times it follows itself
  Count left_degree = 0;   ///< Sl: self + sum of `after`
  Count right_degree = 0;  ///< Sr: self + sum of `before`
  std::vector<Neighbour> neighbours;
  /// Smallest rank of a neighbour outside the window, if below its own.
  std::uint32_t first_outside = UINT32_MAX;

  /// Bigrams that it adds to those inside the window.
  Count new_pairs() const { return left_degree + right_degree - self; }
};

}  // namespace firth::brown

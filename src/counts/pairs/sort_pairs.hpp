// Sorting counted pairs.
#pragma once

#include <cstddef>
#include <span>

#include "firth/counts.hpp"

namespace firth::counts {

/// Between which bounds the ids of some pairs lie.
struct SortRange {
  std::size_t first_row;  ///< lefts are at least this
  std::size_t end_row;    ///< and below this
  std::size_t words;      ///< rights are below this
};

/// Sorts by left, then right, and adds up equal pairs at the front; returns how many are left.
std::size_t sort_and_add(std::span<PairCount> pairs, const SortRange& range);

}  // namespace firth::counts

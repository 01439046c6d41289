// What the engines work on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/objective_terms.hpp"
#include "firth/counts.hpp"

namespace firth::brown {

/// All of it must outlive the engine.
struct EngineInput {
  const Counts& counts;
  const PairCounts& transposed;  ///< of the bigrams
  const ObjectiveTerms& terms;
  std::span<const std::uint32_t> rank;  ///< of every word: breaks ties
  std::span<const std::vector<WordId>> apart =
      {};                  ///< by word: words that it must not merge with; empty = none
  bool line_ends = false;  ///< word 0 is the end of a line, which merges with nothing

  std::span<const WordId> apart_of(WordId word) const {
    return apart.empty() ? std::span<const WordId>() : std::span<const WordId>(apart[word]);
  }
};

/// Whether counts between clusters fit in 32 bits.
inline bool fits_in_32_bits(Count total) {
  return total < UINT32_MAX;
}

}  // namespace firth::brown

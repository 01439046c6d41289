// How much two neighbours belong together.
#pragma once

#include "firth/phrases.hpp"

namespace firth::phrases {

/// Counts of a pair of neighbours among `total` bigrams.
struct PairTable {
  Count count = 0;  ///< N(a,b)
  Count left = 0;   ///< N(a,.)
  Count right = 0;  ///< N(.,b)
  Count total = 0;  ///< T
};

double npmi(const PairTable& pair);
double likelihood_ratio(const PairTable& pair);

}  // namespace firth::phrases

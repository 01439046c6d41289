// p(word | class).
#pragma once

#include <span>
#include <vector>

#include "firth/class_lm.hpp"
#include "lm/ngram_counts.hpp"

namespace firth::lm {

/// Classes of words and p(word | class), owned.
struct EmissionStorage {
  std::vector<Symbol> class_of;
  std::vector<double> probability;
};

/// p(w | c) for every word from its count. Discounted: (N(w) - d) / N(c) for words that were seen, and what
/// is left over is shared equally by all words of the class; d = n1 / (n1 + 2 n2) from the words seen once
/// and twice. A class that was never seen is uniform.
std::vector<double> estimate_emissions(std::span<const Symbol> class_of, std::span<const Count> counts,
                                       std::size_t classes, LmEmission method);

}  // namespace firth::lm

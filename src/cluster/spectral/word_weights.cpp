#include "cluster/spectral/word_weights.hpp"

#include <algorithm>
#include <cmath>

namespace firth::spectral {

std::vector<double> weights_of(const Vocabulary& vocabulary, WordWeights kind) {
  std::vector<double> weights;
  if (kind == WordWeights::none) return weights;
  for (const Count count : vocabulary.counts()) {
    // A word of a list may not occur at all; it must still weigh something.
    const double weight = std::max(static_cast<double>(count), 1.0);
    weights.push_back(kind == WordWeights::counts ? weight : std::sqrt(weight));
  }
  return weights;
}

}  // namespace firth::spectral

// What words weigh when vectors are clustered.
#pragma once

#include <vector>

#include "firth/counts.hpp"
#include "firth/spectral.hpp"

namespace firth::spectral {

/// What each word weighs; empty = all the same.
std::vector<double> weights_of(const Vocabulary& vocabulary, WordWeights kind);

}  // namespace firth::spectral

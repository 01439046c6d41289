// Step 2 and 3 of the spectral algorithm (Cohen et al. 2012, figure 4), with backed-off estimates.
#pragma once

#include "firth/run.hpp"
#include "grammar/latent_parameters.hpp"
#include "grammar/projection.hpp"

namespace firth::grammar {

struct SpectralSmoothing {
  /// C in lambda = sqrt(n) / (C + sqrt(n)), the weight of a rule's own moments; 0 = no smoothing.
  double binary = 12;
  double lexical = 3;
};

/// Tensors C, vectors c. Values may be negative; rows do not sum to 1.
LatentParameters estimate_spectral(const TrainingNodes& trees, const Projection& projection,
                                   const SpectralSmoothing& smoothing, const RunOptions& run);

}  // namespace firth::grammar

// Expectation maximisation for latent-variable grammars on observed trees: linear in the nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "firth/run.hpp"
#include "grammar/latent_parameters.hpp"

namespace firth::grammar {

/// Expected counts under `grammar` (not normalised), and the log-likelihood of the trees under it.
struct Expectation {
  LatentParameters counts;
  double log_likelihood = 0;
};
Expectation expected_counts(const TrainingNodes& trees, const LatentParameters& grammar,
                            const RunOptions& run);

/// One step of EM in place; returns the log-likelihood before it.
double em_step(const TrainingNodes& trees, const SmoothingOptions& smoothing, LatentParameters& grammar,
               const RunOptions& run);

}  // namespace firth::grammar

// Step 0 and 1 of the spectral algorithm (Cohen et al. 2012, figures 4 and 5): a singular value decomposition
// for each symbol, and all nodes projected to few dimensions.
#pragma once

#include <cstdint>
#include <vector>

#include "firth/run.hpp"
#include "grammar/features.hpp"

namespace firth::grammar {

struct ProjectionOptions {
  FeatureOptions features = {};
  /// Most states of a symbol.
  std::uint32_t states = 16;
  /// Singular values below this share of the largest are noise: their directions would weigh 1 / value.
  double relative_cut = 0.01;
  /// A symbol gets at most one state per this many sampled nodes; 0 = no such limit.
  double nodes_per_state = 10;
};

/// For every node y = U^T phi and z = Sigma^-1 V^T psi, so that E[y z^T] is the identity.
struct Projection {
  std::vector<std::uint32_t> states;          ///< of each symbol, >= 1
  std::vector<std::vector<double>> singular;  ///< of each symbol, as many as states
  std::vector<std::uint64_t> offsets;         ///< of each node into `inside` and `outside`
  std::vector<float> inside;                  ///< y
  std::vector<float> outside;                 ///< z

  const float* y(std::uint32_t node) const { return inside.data() + offsets[node]; }
  const float* z(std::uint32_t node) const { return outside.data() + offsets[node]; }
};

Projection project_nodes(const TrainingNodes& trees, const ProjectionOptions& options, const RunOptions& run);

}  // namespace firth::grammar

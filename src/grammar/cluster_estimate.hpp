// The clustering estimator (after Narayan & Cohen 2015): the states of nodes are found by k-means over their
// projections, and then counted as if they had been observed.
#pragma once

#include <cstdint>
#include <vector>

#include "firth/run.hpp"
#include "grammar/latent_parameters.hpp"
#include "grammar/projection.hpp"

namespace firth::grammar {

/// A state for every node.
struct StateAssignment {
  std::vector<std::uint32_t> states;  ///< of each symbol
  std::vector<std::uint32_t> of_node;
};

struct ClusterOptions {
  /// Most states of a symbol.
  std::uint32_t states = 16;
  /// A symbol gets at most one state per this many nodes.
  double nodes_per_state = 50;
  std::size_t iterations = 20;
};

StateAssignment cluster_nodes(const TrainingNodes& trees, const Projection& projection,
                              const ClusterOptions& options, const RunOptions& run);

/// Counts of rules with the states of their nodes.
LatentParameters count_states(const TrainingNodes& trees, const StateAssignment& assignment);

}  // namespace firth::grammar

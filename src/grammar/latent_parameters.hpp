// Parameters of a latent-variable grammar, or counts of the same shape, in flat arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/training_nodes.hpp"

namespace firth::grammar {

/// For a rule a -> b c the tensor [h_a][h_b][h_c], for a lexical rule a -> x the vector [h_a], for a root the
/// vector [h_a].
struct LatentParameters {
  std::vector<std::uint32_t> states;           ///< of each symbol
  std::vector<std::uint64_t> binary_offsets;   ///< of each binary rule
  std::vector<std::uint64_t> lexical_offsets;  ///< of each lexical rule
  std::vector<std::uint64_t> root_offsets;     ///< of each symbol
  std::vector<float> binary;
  std::vector<float> lexical;
  std::vector<float> root;

  const float* tensor(std::size_t rule) const { return binary.data() + binary_offsets[rule]; }
  float* tensor(std::size_t rule) { return binary.data() + binary_offsets[rule]; }
  const float* word(std::size_t rule) const { return lexical.data() + lexical_offsets[rule]; }
  float* word(std::size_t rule) { return lexical.data() + lexical_offsets[rule]; }
  const float* start(std::size_t symbol) const { return root.data() + root_offsets[symbol]; }
  float* start(std::size_t symbol) { return root.data() + root_offsets[symbol]; }
};

/// All zero, for symbols with these numbers of states.
LatentParameters make_parameters(const TrainingNodes& trees, std::vector<std::uint32_t> states);

/// How counts become probabilities. Each state of a symbol is drawn towards the mean of its symbol's states (Petrov et
/// al. 2006, section 4) by a share, or by more if it is rare: as if that mean had been seen `prior` times in it.
struct SmoothingOptions {
  double binary = 0.01;
  double lexical = 0.1;
  double prior = 0;
};

/// Relative frequencies: for each symbol and state, binary and lexical rules together sum to 1; so do roots.
void normalise(const TrainingNodes& trees, const SmoothingOptions& smoothing, LatentParameters& counts);

}  // namespace firth::grammar

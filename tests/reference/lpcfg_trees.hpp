// Trees of a known grammar, as learners read them.
#pragma once

#include <algorithm>
#include <vector>

#include "base/rng.hpp"
#include "grammar/latent_parameters.hpp"
#include "grammar/training_nodes.hpp"
#include "sample/random_lpcfg.hpp"

namespace firth::reference {

using grammar::LatentGrammar;
using grammar::LatentParameters;
using grammar::TrainingNodes;

struct Sample {
  LatentGrammar truth;
  std::vector<treebank::BinaryTree> trees;
  TrainingNodes nodes;
};

inline Sample draw(const sample::RandomLpcfgOptions& options, std::uint64_t seed, std::size_t count) {
  Sample sample{sample::draw_lpcfg(options, seed), {}, {}};
  const sample::TreeSampler sampler(sample.truth);
  base::Rng rng(seed + 99);
  std::vector<std::uint32_t> states;
  for (std::size_t i = 0; i < count; ++i) sample.trees.push_back(sampler.draw(rng, states));
  grammar::RuleCounts rules;
  rules.rules = sample.truth.rules;
  rules.lexical = sample.truth.lexical;
  rules.symbols.assign(sample.truth.states.size(), 0);
  sample.nodes = grammar::flatten_trees(rules, sample.trees);
  return sample;
}

/// Numbers from 0.5 to 1.5: counts, or, once normalised, a random grammar.
inline LatentParameters random_parameters(const TrainingNodes& nodes, std::uint32_t states,
                                          std::uint64_t seed) {
  base::Rng rng(seed);
  LatentParameters result = make_parameters(nodes, std::vector<std::uint32_t>(nodes.symbols, states));
  for (auto* values : {&result.binary, &result.lexical, &result.root})
    for (float& value : *values) value = static_cast<float>(0.5 + rng.uniform());
  return result;
}

inline LatentGrammar with_parameters(const LatentGrammar& rules, const LatentParameters& parameters) {
  LatentGrammar result;
  result.states = parameters.states;
  result.rules = rules.rules;
  result.lexical = rules.lexical;
  result.allocate();
  std::copy(parameters.binary.begin(), parameters.binary.end(), result.tensors.begin());
  std::copy(parameters.lexical.begin(), parameters.lexical.end(), result.vectors.begin());
  std::copy(parameters.root.begin(), parameters.root.end(), result.roots.begin());
  return result;
}

}  // namespace firth::reference

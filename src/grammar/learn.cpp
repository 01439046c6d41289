#include "grammar/learn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "grammar/cluster_estimate.hpp"
#include "grammar/em.hpp"
#include "grammar/spectral_estimate.hpp"
#include "grammar/state_choice.hpp"

namespace firth {

void validate(const LatentOptions& options) {
  const auto check = [](bool good, const char* what) {
    if (!good) throw UsageError(what);
  };
  check(options.states >= 1 && options.states <= 256, "the number of states must be from 1 to 256");
  check(options.grammars >= 1 && options.grammars <= 64, "the number of grammars must be from 1 to 64");
  check(options.singular_cut >= 0 && options.singular_cut < 1, "the singular value cut must be in [0, 1)");
  check(options.pseudo_count > 0 && std::isfinite(options.pseudo_count), "the pseudo-count must be above 0");
  check(options.backoff >= 0 && std::isfinite(options.backoff), "the back-off constant must not be negative");
  check(options.nodes_per_state >= 0 && std::isfinite(options.nodes_per_state),
        "the nodes per state must not be negative");
  check(options.held_out >= 0 && options.held_out < 1, "the held-out share of trees must be in [0, 1)");
  check(options.smooth_rules >= 0 && options.smooth_rules <= 1, "the smoothing of rules must be from 0 to 1");
  check(options.smooth_words >= 0 && options.smooth_words <= 1, "the smoothing of words must be from 0 to 1");
  check(options.state_prior >= 0 && std::isfinite(options.state_prior),
        "the prior of states must not be negative");
}

namespace grammar {
namespace {

constexpr double kNodesPerDimension = 10;
constexpr double kNodesPerState = 50;

/// The tensors of all rules with `states` states for every symbol that is frequent enough, in single and
/// double precision, and the terms of all nodes; `kept`: tensors in a checkpoint.
void check_memory(const TrainingSet& set, const TrainingNodes& trees, const LatentOptions& options,
                  const RunOptions& run, std::size_t kept = 0) {
  std::vector<std::uint64_t> most;
  for (const Count count : set.rules.symbols) {
    const auto limit = options.nodes_per_state == 0
                           ? std::uint64_t{options.states}
                           : static_cast<std::uint64_t>(static_cast<double>(count) / options.nodes_per_state);
    most.push_back(std::clamp<std::uint64_t>(limit, 1, options.states));
  }
  std::uint64_t numbers = 0;
  for (const BinaryRule& rule : trees.rules)
    numbers += most[rule.parent] * most[rule.left] * most[rule.right];
  std::uint64_t terms = 0;
  for (const TrainingNode& node : trees.nodes) terms += 2 * most[node.symbol];
  const std::uint64_t needed = numbers * 2 * (sizeof(float) + sizeof(double)) + terms * 2 * sizeof(float) +
                               kept * numbers * sizeof(float);
  base::require_memory(run, needed, fmt::format("a grammar of {} states", options.states),
                       "ask for fewer states");
}

Projection project(const TrainingNodes& trees, const LatentOptions& options, double nodes_per_state,
                   const RunOptions& run) {
  const base::Stage stage(run, "decomposing symbols", "symbols", trees.symbols);
  return project_nodes(trees,
                       {.features = {.scale = options.scale_features,
                                     .pseudo_count = options.pseudo_count,
                                     .inside_templates = options.inside_templates,
                                     .outside_templates = options.outside_templates},
                        .states = options.states,
                        .relative_cut = options.singular_cut,
                        .nodes_per_state = nodes_per_state},
                       run);
}

LatentGrammar to_grammar(const TrainingSet& set, const LatentParameters& parameters) {
  LatentGrammar grammar = empty_grammar(set.rules, parameters.states);
  std::copy(parameters.binary.begin(), parameters.binary.end(), grammar.tensors.begin());
  std::copy(parameters.lexical.begin(), parameters.lexical.end(), grammar.vectors.begin());
  std::copy(parameters.root.begin(), parameters.root.end(), grammar.roots.begin());
  return grammar;
}

/// States drawn evenly for every node.
StateAssignment random_states(const TrainingNodes& trees, const LatentOptions& options, std::uint64_t seed) {
  const NodesBySymbol by_symbol = nodes_by_symbol(trees);
  base::Rng rng(seed);
  StateAssignment result;
  result.of_node.assign(trees.nodes.size(), 0);
  for (std::size_t symbol = 0; symbol < trees.symbols; ++symbol) {
    const auto nodes = by_symbol.of(symbol);
    const auto limit = static_cast<std::uint32_t>(static_cast<double>(nodes.size()) / kNodesPerState);
    const std::uint32_t states = std::clamp<std::uint32_t>(limit, 1, options.states);
    result.states.push_back(states);
    for (const std::uint32_t node : nodes)
      result.of_node[node] = static_cast<std::uint32_t>(rng.below(states));
  }
  return result;
}

StateAssignment find_states(const TrainingNodes& trees, const LatentOptions& options, const RunOptions& run) {
  const Projection projection = project(trees, options, kNodesPerDimension, run);
  const base::Stage stage(run, "clustering nodes", "nodes", trees.nodes.size());
  return cluster_nodes(trees, projection, {.states = options.states, .nodes_per_state = kNodesPerState}, run);
}

SmoothingOptions smoothing(const LatentOptions& options) {
  return {.binary = options.smooth_rules, .lexical = options.smooth_words, .prior = options.state_prior};
}

void improve(const TrainingNodes& trees, const LatentOptions& options, const GrammarPlace& place,
             EmState& state, const RunOptions& run) {
  const base::Stage stage(run, "EM", "steps", options.em_steps);
  while (state.step < options.em_steps) {
    const double likelihood = em_step(trees, smoothing(options), state.parameters, run);
    ++state.step;
    place.checkpoint.put(place.number, trees, state, run);
    stage.advance(state.step, [&] { return fmt::format("log-likelihood {:.0f}", likelihood); });
  }
}

LatentParameters count_and_normalise(const TrainingNodes& trees, const StateAssignment& states,
                                     const LatentOptions& options) {
  LatentParameters parameters = count_states(trees, states);
  normalise(trees, smoothing(options), parameters);
  return parameters;
}

/// Where EM starts, or where the checkpoint is.
EmState first_state(const TrainingNodes& trees, const LatentOptions& options, const GrammarPlace& place,
                    const RunOptions& run) {
  if (std::optional<EmState> kept = place.checkpoint.find(place.number, trees, options))
    return std::move(*kept);
  const StateAssignment start = options.em_start == EmStart::cluster
                                    ? find_states(trees, options, run)
                                    : random_states(trees, options, run.seed);
  EmState state{0, count_and_normalise(trees, start, options)};
  place.checkpoint.put(place.number, trees, state, run);
  return state;
}

LatentGrammar estimate(const TrainingSet& set, const LatentOptions& options, const RunOptions& run) {
  TrainingNodes trees = flatten_trees(set);
  check_memory(set, trees, options, run);
  if (options.one_node_per_tree) sample_one_node_per_tree(trees, run.seed);
  const Projection projection = project(trees, options, options.nodes_per_state, run);
  const SpectralSmoothing backoff{.binary = options.backoff, .lexical = options.backoff / 4};
  return to_grammar(set, estimate_spectral(trees, projection, backoff, run));
}

/// One tree in every N is held out; the rest has the same symbols, words and rules.
std::vector<treebank::BinaryTree> hold_out(TrainingSet& set, double share) {
  const auto step = std::max<std::size_t>(2, static_cast<std::size_t>(std::llround(1 / share)));
  std::vector<treebank::BinaryTree> held_out;
  std::vector<treebank::BinaryTree> trees;
  std::vector<std::vector<std::uint32_t>> sentences;
  for (std::size_t i = 0; i < set.trees.size(); ++i) {
    if (i % step == step - 1) {
      held_out.push_back(std::move(set.trees[i]));
    } else {
      trees.push_back(std::move(set.trees[i]));
      sentences.push_back(std::move(set.sentences[i]));
    }
  }
  set.trees = std::move(trees);
  set.sentences = std::move(sentences);
  return held_out;
}

}  // namespace

LatentGrammar learn_spectral(const TrainingSet& set, const LatentOptions& options, const RunOptions& run) {
  LatentGrammar grammar = estimate(set, options, run);
  if (options.held_out == 0) return grammar;
  TrainingSet part = set;
  const std::vector<treebank::BinaryTree> held_out = hold_out(part, options.held_out);
  if (held_out.empty()) return grammar;
  std::vector<std::uint32_t> states = choose_states(estimate(part, options, run), held_out, run);
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = std::min(states[i], grammar.states[i]);
  return with_fewer_states(grammar, states);
}

LatentGrammar learn_by_clusters(const TrainingSet& set, const LatentOptions& options, const RunOptions& run) {
  const TrainingNodes trees = flatten_trees(set);
  check_memory(set, trees, options, run);
  return to_grammar(set, count_and_normalise(trees, find_states(trees, options, run), options));
}

LatentGrammar learn_by_em(const TrainingSet& set, const LatentOptions& options, const GrammarPlace& place,
                          const RunOptions& run) {
  const TrainingNodes trees = flatten_trees(set);
  check_memory(set, trees, options, run, place.checkpoint.is_kept() ? place.number + 1 : 0);
  EmState state = first_state(trees, options, place, run);
  improve(trees, options, place, state, run);
  return to_grammar(set, state.parameters);
}

}  // namespace grammar
}  // namespace firth

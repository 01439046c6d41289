// How the latent states of a grammar are learned.
//
//   firth::LpcfgTrainOptions options = firth::recommended_training();
//   options.latent.states = 32;
//   const firth::Lpcfg grammar = firth::train_lpcfg(files, options, {});
#pragma once

#include <cstdint>
#include <string_view>

namespace firth {

/// Where EM starts.
enum class EmStart {
  cluster,  ///< from the states found by the clustering estimator
  random,   ///< from random states
};

/// Options of the learners; each names those that use it, if not all do. Large because the learners share most of them.
struct LatentOptions {
  /// Maximum number of states of a symbol; rare symbols get fewer. Time and memory grow with its third power.
  std::uint32_t states = 16;
  /// spectral, cluster: singular values below this share of a symbol's largest are left out.
  double singular_cut = 0.01;
  /// spectral, cluster: features weigh sqrt(M / (count + pseudo_count)); false = all the same.
  bool scale_features = true;
  double pseudo_count = 5;
  /// spectral: a symbol gets at most one state per this many nodes; 0 = `states` for every symbol, as far as
  /// its features have that many singular values. Not negative.
  double nodes_per_state = 10;
  /// spectral: estimates come from one random node of each tree, as in figure 4 of Cohen et al. 2012, instead
  /// of all nodes.
  bool one_node_per_tree = false;
  /// spectral: share of the trees, below 1, that are held out to choose the number of states of each symbol, up to
  /// `states`, by their likelihood; the grammar is then learned from all. 0 = no choice.
  double held_out = 0;
  /// spectral, cluster: the templates of features in use, bit by bit; see inside_templates().
  std::uint32_t inside_templates = ~0u;
  std::uint32_t outside_templates = ~0u;
  /// spectral: C in lambda = sqrt(n) / (C + sqrt(n)), the weight of the moments of a rule seen n times
  /// against those of less detail; 0 = no smoothing.
  double backoff = 12;
  /// cluster, em: how far each state is drawn towards the mean of its symbol's states, 0 to 1.
  double smooth_rules = 0.01;
  double smooth_words = 0.1;
  /// cluster, em: rare states are drawn further, as if the mean had been seen this many times in them: a small
  /// treebank shows too little of each state. 0 = only as far as the others. Not negative.
  double state_prior = 40;
  /// Grammars that are learned from different random numbers and combined when parsing: the mean of their
  /// marginals. Time and memory grow with it.
  std::uint32_t grammars = 1;
  /// em: steps.
  std::uint32_t em_steps = 10;
  EmStart em_start = EmStart::cluster;
};

/// Throws UsageError.
void validate(const LatentOptions& options);

/// Templates of features phi of inside trees by name: "all", or names separated by commas: rule, left, right,
/// left-rule, right-rule, length, first-word, last-word, and for tags rule (the word as the grammar knows it) and
/// spelling. Throws UsageError for other names, with a list.
[[nodiscard]] std::uint32_t inside_templates(std::string_view names);

/// The same for psi of outside trees: rule, two-rules, three-rules (above the node), parent, grandparent, sister,
/// word-before, word-after, tag-before, tag-after, words-before, words-after (their number).
[[nodiscard]] std::uint32_t outside_templates(std::string_view names);

}  // namespace firth

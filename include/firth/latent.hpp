// How the latent states of a grammar are learned.
//
//   firth::LpcfgTrainOptions options = firth::recommended_training();
//   options.latent.states = 32;
//   const firth::Lpcfg grammar = firth::train_lpcfg(files, options, {});
#pragma once

#include <cstdint>

namespace firth {

/// Where EM starts.
enum class EmStart {
  cluster,  ///< from the states found by the clustering estimator
  random,   ///< from random states
};

/// Choices of the learners; which one reads what is said with each.
struct LatentOptions {
  /// Most states of a symbol; rare symbols get fewer. Time and memory grow with its third power.
  std::uint32_t states = 16;
  /// spectral, cluster: singular values below this share of a symbol's largest are left out.
  double singular_cut = 0.01;
  /// spectral, cluster: features weigh sqrt(M / (count + pseudo_count)); false = all the same.
  bool scale_features = true;
  double pseudo_count = 5;
  /// spectral, cluster: the templates of features in use, bit by bit.
  std::uint32_t inside_templates = ~0u;
  std::uint32_t outside_templates = ~0u;
  /// spectral: C in lambda = sqrt(n) / (C + sqrt(n)), the weight of the moments of a rule seen n times
  /// against those of less detail; 0 = no smoothing.
  double backoff = 12;
  /// cluster, em: how far each state is drawn towards the mean of its symbol's states, 0 to 1.
  double smooth_rules = 0.01;
  double smooth_words = 0.1;
  /// Grammars that are learned from different random numbers and combined when parsing: the mean of their
  /// marginals. Time and memory grow with it.
  std::uint32_t grammars = 1;
  /// em: steps.
  std::uint32_t em_steps = 10;
  EmStart em_start = EmStart::cluster;
};

/// Throws UsageError.
void validate(const LatentOptions& options);

}  // namespace firth

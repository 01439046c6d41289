// The learners of latent states behind one call.
#pragma once

#include "firth/latent.hpp"
#include "firth/run.hpp"
#include "grammar/checkpoint.hpp"
#include "grammar/latent_grammar.hpp"
#include "grammar/training_set.hpp"

namespace firth::grammar {

/// Figure 4 of Cohen et al. 2012 with scaled features, cut singular values and backed-off estimates; the numbers
/// of states by held-out trees, if asked for.
LatentGrammar learn_spectral(const TrainingSet& set, const LatentOptions& options, const RunOptions& run);

/// States by k-means over projections, counted as if observed; a proper grammar.
LatentGrammar learn_by_clusters(const TrainingSet& set, const LatentOptions& options, const RunOptions& run);

/// Maximum likelihood by EM, on from the checkpoint if that has the grammar; a proper grammar.
LatentGrammar learn_by_em(const TrainingSet& set, const LatentOptions& options, const GrammarPlace& place,
                          const RunOptions& run);

}  // namespace firth::grammar

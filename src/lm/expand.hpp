// Models made plain: class n-grams over words, and what makes tries whole again after n-grams were left out.
#pragma once

#include "firth/run.hpp"
#include "lm/model.hpp"

namespace firth::lm {

/// A class model over words; LmExpandOptions::threshold has the rule. Throws ResourceError.
Trie expand_classes(const Component& component, double threshold, const RunOptions& run);

/// The trie with back-off weights that make every context add up to 1: what its words leave over, for the words
/// that are left to the shorter context.
Trie normalised(const Trie& trie);

/// What goes from a trie.
struct PruneOptions {
  double threshold = 0;          ///< n-grams whose loss raises the perplexity by less than this share
  std::uint64_t max_ngrams = 0;  ///< 0 = any number
};

/// Relative-entropy pruning (Stolcke 1998): the loss of an n-gram is the divergence of the model without it from
/// the model with it. N-grams that longer ones begin with stay. Throws UsageError if the words alone are more
/// than `max_ngrams`.
Trie pruned(const Trie& trie, const PruneOptions& options, const RunOptions& run);

}  // namespace firth::lm

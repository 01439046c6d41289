// How many classes? By how well class bigrams predict pairs that were held out.
//
//   const firth::ClassChoice choice = firth::choose_classes(counts);
//   const firth::ClusterResult result = firth::cluster_auto(counts, {.classes = choice.classes});
#pragma once

#include <vector>

#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth {

/// How to look for a number of classes.
struct ChooseOptions {
  /// Share of the pairs that is held out, drawn at random, > 0 and < 1.
  double held_out = 0.1;
  /// Maximum number of classes to look at; 0 = as many as help.
  ClassId max_classes = 0;
};

/// Throws UsageError if the options make no sense.
void validate(const ChooseOptions& options);

/// How well a number of classes predicts.
struct ChoicePoint {
  ClassId classes = 0;
  double perplexity = 0;  ///< of the second words of held-out pairs, given the first
};

/// An answer, and what it rests on.
struct ClassChoice {
  ClassId classes = 0;    ///< lowest perplexity
  double perplexity = 0;  ///< with this number
  Count held_out = 0;     ///< pairs that were predicted
  bool at_limit = false;  ///< more classes than could be looked at might be better still
  /// Cuts of one tree, by rising number of classes.
  std::vector<ChoicePoint> cuts = {};
  /// Some of these numbers with classes that words moved between until no move helped: what the answer is taken from.
  std::vector<ChoicePoint> refined = {};

  /// The smallest number of classes whose cut is at most `share` worse than the best cut (0.01: one percent).
  [[nodiscard]] ClassId smallest_within(double share) const;
};

/// Holds out some pairs of the counts, clusters with the others into ever more classes until more do not help, and
/// scores every number of classes of the tree: p(b|a) = p(class of b | class of a) p(b | class of b), with absolute
/// discounting between classes. The best numbers are scored again with classes of their own. Depends on run.seed, never
/// on threads. Throws UsageError, InputError (fewer than two words with pairs), ResourceError, Cancelled.
[[nodiscard]] ClassChoice choose_classes(const Counts& counts, const ChooseOptions& options = {},
                                         const RunOptions& run = {});

}  // namespace firth

// How many classes? By how well class bigrams predict pairs that were held out.
//
//   const firth::ClassChoice choice = firth::choose_classes(counts);
//   const firth::ClusterResult result = firth::cluster_auto(counts, {.classes = choice.classes});
#pragma once

#include <vector>

#include "firth/clustering.hpp"
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
  /// The smallest number of `refined` whose perplexity is at most one percent above the lowest.
  ClassId classes = 0;
  double perplexity = 0;  ///< with this number
  Count held_out = 0;     ///< pairs that were predicted
  bool at_limit = false;  ///< more classes than could be tried might be better still
  /// Cuts of one tree, by rising number of classes.
  std::vector<ChoicePoint> cuts = {};
  /// Numbers of classes, rising, with classes that words moved between until no move helped: what the answer is from.
  std::vector<ChoicePoint> refined = {};

  /// The smallest number of classes, cut or refined, that is at most `share` worse than the best (0.01: one percent).
  [[nodiscard]] ClassId smallest_within(double share) const;
};

/// Holds out some pairs of the counts, clusters with the others into ever more classes until more do not help, and
/// scores cuts of the tree: p(b|a) = p(class of b | class of a) p(b | class of b), with absolute
/// discounting between classes. The best number and smaller ones are scored again with classes of their own, and the smallest that
/// is as good as the best (within a percent, which is less than chance) is the answer. Depends on run.seed, never
/// on threads. Throws UsageError, InputError (fewer than two words with pairs), ResourceError, Cancelled.
[[nodiscard]] ClassChoice choose_classes(const Counts& counts, const ChooseOptions& options = {},
                                         const RunOptions& run = {});

/// The same by the pairs of another text, all of `counts` being there to learn from: the better judge where words come in
/// bursts, as in articles, because the rest of an article predicts some of its pairs too well. ChooseOptions::held_out has
/// no effect.
[[nodiscard]] ClassChoice choose_classes_for(const Counts& counts, const Counts& other,
                                             const ChooseOptions& options = {}, const RunOptions& run = {});

/// The class of every word of the vocabulary; words that the clustering lacks are in that of `<unk>` or, if it lacks that,
/// together in a further class, class_count(): clusterings of different words can be compared.
[[nodiscard]] std::vector<ClassId> every_class(const Vocabulary& vocabulary, const Clustering& clustering);

/// How well classes predict another text.
struct HeldOutScore {
  double perplexity = 0;  ///< of the second words of its pairs, given the first
  Count pairs = 0;        ///< that were predicted: those whose words are at the same places in the text
  Count total = 0;        ///< pairs of the other text
};

/// The same model with probabilities from `counts`, on the pairs of `other`: the same pairs for any clustering, so that
/// clusterings can be compared. Words that the counts lack are taken for `<unk>`, if they have that; every_class()
/// tells the classes. Throws InputError if nothing can be predicted.
[[nodiscard]] HeldOutScore held_out_perplexity(const Clustering& clustering, const Counts& counts,
                                               const Counts& other);

}  // namespace firth

// How many classes? By how well class bigrams predict blocks of the text that were held out.
//
//   const firth::Counts counts = firth::read_counts("text.txt", {.held_out_share = 0.1});
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
  /// Share of the pairs that is held out, drawn at random, > 0 and < 1. No effect on counts of a text that has blocks held
  /// out (CountOptions::held_out_share), at least 200 pairs of them.
  double held_out = 0.1;
  /// Maximum number of classes to look at; 0 = the square root of the number of pairs. More have fewer pairs
  /// than pairs of classes to learn from, and gain by what the text repeats word by word.
  ClassId max_classes = 0;
};

/// Throws UsageError if the options make no sense.
void validate(const ChooseOptions& options);

/// How well a number of classes predicts.
struct ChoicePoint {
  ClassId classes = 0;
  double perplexity = 0;  ///< of the second words of held-out pairs, given the first
};

/// What numbers of classes are judged by.
enum class HeldOutKind {
  pairs,   ///< pairs of the text drawn one by one: all that can be done with counts alone
  blocks,  ///< blocks of the text (CountOptions::held_out_share)
  text,    ///< another text
};

/// An answer, and what it rests on.
struct ClassChoice {
  /// The smallest number of `refined` whose perplexity is at most half a percent above the lowest.
  ClassId classes = 0;
  double perplexity = 0;  ///< with this number
  Count held_out = 0;     ///< pairs that were predicted
  HeldOutKind judge = HeldOutKind::pairs;
  bool at_limit = false;  ///< more classes than could be tried might be better still
  /// Cuts of one tree, by rising number of classes.
  std::vector<ChoicePoint> cuts = {};
  /// Numbers of classes, rising, with classes of a search of their own (SearchEffort::fast): what the answer is from.
  std::vector<ChoicePoint> refined = {};

  /// The smallest number of classes, cut or refined, that is at most `share` worse than the best (0.01: one percent).
  [[nodiscard]] ClassId smallest_within(double share) const;
};

/// Clusters what is not held out into some number of classes, into more while they help, and into fewer until they do
/// harm, and scores each number by what is held out:
/// p(b|a) = p(class of b | class of a) p(b | class of b), with absolute discounting between classes. The smallest that is as
/// good as the best (within half a percent, which is less than chance) is the answer. What is held out are the blocks of Counts::held_out(); of counts without
/// them, pairs drawn one by one, which are easier to predict: more classes seem to help.
/// Depends on run.seed, never on threads. Throws UsageError, InputError (fewer than two words with pairs),
/// ResourceError, Cancelled.
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

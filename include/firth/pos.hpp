// Parts of speech without tags: classes of words that have the same neighbours and similar spellings.
//
//   const firth::ClusterResult result = firth::cluster_pos(counts, {.classes = 17}, {});
#pragma once

#include <cstdint>

#include "firth/cluster_result.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth {

/// What decides the result. How the defaults came about, and what a choice without tags would be:
/// docs/notebook/parts-of-speech.md.
struct PosOptions {
  /// Classes wanted, 1 .. number of words.
  ClassId classes = 45;
  /// Runs with different random numbers, >= 1; the one with the highest objective is kept. No tag is used.
  std::uint32_t restarts = 5;
  /// Weight of pairs at distance 2, that of direct neighbours being 1, >= 0; 0 = they are not used (and need not
  /// be counted).
  double skip_weight = 0.3;
  /// Weight of the endings of words, >= 0.
  double suffix_weight = 1;
  /// Weight of the kinds of characters in words (letters, digits, hyphens, other marks), >= 0.
  double shape_weight = 1;
  /// Weight of the lengths of words, >= 0.
  double length_weight = 1;
  /// Weight of capitals inside sentences, >= 0; lower-cased text has none.
  double capital_weight = 1;
  /// Weight of the sizes of classes, >= 0: a word of which little is known more likely belongs to a class of
  /// many words.
  double type_weight = 1;
  /// Neighbours in a longer text count as if it had this many tokens, >= 1: repeated phrases and topics are not
  /// independent evidence, and would outweigh everything else.
  Count max_tokens = 300000;
  /// Words that differ in case only are one word to the search and share their class.
  bool fold_case = true;
  /// Build the tree over the classes.
  bool tree = true;
};

/// Throws UsageError if the options make no sense.
void validate(const PosOptions& options);

/// Clusters all words. Results depend on run.seed, never on threads, which share the restarts. Throws
/// UsageError (also if distance 2 is needed and was not counted), ResourceError, Cancelled.
[[nodiscard]] ClusterResult cluster_pos(const Counts& counts, const PosOptions& options,
                                        const RunOptions& run = {});

}  // namespace firth

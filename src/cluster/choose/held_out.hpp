// Pairs set aside, and how well classes of the others predict them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "firth/counts.hpp"

namespace firth::clusters {

/// Each occurrence of a pair goes to `held_out` with probability `share`, else to `train`. Words stay as they are.
struct SplitPairs {
  Counts train;
  PairCounts held_out;
};
SplitPairs split_pairs(const Counts& counts, double share, std::uint64_t seed);

/// The blocks that were held out when the text was counted, and the rest of the text.
SplitPairs split_blocks(const Counts& counts);

/// Pairs of `other` as pairs of words of `counts`; words that it lacks are `<unk>`, if it has that, or left out.
PairCounts translated_pairs(const Counts& other, const Counts& counts);

/// Scores partitions of the same words by the held-out pairs whose first and second words are known as such.
class HeldOutScorer {
 public:
  /// `classes[w]` is the class of word w, below `class_count`: the finest partition that will be scored.
  HeldOutScorer(const SplitPairs& pairs, std::span<const ClassId> classes, ClassId class_count);

  /// Perplexity with classes 0..count-1 made of those of the constructor: `merged[c]` is where class c went.
  double perplexity(std::span<const ClassId> merged, ClassId count) const;

  Count pairs() const { return held_out_.total(); }

 private:
  PairCounts train_;      ///< of classes
  PairCounts held_out_;   ///< of classes
  double word_bits_ = 0;  ///< sum of log2 of the training count of the second word, over held-out pairs
};

}  // namespace firth::clusters

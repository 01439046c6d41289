// A hierarchy over flat classes, whoever made them.
//
//   const firth::Clustering flat = firth::load_clustering("classes.tsv");
//   const auto classes = firth::classes_for(counts.vocabulary(), flat);
//   const firth::MergeTree tree = firth::build_tree(counts, classes, {});
#pragma once

#include <span>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth {

/// Greedy Brown merges of K classes: at every step the pair whose merge costs the least average mutual
/// information. Exact: losses are integers (fixed-point logarithms), so ties are real ties, and go to the
/// pair with the smaller (rank of the first, rank of the second), the rank of a class being that of its most
/// frequent word. `classes[w]` is the class 0..K-1 of word w of the counts, or kNoClass for a word outside:
/// its bigrams are left out. Every class needs a word. The tree has K leaves and K - 1 merges.
/// Time O(K^3) at worst, memory 20 K^2 bytes. The result does not depend on threads.
/// Throws UsageError (sizes differ, an empty class), ResourceError, Cancelled.
[[nodiscard]] MergeTree build_tree(const Counts& counts, std::span<const ClassId> classes,
                                   const RunOptions& run = {});

}  // namespace firth

// The default of `firth cluster`: the highest average mutual information (AMI) that a given effort reaches,
// with a tree.
//
//   const firth::ClusterResult result = firth::cluster_auto(counts, {.classes = 200}, {});
//   firth::save_clustering("out", result.clustering, firth::ClusterFormat::firth);
#pragma once

#include <utility>
#include <vector>

#include "firth/class_sizes.hpp"
#include "firth/cluster_result.hpp"
#include "firth/constraints.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/search_limits.hpp"

namespace firth {

/// How long to search.
enum class SearchEffort {
  fast,    ///< overshoot, merge, a few passes of annealing
  normal,  ///< two such searches combined, classes split and merged again: about four times as long
  high,  ///< all that normal does, then classes split and merged once more, slowly: about nine times as long
  max,   ///< two such searches with many more cycles, combined: hundreds of times as long
};

/// What decides the result.
struct AutoOptions {
  /// Number of classes, 1 .. number of words.
  ClassId classes = 1000;
  SearchEffort effort = SearchEffort::normal;
  Constraints constraints = {};
  /// Beginnings and ends of lines are a neighbour like any other, in a class of its own that is not counted
  /// and not written. Better for language models, which predict them; the AMI of the words alone is lower.
  bool boundaries = false;
  /// Weight of a prior on the sizes of classes, 0 .. 4. With it, words of which little is known go to large
  /// classes. Better for language models; the AMI is lower.
  double size_weight = 0;
  /// How large classes may become. The search runs without limits first; words are then moved, and swapped where a class
  /// is full, so that what is lost of the objective is least.
  ClassSizes sizes = {};
  /// Build the tree over the classes.
  bool tree = true;
  /// When to end early, and checkpoints.
  SearchLimits limits = {};
};

/// Throws UsageError if the options make no sense.
void validate(const AutoOptions& options);

/// Starts with twice as many classes as wanted, lets words move, merges classes in steps with moves in
/// between; combines two such partitions, splits and merges classes again, and lets words move at random with
/// a falling temperature.
/// The tree is made by build_tree(). Results depend on run.seed, never on threads. Memory: about the size of
/// a count file, and 100 K^2 bytes. Throws as cluster_exchange() does; Cancelled also if the search is to end
/// before its first pass.
[[nodiscard]] ClusterResult cluster_auto(const Counts& counts, const AutoOptions& options,
                                         const RunOptions& run = {});

/// Flat classes at several numbers of classes, each made from a cut of the clustering's tree by moving words
/// until no move helps. Better than cuts of the tree, which must nest; not nested in one another. `cuts` are
/// numbers of classes in 1 .. clustering.class_count(); results come in their order.
[[nodiscard]] std::vector<Clustering> refine_cuts(const Counts& counts, const Clustering& clustering,
                                                  const std::vector<ClassId>& cuts,
                                                  const RunOptions& run = {});

}  // namespace firth

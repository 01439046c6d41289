// Exchange clustering: words move, one after the other, to the class where they raise the average mutual
// information (AMI) of adjacent classes most, until no move helps (Ney, Essen & Kneser 1994; Martin, Liermann
// & Ney 1998).
//
//   const firth::ClusterResult result = firth::cluster_exchange(counts, {.classes = 200}, {});
//   firth::save_clustering("out", result.clustering, firth::ClusterFormat::firth);
#pragma once

#include <cstdint>
#include <optional>

#include "firth/class_sizes.hpp"
#include "firth/cluster_result.hpp"
#include "firth/constraints.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/search_limits.hpp"

namespace firth {

/// Where exchange starts from.
enum class ExchangeInit {
  frequency,  ///< the K - 1 most frequent words each have a class, all others share the last
  modulo,     ///< word of rank r in class r mod K
  random,     ///< any class
  given,      ///< a clustering made before, by Brown's method or any other: ExchangeOptions::start
};

/// What decides the result.
struct ExchangeOptions {
  /// Number of classes, 1 .. number of words.
  ClassId classes = 1000;
  ExchangeInit init = ExchangeInit::modulo;
  /// The clustering of ExchangeInit::given, its words found by spelling. Words it does not have go to the
  /// class that fits them best; if it has more classes than wanted, some are merged, if fewer, some split.
  std::optional<Clustering> start = std::nullopt;
  /// Maximum number of passes over all words; 0 = until no word moves.
  std::uint32_t passes = 0;
  /// Stop when a pass gains less than this many bits of AMI, >= 0.
  double tolerance = 1e-6;
  /// Runs with different random numbers, >= 1; the best is kept, the first of equals.
  std::uint32_t restarts = 1;
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
void validate(const ExchangeOptions& options);

/// Clusters all words (but those a constraint keeps out). AMI never falls from pass to pass; no class is
/// empty; the tree has one leaf per class. Random numbers decide the order in which words are moved, so
/// results depend on run.seed, never on threads. Memory: about the size of a count file, and 17 K^2 bytes.
/// Throws UsageError (more classes than words, constraints that cannot be met), InputError (contradicting
/// constraints, with file and line), FormatError (checkpoint), ResourceError, Cancelled.
[[nodiscard]] ClusterResult cluster_exchange(const Counts& counts, const ExchangeOptions& options,
                                             const RunOptions& run = {});

}  // namespace firth

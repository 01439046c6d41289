// Classes of words by the spectral method of Stratos, Kim, Collins and Hsu (2014), which recovers the true
// classes of a class-based model when it sees enough text.
//
//   const firth::SpectralResult result = firth::cluster_spectral(counts, {.classes = 500}, {});
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "firth/checkpoint.hpp"
#include "firth/class_sizes.hpp"
#include "firth/cluster_result.hpp"
#include "firth/counts.hpp"
#include "firth/embed.hpp"
#include "firth/run.hpp"

namespace firth {

/// How much a word counts when classes are merged.
enum class WordWeights {
  none,    ///< every word the same: the paper's eq. (2)
  sqrt,    ///< the square root of its count
  counts,  ///< its count
};

/// How vectors become a hierarchy of classes.
enum class SpectralHierarchy {
  window,  ///< bottom-up, words entering a window by frequency: the paper's Figure 5
  full,    ///< bottom-up over all words at once; memory grows with the square of the words
  divide,  ///< top-down by splits in two; leaves are classes
};

/// What decides the result.
struct SpectralOptions {
  /// Classes wanted, 1..number of words.
  ClassId classes = 1000;
  /// Positions that make the context of a word; see parse_context().
  std::vector<int> context = {-2, -1, 1, 2};
  /// Pseudocount, >= 0; not set = default_kappa().
  std::optional<double> kappa = std::nullopt;
  /// Dimension of a word's vector; 0 = as many as classes.
  std::size_t dimensions = 0;
  WordWeights weights = WordWeights::counts;
  SpectralHierarchy hierarchy = SpectralHierarchy::window;
  /// Clusters in the window while words enter, >= classes; 0 = classes without weights, twice that with
  /// weights.
  std::size_t window = 0;
  /// See EmbedOptions::tolerance.
  double tolerance = 0.02;
  /// How large classes may become: vectors then go to the nearest class that has room for them. The tree is then one
  /// over the classes.
  ClassSizes sizes = {};
  /// The singular vectors are kept, which take most of the time: what is done with them may be other when they are used
  /// again, with the same number of dimensions.
  CheckpointOptions checkpoint = {};
};

/// Throws UsageError if the options make no sense.
void validate(const SpectralOptions& options);

/// The classes, and what else the run found out.
struct SpectralResult : ClusterResult {
  WordVectors vectors;            ///< rows of length 1
  double searches_per_merge = 0;  ///< gamma of the paper's Table 3; 0 for SpectralHierarchy::divide
};

/// Clusters the words of `counts`. Context distances must have been counted. The tree has words as leaves
/// (SpectralHierarchy::divide: classes). Deterministic for run.seed, for any number of threads. Throws UsageError,
/// InputError, FormatError (checkpoint), ResourceError, Cancelled. Where the counts have a smaller rank than dimensions asked for, the
/// rank is used and run.progress is warned.
[[nodiscard]] SpectralResult cluster_spectral(const Counts& counts, const SpectralOptions& options,
                                              const RunOptions& run = {});

}  // namespace firth

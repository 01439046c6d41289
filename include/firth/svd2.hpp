// Classes of words by SVD2 (Lamar, Maron, Johnson & Bienenstock 2010): the singular vectors of the words
// left and right of a word, clustered on a product of two spheres, twice.
//
//   const firth::Svd2Result result = firth::cluster_svd2(counts, {.classes = 50}, {});
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "firth/cluster_result.hpp"
#include "firth/counts.hpp"
#include "firth/embed.hpp"
#include "firth/run.hpp"

namespace firth {

/// The four parameters of the paper under their names there, and what its section 5 calls critical.
struct Svd2Options {
  /// k2: classes wanted, 1 .. number of words.
  ClassId classes = 50;
  /// w1: this many of the most frequent words are the contexts of the first pass; 1..20000.
  std::size_t context_words = 1000;
  /// r1: rank of the descriptors of the first pass, on each side.
  std::size_t rank1 = 100;
  /// k1: clusters of the first pass, which are the contexts of the second; 1..20000.
  std::size_t clusters1 = 500;
  /// r2: rank of the descriptors of the second pass, on each side.
  std::size_t rank2 = 300;
  /// Whether singular vectors are multiplied by their singular values.
  bool scale = true;
  /// Whether the left and the right half of a descriptor are brought to length 1, and centroids too. Without
  /// it, words go to the centroid at the smallest Euclidean distance.
  bool unit_length = true;
  /// Whether words weigh as much as they are frequent when centroids are computed.
  bool weighted = true;
  /// Whether the first centroids are the most frequent words; else they are words drawn by run.seed.
  bool frequent_seeds = true;
  /// Whether there is a second pass; else the first makes the classes.
  bool second_pass = true;
  /// Build the tree over the classes.
  bool tree = true;
};

/// What a run found.
struct Svd2Result : ClusterResult {
  WordVectors vectors;  ///< the descriptors that were clustered last: left half, right half
};

/// Throws UsageError if the options make no sense.
void validate(const Svd2Options& options);

/// Clusters all words. Deterministic, for any number of threads; run.seed matters only without
/// frequent_seeds. A word that has no context at all is a descriptor of zeros and joins the first class.
/// Throws UsageError, ResourceError, Cancelled.
[[nodiscard]] Svd2Result cluster_svd2(const Counts& counts, const Svd2Options& options,
                                      const RunOptions& run = {});

/// The same for several numbers of classes: descriptors, which do not depend on it, are computed once.
/// Results in the order of `classes`; options.classes is not used.
[[nodiscard]] std::vector<ClusterResult> cluster_svd2(const Counts& counts, std::span<const ClassId> classes,
                                                      const Svd2Options& options, const RunOptions& run = {});

}  // namespace firth

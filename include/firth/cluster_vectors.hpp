// Classes of anything that has a vector: words, documents, items, speech units.
//
//   const firth::WordVectors vectors = firth::load_vectors("glove.6B.300d.txt");
//   const firth::VectorClusterResult result = firth::cluster_vectors(vectors, {.classes = 1000});
//   firth::save_clustering("out", result.clustering, firth::ClusterFormat::firth);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/embed.hpp"
#include "firth/run.hpp"
#include "firth/spectral.hpp"

namespace firth {

/// How vectors become classes.
enum class VectorMethod {
  ward,    ///< bottom-up by Ward's criterion within a window; the tree has words as leaves
  divide,  ///< top-down by splits in two; the tree has classes as leaves
  kmeans,  ///< flat classes by k-means, then a tree of the classes by Ward's criterion
};

/// What is close.
enum class VectorDistance {
  cosine,     ///< vectors are brought to length 1 first; those of zeros stay as they are
  euclidean,  ///< vectors as they are
};

/// Where k-means starts.
enum class KmeansStart {
  frequent,  ///< at the vectors that come first: the most frequent words
  random,    ///< at vectors drawn at random
  spread,    ///< each next one in proportion to its squared distance from those before (k-means++)
};

/// What decides the result.
struct VectorClusterOptions {
  /// Classes wanted, 1..number of vectors.
  ClassId classes = 1000;
  VectorMethod method = VectorMethod::ward;
  VectorDistance distance = VectorDistance::cosine;
  /// How much a vector counts. Files without counts have none to weigh by: leave this at `none` for them.
  WordWeights weights = WordWeights::none;
  /// ward: clusters in the window while vectors enter in their order, >= classes; 0 = twice the classes. As many
  /// as there are vectors (or more) is Ward's method proper; memory is window^2 + window * dimensions numbers.
  std::size_t window = 0;
  KmeansStart start = KmeansStart::spread;
  /// kmeans: maximum number of iterations, >= 1.
  std::uint32_t iterations = 100;
};

/// Throws UsageError if the options make no sense.
void validate(const VectorClusterOptions& options);

/// The classes, and how tight they are.
struct VectorClusterResult {
  Clustering clustering;
  double sum_of_squares = 0;        ///< weighted squared distances to the means of the classes
  double total_sum_of_squares = 0;  ///< the same for one class
  std::uint32_t iterations = 0;     ///< of k-means
};

/// Clusters vectors. Deterministic for run.seed, for any number of threads. Throws UsageError, InputError (a number
/// that is not finite, no vectors), ResourceError, Cancelled.
[[nodiscard]] VectorClusterResult cluster_vectors(const WordVectors& vectors,
                                                  const VectorClusterOptions& options,
                                                  const RunOptions& run = {});

/// The class whose mean is nearest to each row of `fresh`, where the means are those of `known` under
/// `clustering`. Words of the clustering without a vector in `known` are left out of the means. Throws UsageError
/// if dimensions differ or no word of the clustering has a vector.
[[nodiscard]] std::vector<ClassId> nearest_classes(const Clustering& clustering, const WordVectors& known,
                                                   const WordVectors& fresh,
                                                   VectorDistance distance = VectorDistance::cosine,
                                                   const RunOptions& run = {});

}  // namespace firth

// Classes of anything that has a vector: words, documents, items, speech units.
//
//   const firth::WordVectors vectors = firth::load_vectors("glove.6B.300d.txt");
//   const firth::VectorClusterResult result = firth::cluster_vectors(vectors, {.classes = 1000});
//   firth::save_clustering("out", result.clustering, firth::ClusterFormat::firth);
//   firth::save_class_means("out", firth::class_means(result.clustering, vectors, firth::VectorDistance::cosine));
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "firth/class_sizes.hpp"
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

/// How distance is measured.
enum class VectorDistance {
  cosine,     ///< vectors are brought to length 1 first; those of zeros stay as they are
  euclidean,  ///< vectors as they are
};

/// Where k-means starts.
enum class KmeansStart {
  frequent,  ///< at the vectors that come first: the most frequent words
  random,    ///< at vectors drawn at random
  ward,      ///< at the means of the classes of VectorMethod::ward
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
  /// ward, and kmeans that starts there: clusters in the window while vectors enter in their order, >= classes;
  /// 0 = twice the classes. With as many as there are vectors (or more) it is Ward's method proper; memory is
  /// window^2 + window * dimensions numbers.
  std::size_t window = 0;
  KmeansStart start = KmeansStart::spread;
  /// kmeans: maximum number of iterations, >= 1.
  std::uint32_t iterations = 100;
  /// How large classes may become: vectors then go to the nearest class that has room for them, and swap places where
  /// that brings them nearer. The tree is then one over the classes, by Ward's criterion.
  ClassSizes sizes = {};
};

/// Throws UsageError if the options make no sense.
void validate(const VectorClusterOptions& options);

/// The classes, and how tight they are.
struct VectorClusterResult {
  Clustering clustering;
  double sum_of_squares = 0;        ///< weighted squared distances to the means of the classes
  double total_sum_of_squares = 0;  ///< the same for one class
  std::uint32_t iterations = 0;     ///< of k-means
  /// Sum of squares before sizes were limited, if they were.
  std::optional<double> free_sum_of_squares = std::nullopt;
};

/// Clusters vectors. Deterministic for run.seed, for any number of threads. Throws UsageError, InputError (a number
/// that is not finite, no vectors), ResourceError, Cancelled.
[[nodiscard]] VectorClusterResult cluster_vectors(const WordVectors& vectors,
                                                  const VectorClusterOptions& options,
                                                  const RunOptions& run = {});

/// Bytes that cluster_vectors() takes at its peak besides the vectors themselves.
[[nodiscard]] std::uint64_t vector_cluster_bytes(std::size_t rows, std::size_t dimensions,
                                                 const VectorClusterOptions& options);

/// What the classes of vectors know about new ones.
struct ClassMeans {
  VectorDistance distance = VectorDistance::cosine;
  std::size_t dimensions = 0;
  std::vector<float> means;          ///< of each class, by rows
  std::vector<std::uint64_t> sizes;  ///< vectors of each class; a class without any is never the nearest
};

/// The means of `vectors` under `clustering`, vectors of length 1 for VectorDistance::cosine. Words of the clustering
/// without a vector are left out. Throws UsageError if no word of the clustering has a vector.
[[nodiscard]] ClassMeans class_means(const Clustering& clustering, const WordVectors& vectors,
                                     VectorDistance distance);

/// Writes FOLDER/means-cosine.npy or FOLDER/means-euclidean.npy with its list of classes, `class TAB vectors` per
/// line, beside it (.vocab); every file complete or not at all.
void save_class_means(const std::string& folder, const ClassMeans& means);

/// Reads what save_class_means() wrote, for classes 0..classes-1. Throws InputError, IoError.
[[nodiscard]] ClassMeans load_class_means(const std::string& folder, ClassId classes,
                                          const RunOptions& run = {});

/// The class of a new vector.
struct NearestClass {
  ClassId class_id = kNoClass;
  double distance = 0;                                      ///< Euclidean, to its mean
  double margin = std::numeric_limits<double>::infinity();  ///< how much farther the second nearest mean is
};

/// The class whose mean is nearest to each row of `fresh`; of equally near ones the first. Throws UsageError if
/// dimensions differ.
[[nodiscard]] std::vector<NearestClass> nearest_classes(const ClassMeans& means, const WordVectors& fresh,
                                                        const RunOptions& run = {});

/// One word that got a class by its vector.
struct AssignedVector {
  std::string word;
  NearestClass nearest;  ///< the class under the model's number
};

/// The words of a model and those of new vectors, and how the new ones came in, in the order of `fresh`.
struct VectorAssignment {
  Clustering clustering;  ///< its classes are numbered anew: new words count when classes are ordered
  std::vector<AssignedVector> words;
};

/// Gives every word of `fresh` that the model lacks the class with the nearest mean. Words of the model keep their
/// class, count and the tree over the classes. Throws as nearest_classes() does.
[[nodiscard]] VectorAssignment assign_vectors(const Clustering& model, const ClassMeans& means,
                                              const WordVectors& fresh, const RunOptions& run = {});

/// The class whose mean is nearest to each row of `fresh`, where the means are those of `known` under
/// `clustering`. Words of the clustering without a vector in `known` are left out of the means. Throws UsageError
/// if dimensions differ or no word of the clustering has a vector.
[[nodiscard]] std::vector<ClassId> nearest_classes(const Clustering& clustering, const WordVectors& known,
                                                   const WordVectors& fresh,
                                                   VectorDistance distance = VectorDistance::cosine,
                                                   const RunOptions& run = {});

}  // namespace firth

// Classes of vectors in their order: check, rows, hierarchy or k-means, how tight.
#include "firth/cluster_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/memory_limit.hpp"
#include "cluster/class_count.hpp"
#include "cluster/merge_tree.hpp"
#include "cluster/points/centroids.hpp"
#include "cluster/points/rows.hpp"
#include "cluster/points/seeds.hpp"
#include "cluster/spectral/divide.hpp"
#include "cluster/spectral/ward.hpp"
#include "cluster/spectral/word_weights.hpp"
#include "firth/error.hpp"
#include "linalg/spherical_kmeans.hpp"

namespace firth {
namespace points {
namespace {

/// Classes of rows and a tree above them or above the rows.
struct Classes {
  std::vector<ClassId> of_row;
  MergeTree tree;
  std::uint32_t iterations = 0;
};

std::size_t window_for(const VectorClusterOptions& options, std::size_t rows) {
  const std::size_t wanted = options.window > 0 ? options.window : 2 * std::size_t{options.classes};
  return std::min(wanted, rows);
}

MergeTree ward_tree(linalg::View<const float> rows, std::span<const double> weights, std::size_t window,
                    const RunOptions& run) {
  MergeTree tree{TreeLeaves::words, static_cast<std::uint32_t>(rows.rows), {}};
  const spectral::WardInput<float> input = {rows, weights, window};
  for (const spectral::WardMerge& merge : spectral::windowed_ward<float>(input, run)) {
    tree.merges.push_back({merge.left, merge.right, std::numeric_limits<double>::quiet_NaN()});
  }
  return tree;
}

Classes by_ward(linalg::View<const float> rows, std::span<const double> weights,
                const VectorClusterOptions& options, const RunOptions& run) {
  const std::size_t window = window_for(options, rows.rows);
  base::require_memory(run, spectral::ward_bytes(rows.rows, window, rows.columns, sizeof(float)),
                       "clustering vectors", "take a smaller window");
  MergeTree tree = ward_tree(rows, weights, window, run);
  std::vector<ClassId> classes = clusters::classes_after(tree, rows.rows - options.classes);
  return {std::move(classes), std::move(tree)};
}

Classes by_kmeans(linalg::View<const float> rows, std::span<const double> weights,
                  const VectorClusterOptions& options, const RunOptions& run) {
  base::require_memory(run, linalg::kmeans_bytes(rows.rows, rows.columns, options.classes), "k-means",
                       "ask for fewer classes");
  const std::vector<std::uint32_t> seeds = choose_seeds(rows, options.classes, options.start, run);
  linalg::KmeansProblem problem{.points = rows, .weights = weights, .seeds = seeds};
  problem.unit = options.distance == VectorDistance::cosine;
  problem.max_iterations = options.iterations;
  linalg::KmeansResult result = linalg::spherical_kmeans(problem, run);
  const Centroids means = centroids(rows, result.cluster_of, weights, options.classes);
  MergeTree tree = ward_tree(means.view(), means.weights, options.classes, run);
  tree.kind = TreeLeaves::classes;
  return {std::move(result.cluster_of), std::move(tree), result.iterations};
}

Classes make_classes(linalg::View<const float> rows, std::span<const double> weights,
                     const VectorClusterOptions& options, const RunOptions& run) {
  switch (options.method) {
    case VectorMethod::divide: {
      spectral::Division division = spectral::divide<float>({rows, weights, options.classes}, run);
      return {std::move(division.classes), std::move(division.tree)};
    }
    case VectorMethod::kmeans:
      return by_kmeans(rows, weights, options, run);
    case VectorMethod::ward:
      break;
  }
  return by_ward(rows, weights, options, run);
}

/// Classes of the rows of `known`; kNoClass for words that were not clustered.
std::vector<ClassId> known_classes(const Clustering& clustering, const WordVectors& known) {
  const WordIndex index(clustering.vocabulary());
  std::vector<ClassId> classes;
  for (WordId word = 0; word < known.vocabulary.size(); ++word) {
    const std::optional<WordId> id = index.find(known.vocabulary.word(word));
    classes.push_back(id ? clustering.class_of(*id) : kNoClass);
  }
  return classes;
}

}  // namespace
}  // namespace points

void validate(const VectorClusterOptions& options) {
  clusters::require_classes(options.classes, "VectorClusterOptions::classes");
  if (options.window > 0 && options.window < options.classes) {
    throw UsageError(fmt::format("a window of {} for {} classes", options.window, options.classes),
                     "the window must hold all classes", "VectorClusterOptions::window");
  }
  if (options.iterations == 0) {
    throw UsageError("0 iterations of k-means", "allow at least one", "VectorClusterOptions::iterations");
  }
}

VectorClusterResult cluster_vectors(const WordVectors& vectors, const VectorClusterOptions& options,
                                    const RunOptions& run) {
  validate(options);
  clusters::require_words_for(options.classes, vectors.vocabulary.size(), "VectorClusterOptions::classes",
                              "vectors");
  const points::Rows rows(vectors, options.distance);
  const std::vector<double> weights = spectral::weights_of(vectors.vocabulary, options.weights);
  points::Classes classes = points::make_classes(rows.view(), weights, options, run);

  VectorClusterResult result;
  result.iterations = classes.iterations;
  const auto means = points::centroids(rows.view(), classes.of_row, weights, options.classes);
  result.sum_of_squares = points::sum_of_squares(rows.view(), classes.of_row, weights, means);
  const std::vector<ClassId> one(vectors.vocabulary.size(), 0);
  const auto mean = points::centroids(rows.view(), one, weights, 1);
  result.total_sum_of_squares = points::sum_of_squares(rows.view(), one, weights, mean);
  result.clustering = Clustering(vectors.vocabulary, classes.of_row, std::move(classes.tree));
  return result;
}

std::vector<ClassId> nearest_classes(const Clustering& clustering, const WordVectors& known,
                                     const WordVectors& fresh, VectorDistance distance,
                                     const RunOptions& run) {
  if (known.dimensions != fresh.dimensions) {
    throw UsageError(
        fmt::format("vectors of {} numbers, and new ones of {}", known.dimensions, fresh.dimensions),
        "give vectors of the same kind");
  }
  const points::Rows rows(known, distance);
  const points::Rows queries(fresh, distance);
  const auto means =
      points::centroids(rows.view(), points::known_classes(clustering, known), {}, clustering.class_count());
  if (std::all_of(means.weights.begin(), means.weights.end(), [](double weight) { return weight == 0; })) {
    throw UsageError("no word of the clustering has a vector", "give the vectors that were clustered");
  }
  return points::nearest(queries.view(), means, run);
}

}  // namespace firth

// Classes of vectors in their order: check, rows, hierarchy or k-means, how tight.
#include "firth/cluster_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/memory_limit.hpp"
#include "cluster/balance/balance_rows.hpp"
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

MergeTree ward_tree(const ScaledRows& rows, std::span<const double> weights, std::size_t window,
                    const RunOptions& run) {
  MergeTree tree{TreeLeaves::words, static_cast<std::uint32_t>(rows.rows.rows), {}};
  const spectral::WardInput<float> input = {rows.rows, weights, window, rows.scales};
  for (const spectral::WardMerge& merge : spectral::windowed_ward<float>(input, run)) {
    tree.merges.push_back({merge.left, merge.right, std::numeric_limits<double>::quiet_NaN()});
  }
  return tree;
}

Classes by_ward(const ScaledRows& rows, std::span<const double> weights, const VectorClusterOptions& options,
                const RunOptions& run) {
  MergeTree tree = ward_tree(rows, weights, window_for(options, rows.rows.rows), run);
  std::vector<ClassId> classes = clusters::classes_after(tree, rows.rows.rows - options.classes);
  return {std::move(classes), std::move(tree)};
}

Classes by_kmeans(Rows& input, std::span<const double> weights, const VectorClusterOptions& options,
                  const RunOptions& run) {
  const linalg::View<const float> rows = input.plain();
  linalg::KmeansProblem problem{.points = rows, .weights = weights};
  std::vector<std::uint32_t> seeds;
  Centroids start;
  if (options.start == KmeansStart::ward) {
    const Classes classes = by_ward(input.scaled(), weights, options, run);
    start = centroids(input.scaled(), classes.of_row, weights, options.classes);
    problem.start = start.view();
  } else {
    seeds = choose_seeds(rows, options.classes, options.start, run);
    problem.seeds = seeds;
  }
  problem.unit = options.distance == VectorDistance::cosine;
  problem.max_iterations = options.iterations;
  linalg::KmeansResult result = linalg::spherical_kmeans(problem, run);
  const Centroids means = centroids({rows}, result.cluster_of, weights, options.classes);
  MergeTree tree = ward_tree({means.view()}, means.weights, options.classes, run);
  tree.kind = TreeLeaves::classes;
  return {std::move(result.cluster_of), std::move(tree), result.iterations};
}

Classes make_classes(Rows& rows, std::span<const double> weights, const VectorClusterOptions& options,
                     const RunOptions& run) {
  switch (options.method) {
    case VectorMethod::divide: {
      spectral::Division division = spectral::divide<float>({rows.plain(), weights, options.classes}, run);
      return {std::move(division.classes), std::move(division.tree)};
    }
    case VectorMethod::kmeans:
      return by_kmeans(rows, weights, options, run);
    case VectorMethod::ward:
      break;
  }
  return by_ward(rows.scaled(), weights, options, run);
}

/// Sizes of the rows against the limits.
std::vector<std::uint64_t> sizes_of(const Vocabulary& vocabulary, SizeUnit unit) {
  if (unit == SizeUnit::words) return std::vector<std::uint64_t>(vocabulary.size(), 1);
  return {vocabulary.counts().begin(), vocabulary.counts().end()};
}

/// What is clustered.
struct Points {
  ScaledRows rows;
  std::span<const double> weights;
  const Vocabulary& vocabulary;
};

/// The classes within the limits, with a tree over them by Ward's criterion.
Classes limited(const Points& points, const VectorClusterOptions& options, Classes free,
                const RunOptions& run) {
  const auto& [rows, weights, vocabulary] = points;
  const balance::WeightedRows weighted = {rows.rows, rows.scales, weights,
                                          sizes_of(vocabulary, options.sizes.unit)};
  free.of_row = balance::balanced_rows(weighted, std::move(free.of_row), options.classes, options.sizes, run);
  const Centroids means = centroids(rows, free.of_row, weights, options.classes);
  free.tree = ward_tree({means.view()}, means.weights, options.classes, run);
  free.tree.kind = TreeLeaves::classes;
  return free;
}

double spread(const ScaledRows& rows, std::span<const ClassId> classes, std::span<const double> weights,
              ClassId count) {
  return sum_of_squares(rows, classes, weights, centroids(rows, classes, weights, count));
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
  validate(options.sizes);
}

VectorClusterResult cluster_vectors(const WordVectors& vectors, const VectorClusterOptions& options,
                                    const RunOptions& run) {
  validate(options);
  clusters::require_words_for(options.classes, vectors.vocabulary.size(), "VectorClusterOptions::classes",
                              "vectors");
  base::require_memory(
      run, vector_cluster_bytes(vectors.vocabulary.size(), vectors.dimensions, options), "clustering vectors",
      options.method == VectorMethod::ward ? "take a smaller window" : "ask for fewer classes");
  points::Rows rows(vectors, options.distance);
  const std::vector<double> weights = spectral::weights_of(vectors.vocabulary, options.weights);
  points::Classes classes = points::make_classes(rows, weights, options, run);

  VectorClusterResult result;
  result.iterations = classes.iterations;
  if (options.sizes.limited()) {
    result.free_sum_of_squares = points::spread(rows.scaled(), classes.of_row, weights, options.classes);
    classes = points::limited({rows.scaled(), weights, vectors.vocabulary}, options, std::move(classes), run);
  }
  result.sum_of_squares = points::spread(rows.scaled(), classes.of_row, weights, options.classes);
  const std::vector<ClassId> one(vectors.vocabulary.size(), 0);
  result.total_sum_of_squares = points::spread(rows.scaled(), one, weights, 1);
  result.clustering = Clustering(vectors.vocabulary, classes.of_row, std::move(classes.tree));
  return result;
}

std::uint64_t vector_cluster_bytes(std::size_t rows, std::size_t dimensions,
                                   const VectorClusterOptions& options) {
  const bool scaled = options.distance == VectorDistance::cosine;
  const bool windowed = options.method == VectorMethod::ward ||
                        (options.method == VectorMethod::kmeans && options.start == KmeansStart::ward);
  const std::uint64_t lists = rows * (sizeof(ClassId) * 2 + sizeof(double) + (scaled ? sizeof(float) : 0));
  const std::uint64_t means = std::uint64_t{options.classes} * dimensions * (sizeof(double) + sizeof(float));
  const std::size_t window = points::window_for(options, rows);
  const std::uint64_t ward =
      windowed ? rows * sizeof(TreeMerge) + spectral::ward_bytes(rows, window, dimensions, sizeof(float))
               : spectral::ward_bytes(options.classes, options.classes, dimensions, sizeof(float));
  if (options.method == VectorMethod::ward) return lists + std::max(means, ward);
  const std::uint64_t copy = scaled ? std::uint64_t{rows} * dimensions * sizeof(float) : 0;
  if (options.method == VectorMethod::divide) return lists + copy + means + rows * 4 * sizeof(double);
  return lists + copy + std::max(linalg::kmeans_bytes(rows, dimensions, options.classes), means + ward);
}

}  // namespace firth

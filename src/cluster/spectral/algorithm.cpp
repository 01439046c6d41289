// The spectral method in its order: check, vectors (Figure 4), hierarchy (Figure 5), scores.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/ranks.hpp"
#include "cluster/balance/balance_rows.hpp"
#include "cluster/class_count.hpp"
#include "cluster/merge_tree.hpp"
#include "cluster/spectral/divide.hpp"
#include "cluster/spectral/memory.hpp"
#include "cluster/spectral/merge_scores.hpp"
#include "cluster/spectral/ward.hpp"
#include "cluster/spectral/word_weights.hpp"
#include "firth/error.hpp"
#include "firth/spectral.hpp"
#include "linalg/matrix.hpp"
#include "vectors/contexts.hpp"
#include "vectors/vectors.hpp"

namespace firth {
namespace spectral {
namespace {

EmbedOptions embed_options(const SpectralOptions& options) {
  EmbedOptions embed;
  embed.dimensions = options.dimensions > 0 ? options.dimensions : options.classes;
  embed.context = options.context;
  embed.kappa = options.kappa;
  embed.tolerance = options.tolerance;
  embed.checkpoint = options.checkpoint;
  return embed;
}

std::size_t window_for(const SpectralOptions& options, std::size_t words) {
  if (options.hierarchy == SpectralHierarchy::full) return words;
  if (options.window > 0) return options.window;
  // A wide window lets rare words merge with each other by their noise, unless weights hold them back.
  return options.weights == WordWeights::none ? options.classes : 2 * std::size_t{options.classes};
}

std::uint64_t hierarchy_bytes(const Counts& counts, const SpectralOptions& options, std::size_t scalar) {
  const std::size_t words = counts.vocabulary().size();
  const std::size_t dim = embed_options(options).dimensions;
  const std::uint64_t vectors = words * dim * scalar;
  const std::uint64_t scores = score_bytes(options.classes);
  if (options.hierarchy == SpectralHierarchy::divide) return vectors + scores + words * 4 * sizeof(double);
  return vectors + std::max(scores, ward_bytes(words, window_for(options, words), dim, scalar));
}

ClusterResult from_word_tree(const Counts& counts, MergeTree tree, ClassId class_count) {
  const std::size_t merges = tree.leaves - class_count;
  const std::vector<ClassId> classes = clusters::classes_after(tree, merges);
  MergeTree upper = clusters::upper_part(tree, merges, clusters::nodes_after(tree, merges), classes);
  ClusterResult result;
  result.ami_bits = score_merges(counts.bigrams(), classes, upper);
  for (std::size_t i = 0; i < upper.merges.size(); ++i)
    tree.merges[merges + i].ami_bits = upper.merges[i].ami_bits;
  if (merges > 0) tree.merges[merges - 1].ami_bits = result.ami_bits;
  result.clustering = Clustering(counts.vocabulary(), classes, std::move(tree));
  return result;
}

/// The merges, made by rank 0 for all: they cannot be shared out, and a second copy of the window helps nobody.
template <typename T>
std::vector<WardMerge> ward_on_ranks(const WardInput<T>& input, const RunOptions& run, WardStats& stats) {
  const base::Ranks ranks(run);
  std::vector<WardMerge> merges;
  if (ranks.is_root()) merges = windowed_ward<T>(input, run, &stats);
  if (ranks.alone()) return merges;
  merges.resize(input.vectors.rows - 1);
  ranks.world().broadcast(std::as_writable_bytes(std::span(merges)), 0);
  ranks.world().broadcast(std::as_writable_bytes(std::span(&stats, 1)), 0);
  return merges;
}

template <typename T>
ClusterResult agglomerate(const Counts& counts, const SpectralOptions& options,
                          const vectors::Vectors<T>& vectors, const RunOptions& run,
                          double* searches_per_merge) {
  const std::vector<double> weights = weights_of(counts.vocabulary(), options.weights);
  const std::size_t words = counts.vocabulary().size();
  WardStats stats;
  const WardInput<T> input = {vectors.rows.view(), weights, window_for(options, words)};
  const std::vector<WardMerge> merges = ward_on_ranks<T>(input, run, stats);
  *searches_per_merge = stats.searches_per_merge;
  MergeTree tree{TreeLeaves::words, static_cast<std::uint32_t>(words), {}};
  tree.merges.reserve(merges.size());
  for (const WardMerge& merge : merges) {
    tree.merges.push_back({merge.left, merge.right, std::numeric_limits<double>::quiet_NaN()});
  }
  return from_word_tree(counts, std::move(tree), options.classes);
}

template <typename T>
ClusterResult divide_classes(const Counts& counts, const SpectralOptions& options,
                             const vectors::Vectors<T>& vectors, const RunOptions& run) {
  const std::vector<double> weights = weights_of(counts.vocabulary(), options.weights);
  Division division = divide<T>({vectors.rows.view(), weights, options.classes}, run);
  ClusterResult result;
  result.ami_bits = score_merges(counts.bigrams(), division.classes, division.tree);
  result.clustering = Clustering(counts.vocabulary(), division.classes, std::move(division.tree));
  return result;
}

/// A tree over classes of rows, by Ward's criterion.
MergeTree tree_over(linalg::View<const float> rows, std::span<const double> weights,
                    std::span<const ClassId> classes, ClassId count, const RunOptions& run) {
  linalg::Matrix<float> means(count, rows.columns);
  means.fill(0);
  std::vector<double> totals(count, 0);
  for (std::size_t i = 0; i < rows.rows; ++i) totals[classes[i]] += weights.empty() ? 1 : weights[i];
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto share = static_cast<float>((weights.empty() ? 1 : weights[i]) / totals[classes[i]]);
    for (std::size_t j = 0; j < rows.columns; ++j) means(classes[i], j) += share * rows.row(i)[j];
  }
  MergeTree tree{TreeLeaves::classes, count, {}};
  const WardInput<float> input = {std::as_const(means).view(), totals, count};
  for (const WardMerge& merge : windowed_ward<float>(input, run))
    tree.merges.push_back({merge.left, merge.right, 0});
  return tree;
}

/// The classes within the limits, with a tree over them by Ward's criterion.
void limit_sizes(const Counts& counts, const SpectralOptions& options, SpectralResult& result,
                 const RunOptions& run) {
  const Vocabulary& words = counts.vocabulary();
  const std::vector<double> weights = weights_of(words, options.weights);
  const linalg::View<const float> rows = {result.vectors.values.data(), words.size(),
                                          result.vectors.dimensions, result.vectors.dimensions};
  balance::WeightedRows weighted{rows, {}, weights, std::vector<std::uint64_t>(words.size(), 1)};
  if (options.sizes.unit == SizeUnit::tokens)
    weighted.sizes.assign(words.counts().begin(), words.counts().end());
  const auto free = result.clustering.classes();
  const std::vector<ClassId> classes =
      balance::balanced_rows(weighted, {free.begin(), free.end()}, options.classes, options.sizes, run);
  MergeTree tree = tree_over(rows, weights, classes, options.classes, run);
  result.free_ami_bits = result.ami_bits;
  result.ami_bits = score_merges(counts.bigrams(), classes, tree);
  result.clustering = Clustering(words, classes, std::move(tree));
}

bool in_double_precision(const Counts& counts) {
  return counts.vocabulary().size() <= vectors::kDoubleWords;
}

template <typename T>
SpectralResult cluster_words(const Counts& counts, const SpectralOptions& options, const RunOptions& run) {
  const EmbedOptions embed = embed_options(options);
  base::require_memory(run, memory_bytes(counts, options, run), "spectral clustering", vectors::kMemoryHint);
  vectors::Vectors<T> vectors = vectors::compute_vectors<T>(counts, embed, run);
  double searches = 0;
  SpectralResult result{options.hierarchy == SpectralHierarchy::divide
                            ? divide_classes(counts, options, vectors, run)
                            : agglomerate(counts, options, vectors, run, &searches),
                        {},
                        0};
  result.series = {{"singular_values", vectors.svd.singular_values},
                   {"residuals", vectors.svd.residuals},
                   {"kappa", {vectors.svd.kappa}},
                   {"searches_per_merge", {searches}}};
  result.searches_per_merge = searches;
  result.vectors = vectors::public_vectors(counts.vocabulary(), std::move(vectors));
  if (options.sizes.limited()) limit_sizes(counts, options, result, run);
  result.clustering.learn_class_bigrams(counts);
  return result;
}

}  // namespace

std::uint64_t memory_bytes(const Counts& counts, const SpectralOptions& options, const RunOptions& run) {
  const std::size_t scalar = in_double_precision(counts) ? sizeof(double) : sizeof(float);
  return std::max(vectors::vectors_bytes(counts, embed_options(options), scalar, run),
                  hierarchy_bytes(counts, options, scalar));
}

}  // namespace spectral

void validate(const SpectralOptions& options) {
  clusters::require_classes(options.classes, "SpectralOptions::classes");
  validate(spectral::embed_options(options));
  validate(options.sizes);
  if (options.window > 0 && options.window < options.classes) {
    throw UsageError(fmt::format("a window of {} for {} classes", options.window, options.classes),
                     "the window must hold all classes", "SpectralOptions::window");
  }
}

SpectralResult cluster_spectral(const Counts& counts, const SpectralOptions& options, const RunOptions& run) {
  validate(options);
  clusters::require_words_for(options.classes, counts.vocabulary().size(), "SpectralOptions::classes");
  vectors::check_counts(counts, spectral::embed_options(options));
  if (spectral::in_double_precision(counts)) {
    return spectral::cluster_words<double>(counts, options, run);
  }
  return spectral::cluster_words<float>(counts, options, run);
}

}  // namespace firth

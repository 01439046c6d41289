// SVD2 in the order of section 2 of the paper: contexts, descriptors, clusters; again; scores.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"
#include "cluster/class_count.hpp"
#include "cluster/objective.hpp"
#include "cluster/svd2/descriptors.hpp"
#include "firth/build_tree.hpp"
#include "firth/error.hpp"
#include "firth/svd2.hpp"
#include "linalg/spherical_kmeans.hpp"

namespace firth {
namespace svd2 {
namespace {

constexpr std::size_t kMaxContexts = 20000;
constexpr std::size_t kSides = 2;

/// A pass over the text: which contexts, which rank.
struct Pass {
  ContextColumns columns;
  std::size_t rank;
};

/// A stage that goes on step by step.
class Steps {
 public:
  Steps(const RunOptions& run, const char* name, std::uint64_t total) : stage_(run, name, "steps", total) {}
  void advance() { stage_.advance(++done_); }
  void end() { stage_.end(); }

 private:
  base::Stage stage_;
  std::uint64_t done_ = 0;
};

class Svd2 {
 public:
  Svd2(const Counts& counts, const Svd2Options& options, const RunOptions& run)
      : counts_(counts),
        options_(options),
        run_(run),
        words_(counts.vocabulary().size()),
        before_(counts.bigrams().transposed()) {
    if (options.weighted) {
      for (const Count count : counts.vocabulary().counts()) weights_.push_back(static_cast<double>(count));
    }
  }

  /// Descriptors of the last pass.
  void describe_words() {
    const std::size_t contexts = std::min(options_.context_words, words_);
    std::vector<std::uint32_t> column_of(words_);
    std::iota(column_of.begin(), column_of.end(), 0U);
    Steps first(run_, "first pass", 3);
    describe_pass({{column_of, contexts}, std::min(options_.rank1, contexts)}, first);
    if (!options_.second_pass) return;
    const std::size_t clusters = std::min(options_.clusters1, words_);
    const std::vector<std::uint32_t> cluster_of = make_clusters(clusters, "first pass", first);
    first.end();
    Steps second(run_, "second pass", 2);
    describe_pass({{cluster_of, clusters}, std::min(options_.rank2, clusters)}, second);
  }

  ClusterResult make_result(ClassId classes) {
    Steps steps(run_, "clustering", 1);
    const std::vector<std::uint32_t> cluster_of = make_clusters(classes, "second pass", steps);
    steps.end();
    ClusterResult result;
    result.ami_bits = clusters::ami_bits(clusters::class_bigrams(counts_.bigrams(), cluster_of, classes));
    std::optional<MergeTree> tree;
    if (options_.tree) tree = build_tree(counts_, cluster_of, run_);
    result.clustering = Clustering(counts_.vocabulary(), cluster_of, std::move(tree));
    result.clustering.learn_class_bigrams(counts_);
    result.series = series_;
    return result;
  }

  WordVectors vectors() const {
    WordVectors vectors;
    vectors.vocabulary = counts_.vocabulary();
    vectors.dimensions = points_.columns();
    vectors.values.assign(points_.row(0), points_.row(0) + words_ * points_.columns());
    return vectors;
  }

 private:
  void describe_pass(const Pass& pass, Steps& steps) {
    points_ = linalg::Matrix<float>(words_, kSides * pass.rank);
    const DescriptorOptions options{pass.rank, options_.scale, options_.unit_length};
    // Left contexts first: D = [L** R**].
    const PairCounts* sides[kSides] = {&before_, &counts_.bigrams()};
    const char* names[kSides] = {"left_singular_values", "right_singular_values"};
    series_.clear();
    for (std::size_t side = 0; side < kSides; ++side) {
      run_.check_stop();
      const ContextMatrix contexts = context_matrix(*sides[side], pass.columns);
      series_.emplace_back(
          names[side],
          describe(contexts, options, points_.view().block(0, words_, side * pass.rank, pass.rank), run_));
      steps.advance();
    }
  }

  std::vector<std::uint32_t> make_clusters(std::size_t clusters, const char* stage, Steps& steps) {
    const std::vector<std::uint32_t> seeds = first_centroids(clusters);
    const linalg::KmeansResult found = linalg::spherical_kmeans({.points = std::as_const(points_).view(),
                                                                 .blocks = kSides,
                                                                 .weights = weights_,
                                                                 .seeds = seeds,
                                                                 .unit = options_.unit_length},
                                                                run_);
    if (!found.converged) {
      base::warn(run_, fmt::format("k-means of the {} stopped after {} iterations", stage, found.iterations));
    }
    series_.emplace_back("kmeans_objective", found.objective);
    steps.advance();
    return found.cluster_of;
  }

  /// The most frequent words, or any.
  std::vector<std::uint32_t> first_centroids(std::size_t clusters) const {
    std::vector<std::uint32_t> seeds(words_);
    std::iota(seeds.begin(), seeds.end(), 0U);
    if (!options_.frequent_seeds) {
      base::Rng rng(run_.seed);
      for (std::size_t i = 0; i < clusters; ++i) std::swap(seeds[i], seeds[i + rng.below(words_ - i)]);
    }
    seeds.resize(clusters);
    return seeds;
  }

  const Counts& counts_;
  const Svd2Options& options_;
  const RunOptions& run_;
  std::size_t words_;
  PairCounts before_;
  std::vector<double> weights_;
  linalg::Matrix<float> points_;
  std::vector<std::pair<std::string, std::vector<double>>> series_;
};

void check_memory(const Counts& counts, const Svd2Options& options, const RunOptions& run) {
  const std::uint64_t words = counts.vocabulary().size();
  const std::uint64_t columns = std::max(options.context_words, options.clusters1);
  const std::uint64_t rank = std::max(options.rank1, options.rank2);
  const std::uint64_t clusters = std::max<std::uint64_t>(options.classes, options.clusters1);
  constexpr std::uint64_t kPairBytes = 40;  // the transposed pairs, the contexts and their transpose
  const std::uint64_t needed =
      counts.bigrams().distinct() * kPairBytes + words * rank * kSides * sizeof(float) +
      std::max(describe_bytes(columns, rank), linalg::kmeans_bytes(words, kSides * rank, clusters));
  base::require_memory(run, needed, "SVD2", "lower the number of context words, clusters or ranks");
}

}  // namespace
}  // namespace svd2

void validate(const Svd2Options& options) {
  clusters::require_classes(options.classes, "Svd2Options::classes");
  const auto check = [](std::size_t value, const char* name, const char* field) {
    if (value >= 1 && value <= svd2::kMaxContexts) return;
    throw UsageError(fmt::format("{} {}", value, name),
                     fmt::format("1 to {} are possible", svd2::kMaxContexts), field);
  };
  check(options.context_words, "context words", "Svd2Options::context_words");
  check(options.clusters1, "clusters in the first pass", "Svd2Options::clusters1");
  check(options.rank1, "as the rank of the first pass", "Svd2Options::rank1");
  check(options.rank2, "as the rank of the second pass", "Svd2Options::rank2");
}

Svd2Result cluster_svd2(const Counts& counts, const Svd2Options& options, const RunOptions& run) {
  validate(options);
  clusters::require_words_for(options.classes, counts.vocabulary().size(), "Svd2Options::classes");
  svd2::check_memory(counts, options, run);
  svd2::Svd2 svd2(counts, options, run);
  svd2.describe_words();
  Svd2Result result{svd2.make_result(options.classes), {}};
  result.vectors = svd2.vectors();
  return result;
}

std::vector<ClusterResult> cluster_svd2(const Counts& counts, std::span<const ClassId> classes,
                                        const Svd2Options& options, const RunOptions& run) {
  for (const ClassId wanted : classes) {
    Svd2Options one = options;
    one.classes = wanted;
    validate(one);
    clusters::require_words_for(wanted, counts.vocabulary().size(), "Svd2Options::classes");
  }
  svd2::check_memory(counts, options, run);
  svd2::Svd2 svd2(counts, options, run);
  svd2.describe_words();
  std::vector<ClusterResult> results;
  for (const ClassId wanted : classes) results.push_back(svd2.make_result(wanted));
  return results;
}

}  // namespace firth

#include "firth/spectral.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "reference/naive_spectral.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

struct Warnings : ProgressSink {
  std::vector<std::string> messages;
  void begin(std::string_view, std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t, std::string_view) override {}
  void end() override {}
  void warn(std::string_view message) override { messages.emplace_back(message); }
};

Counts model_counts(std::size_t words, std::size_t classes, std::size_t tokens, std::vector<ClassId>* truth) {
  return reference::sample_counts(reference::random_model(words, classes, 0.5, 5), tokens, {1, 2}, 6, truth);
}

TEST(Spectral, SingularValuesAreThoseOfOmega) {
  std::vector<ClassId> truth;
  const Counts counts = model_counts(60, 5, 3000, &truth);
  for (const char* context : {"R1", "LR1", "LR2", "-2,+1"}) {
    for (const double kappa : {0.0, 3.0, 200.0}) {
      EmbedOptions options;
      options.dimensions = 12;
      options.context = parse_context(context);
      options.kappa = kappa;
      const WordVectors vectors = embed_words(counts, options, {});
      const Eigen::MatrixXd omega = reference::naive_omega(counts, options.context, kappa);
      const Eigen::VectorXd expected = Eigen::JacobiSVD<Eigen::MatrixXd>(omega).singularValues();
      for (std::size_t k = 0; k < 12; ++k) {
        EXPECT_NEAR(vectors.svd.singular_values[k], expected(static_cast<Eigen::Index>(k)), 1e-10)
            << context << kappa;
      }
    }
  }
}

// Theorem 5.1: on the exact matrices of a model, U = sqrt(O) Q^T, so that vectors of one class coincide and
// vectors of different classes are orthogonal.
TEST(Spectral, Theorem51HoldsOnPopulationMatrices) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    for (const char* context : {"R1", "LR1", "LR2"}) {
      std::vector<ClassId> truth;
      const auto model = reference::random_model(120, 8, 0.4, seed);
      const Counts counts = reference::population_counts(model, {1, 2}, &truth);
      EmbedOptions options;
      options.dimensions = 8;
      options.context = parse_context(context);
      options.kappa = 0;
      const WordVectors vectors = embed_words(counts, options, {});
      ASSERT_EQ(vectors.dimensions, 8u);
      for (WordId x = 0; x < 120; ++x) {
        for (WordId y = 0; y < 120; ++y) {
          double dot = 0;
          for (std::size_t j = 0; j < 8; ++j) dot += double{vectors.row(x)[j]} * double{vectors.row(y)[j]};
          ASSERT_NEAR(dot, truth[x] == truth[y] ? 1.0 : 0.0, 1e-6) << context << " seed " << seed;
        }
      }
    }
  }
}

TEST(Spectral, PopulationMatricesAreClusteredExactlyForAnySmallKappa) {
  std::vector<ClassId> truth;
  const Counts counts = reference::population_counts(reference::random_model(120, 8, 0.4, 4), {1, 2}, &truth);
  for (const double kappa : {0.0, 200.0, 1e13}) {
    for (const WordWeights weights : {WordWeights::none, WordWeights::counts}) {
      for (const SpectralHierarchy hierarchy :
           {SpectralHierarchy::window, SpectralHierarchy::full, SpectralHierarchy::divide}) {
        SpectralOptions options;
        options.classes = 8;
        options.kappa = kappa;
        options.weights = weights;
        options.hierarchy = hierarchy;
        const ClusterResult result = cluster_spectral(counts, options, {});
        EXPECT_EQ(reference::misplaced(result.clustering.classes(), truth), 0u) << kappa;
      }
    }
  }
}

TEST(Spectral, RecoversThePlantedClassesFromEnoughText) {
  std::vector<ClassId> truth;
  const auto model = reference::random_model(300, 10, 0.5, 7);
  const Counts little = reference::sample_counts(model, 3000, {1, 2}, 8, &truth);
  SpectralOptions options;
  options.classes = 10;
  options.kappa = 0;
  options.context = {-1, 1};
  EXPECT_GT(reference::misplaced(cluster_spectral(little, options, {}).clustering.classes(), truth), 0u);
  const Counts much = reference::sample_counts(model, 400000, {1, 2}, 8, &truth);
  for (const WordWeights weights : {WordWeights::none, WordWeights::counts}) {
    options.weights = weights;
    EXPECT_EQ(reference::misplaced(cluster_spectral(much, options, {}).clustering.classes(), truth), 0u);
  }
}

TEST(Spectral, TreeAndScoresFitTheClasses) {
  std::vector<ClassId> truth;
  const Counts counts = model_counts(80, 6, 4000, &truth);
  for (const SpectralHierarchy hierarchy :
       {SpectralHierarchy::window, SpectralHierarchy::full, SpectralHierarchy::divide}) {
    SpectralOptions options;
    options.classes = 9;
    options.hierarchy = hierarchy;
    const ClusterResult result = cluster_spectral(counts, options, {});
    ASSERT_EQ(result.clustering.class_count(), 9u);
    EXPECT_NEAR(result.ami_bits, average_mutual_information(counts, result.clustering.classes()), 1e-9);
    ASSERT_TRUE(result.clustering.tree());
    const std::vector<TreeMerge>& merges = result.clustering.tree()->merges;
    for (ClassId k = 1; k < 9; ++k) {
      const Clustering cut = result.clustering.cut(k);
      EXPECT_EQ(cut.class_count(), k);
      EXPECT_NEAR(average_mutual_information(counts, cut.classes()), merges[merges.size() - k].ami_bits,
                  1e-9);
    }
    EXPECT_EQ(result.clustering.bit_strings().size(), 9u);
  }
}

TEST(Spectral, AnyNumberOfClassesWorks) {
  std::vector<ClassId> truth;
  const Counts counts = model_counts(30, 3, 500, &truth);
  for (ClassId classes = 1; classes <= 30; ++classes) {
    for (const SpectralHierarchy hierarchy :
         {SpectralHierarchy::window, SpectralHierarchy::full, SpectralHierarchy::divide}) {
      SpectralOptions options;
      options.classes = classes;
      options.hierarchy = hierarchy;
      EXPECT_EQ(cluster_spectral(counts, options, {}).clustering.class_count(), classes);
    }
  }
}

TEST(Spectral, RandomSmallTextsGiveValidResults) {
  base::Rng rng(21);
  for (int i = 0; i < 300; ++i) {
    const std::size_t words = 2 + rng.below(40);
    const Counts counts = reference::random_counts(rng, words, 2 + rng.below(200));
    SpectralOptions options;
    options.classes = static_cast<ClassId>(1 + rng.below(words));
    options.context = rng.below(2) == 0 ? std::vector<int>{1} : std::vector<int>{-1, 1};
    options.kappa = static_cast<double>(rng.below(3)) * 10.0;
    options.dimensions = rng.below(2) == 0 ? 0 : 1 + rng.below(50);
    options.weights = rng.below(2) == 0 ? WordWeights::none : WordWeights::counts;
    const ClusterResult result = cluster_spectral(counts, options, {});
    EXPECT_EQ(result.clustering.class_count(), options.classes);
    EXPECT_GE(result.ami_bits, -1e-12);
  }
}

TEST(Spectral, SameBytesForAnyThreads) {
  std::vector<ClassId> truth;
  const Counts counts =
      reference::sample_counts(reference::random_model(5000, 20, 0.5, 9), 200000, {1, 2}, 10, &truth);
  SpectralOptions options;
  options.classes = 25;
  RunOptions run;
  run.threads = 1;
  const SpectralResult first = cluster_spectral(counts, options, run);
  for (const unsigned threads : {2u, 5u}) {
    run.threads = threads;
    const SpectralResult other = cluster_spectral(counts, options, run);
    EXPECT_TRUE(std::ranges::equal(first.clustering.classes(), other.clustering.classes()));
    EXPECT_EQ(first.vectors.values, other.vectors.values);
    EXPECT_EQ(first.vectors.svd.residuals, other.vectors.svd.residuals);
  }
}

TEST(Spectral, WarnsOfARankThatIsTooSmall) {
  // a b a b ...: two words, two singular values.
  const Vocabulary vocabulary = Vocabulary::from_words({{"a", 10}, {"b", 10}, {"c", 1}});
  const PairCounts pairs = PairCounts::from_pairs(3, {{0, 1, 10}, {1, 0, 9}});
  const Counts counts(vocabulary, pairs, CountsInfo{.tokens = 21, .sequences = 1});
  SpectralOptions options;
  options.classes = 3;
  options.context = {1};
  Warnings warnings;
  RunOptions run;
  run.progress = &warnings;
  const SpectralResult result = cluster_spectral(counts, options, run);
  EXPECT_EQ(result.clustering.class_count(), 3u);
  EXPECT_EQ(result.vectors.dimensions, 2u);
  ASSERT_EQ(warnings.messages.size(), 1u);
  EXPECT_NE(warnings.messages[0].find("rank 2"), std::string::npos);
  // c has no context: a vector of zeros.
  EXPECT_EQ(result.vectors.row(2)[0], 0.0f);
  EXPECT_EQ(result.vectors.row(2)[1], 0.0f);
}

TEST(Spectral, RefusesWhatMakesNoSense) {
  std::vector<ClassId> truth;
  const Counts counts = model_counts(20, 3, 300, &truth);
  const auto refuses = [&](const auto& change) {
    SpectralOptions options;
    options.classes = 4;
    change(options);
    EXPECT_THROW(cluster_spectral(counts, options, {}), UsageError);
  };
  refuses([](SpectralOptions& o) { o.kappa = -1; });
  refuses([](SpectralOptions& o) { o.kappa = std::numeric_limits<double>::quiet_NaN(); });
  refuses([](SpectralOptions& o) { o.kappa = std::numeric_limits<double>::infinity(); });
  refuses([](SpectralOptions& o) { o.classes = 0; });
  refuses([](SpectralOptions& o) { o.classes = 21; });
  refuses([](SpectralOptions& o) { o.window = 3; });
  refuses([](SpectralOptions& o) { o.context = {}; });
  refuses([](SpectralOptions& o) { o.context = {0}; });
  refuses([](SpectralOptions& o) { o.context = {6}; });
  refuses([](SpectralOptions& o) { o.context = {1, 1}; });
  refuses([](SpectralOptions& o) { o.context = {3}; });  // was not counted
  refuses([](SpectralOptions& o) { o.tolerance = 0; });
  EXPECT_THROW(cluster_spectral(Counts(Vocabulary(), PairCounts::from_pairs(0, {}), {}), {}, {}), InputError);
  const Counts lonely(Vocabulary::from_words({{"a", 1}, {"b", 1}}), PairCounts::from_pairs(2, {}), {});
  SpectralOptions one;
  one.classes = 1;
  one.context = {1};
  EXPECT_THROW(cluster_spectral(lonely, one, {}), InputError);
}

TEST(Spectral, AsksForMemoryBeforeItStarts) {
  std::vector<ClassId> truth;
  const Counts counts = model_counts(60, 5, 1000, &truth);
  SpectralOptions options;
  options.classes = 5;
  RunOptions run;
  run.memory_bytes = 1000;
  EXPECT_THROW(cluster_spectral(counts, options, run), ResourceError);
  run.memory_bytes = std::uint64_t{1} << 30;
  EXPECT_NO_THROW(cluster_spectral(counts, options, run));
}

}  // namespace
}  // namespace firth

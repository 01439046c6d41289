// Clustering of vectors against what can be said without it: planted groups, brute force, Ward's own greedy rule.
#include "firth/cluster_vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "reference/naive_spectral.hpp"

namespace firth {
namespace {

constexpr std::array kMethods = {VectorMethod::ward, VectorMethod::divide, VectorMethod::kmeans};

WordVectors make_vectors(std::size_t rows, std::size_t dimensions,
                         const std::function<float(std::size_t, std::size_t)>& value) {
  WordVectors vectors;
  vectors.dimensions = dimensions;
  std::vector<std::pair<std::string, Count>> words;
  for (std::size_t i = 0; i < rows; ++i) {
    words.emplace_back("v" + std::to_string(i), rows - i);
    for (std::size_t j = 0; j < dimensions; ++j) vectors.values.push_back(value(i, j));
  }
  vectors.vocabulary = Vocabulary::from_words(std::move(words));
  return vectors;
}

WordVectors random_vectors(base::Rng& rng, std::size_t rows, std::size_t dimensions) {
  return make_vectors(rows, dimensions,
                      [&](std::size_t, std::size_t) { return static_cast<float>(2 * rng.uniform() - 1); });
}

/// Vectors around `groups` far corners; row i belongs to group i % groups.
WordVectors planted(base::Rng& rng, std::size_t rows, std::size_t groups) {
  return make_vectors(rows, groups, [&](std::size_t i, std::size_t j) {
    return static_cast<float>((i % groups == j ? 1.0 : 0.0) + 0.05 * rng.uniform());
  });
}

double brute_sum_of_squares(const WordVectors& vectors, const Clustering& classes) {
  double sum = 0;
  for (const auto& members : classes.members()) {
    std::vector<double> mean(vectors.dimensions);
    for (const WordId word : members)
      for (std::size_t j = 0; j < mean.size(); ++j)
        mean[j] += static_cast<double>(vectors.row(word)[j]) / static_cast<double>(members.size());
    for (const WordId word : members)
      for (std::size_t j = 0; j < mean.size(); ++j)
        sum += std::pow(static_cast<double>(vectors.row(word)[j]) - mean[j], 2);
  }
  return sum;
}

TEST(ClusterVectors, FindsPlantedGroups) {
  base::Rng rng(1);
  const WordVectors vectors = planted(rng, 60, 5);
  for (const VectorMethod method : kMethods) {
    for (const VectorDistance distance : {VectorDistance::cosine, VectorDistance::euclidean}) {
      const auto result = cluster_vectors(vectors, {.classes = 5, .method = method, .distance = distance});
      ASSERT_EQ(result.clustering.class_count(), 5u);
      for (WordId word = 0; word < 60; ++word)
        EXPECT_EQ(result.clustering.class_of(word), result.clustering.class_of(word % 5))
            << static_cast<int>(method);
      ASSERT_TRUE(result.clustering.tree().has_value());
      EXPECT_EQ(result.clustering.cut(1).class_count(), 1u);
    }
  }
}

TEST(ClusterVectors, SaysHowTightClassesAre) {
  base::Rng rng(2);
  for (const VectorMethod method : kMethods) {
    const WordVectors vectors = random_vectors(rng, 50, 6);
    const auto result =
        cluster_vectors(vectors, {.classes = 7, .method = method, .distance = VectorDistance::euclidean});
    EXPECT_NEAR(result.sum_of_squares, brute_sum_of_squares(vectors, result.clustering), 1e-4);
    EXPECT_NEAR(result.total_sum_of_squares, brute_sum_of_squares(vectors, result.clustering.cut(1)), 1e-4);
  }
}

TEST(ClusterVectors, WholeWindowIsWardsMethod) {
  base::Rng rng(3);
  for (int round = 0; round < 20; ++round) {
    const std::size_t rows = 5 + rng.below(40);
    const WordVectors vectors = random_vectors(rng, rows, 1 + rng.below(8));
    Eigen::MatrixXd same(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(vectors.dimensions));
    for (WordId i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < vectors.dimensions; ++j)
        same(i, static_cast<Eigen::Index>(j)) = static_cast<double>(vectors.row(i)[j]);
    const auto naive = reference::naive_windowed_ward(same, {}, rows);
    const auto classes = static_cast<ClassId>(1 + rng.below(rows));
    const auto result =
        cluster_vectors(vectors, {.classes = classes, .distance = VectorDistance::euclidean, .window = rows});
    MergeTree tree{TreeLeaves::words, static_cast<std::uint32_t>(rows), {}};
    for (const auto& merge : naive) tree.merges.push_back({merge.left, merge.right, std::nan("")});
    std::vector<ClassId> singletons(rows);
    for (WordId i = 0; i < rows; ++i) singletons[i] = i;
    const Clustering expected = Clustering(vectors.vocabulary, singletons, tree).cut(classes);
    EXPECT_TRUE(std::ranges::equal(result.clustering.classes(), expected.classes())) << round;
  }
}

TEST(ClusterVectors, KmeansEndsWhereNoPointWantsToMove) {
  base::Rng rng(4);
  for (const KmeansStart start : {KmeansStart::frequent, KmeansStart::random, KmeansStart::spread}) {
    const WordVectors vectors = random_vectors(rng, 120, 4);
    const auto result = cluster_vectors(vectors, {.classes = 9,
                                                  .method = VectorMethod::kmeans,
                                                  .distance = VectorDistance::euclidean,
                                                  .start = start,
                                                  .iterations = 500});
    const std::vector<ClassId> near =
        nearest_classes(result.clustering, vectors, vectors, VectorDistance::euclidean);
    EXPECT_TRUE(std::ranges::equal(near, result.clustering.classes()));
  }
}

TEST(ClusterVectors, SameForAnyNumberOfThreads) {
  base::Rng rng(5);
  const WordVectors vectors = random_vectors(rng, 700, 12);
  for (const VectorMethod method : kMethods) {
    const VectorClusterOptions options = {.classes = 20, .method = method, .weights = WordWeights::counts};
    const auto one = cluster_vectors(vectors, options, {.threads = 1});
    for (const unsigned threads : {2u, 3u}) {
      const auto more = cluster_vectors(vectors, options, {.threads = threads});
      EXPECT_TRUE(more.clustering == one.clustering);
      EXPECT_EQ(more.sum_of_squares, one.sum_of_squares);
    }
  }
}

TEST(ClusterVectors, AsManyClassesAsVectorsAndEqualVectors) {
  const WordVectors same = make_vectors(6, 3, [](std::size_t, std::size_t) { return 1.0F; });
  for (const VectorMethod method : kMethods) {
    for (const ClassId classes : {1u, 3u, 6u}) {
      const auto result = cluster_vectors(same, {.classes = classes, .method = method});
      EXPECT_EQ(result.clustering.class_count(), classes) << static_cast<int>(method);
      EXPECT_NEAR(result.sum_of_squares, 0, 1e-12);
    }
  }
}

TEST(ClusterVectors, NewVectorsGoToTheNearestMean) {
  base::Rng rng(6);
  const WordVectors vectors = planted(rng, 40, 4);
  const auto result = cluster_vectors(vectors, {.classes = 4});
  const WordVectors fresh = planted(rng, 8, 4);
  const std::vector<ClassId> classes = nearest_classes(result.clustering, vectors, fresh);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(classes[i], result.clustering.class_of(static_cast<WordId>(i % 4)));
}

TEST(ClusterVectors, RefusesWhatMakesNoSense) {
  base::Rng rng(7);
  WordVectors vectors = random_vectors(rng, 10, 3);
  EXPECT_THROW(static_cast<void>(cluster_vectors(vectors, {.classes = 0})), UsageError);
  EXPECT_THROW(static_cast<void>(cluster_vectors(vectors, {.classes = 11})), UsageError);
  EXPECT_THROW(static_cast<void>(cluster_vectors(vectors, {.classes = 5, .window = 4})), UsageError);
  EXPECT_THROW(static_cast<void>(cluster_vectors(vectors, {.classes = 5, .iterations = 0})), UsageError);
  EXPECT_THROW(static_cast<void>(cluster_vectors(WordVectors{}, {.classes = 5})), InputError);
  const auto result = cluster_vectors(vectors, {.classes = 5});
  EXPECT_THROW(static_cast<void>(nearest_classes(result.clustering, vectors, random_vectors(rng, 2, 4))),
               UsageError);
  vectors.values[4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(static_cast<void>(cluster_vectors(vectors, {.classes = 5})), InputError);
}

}  // namespace
}  // namespace firth

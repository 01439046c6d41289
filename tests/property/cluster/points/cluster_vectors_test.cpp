// Clustering of vectors against what can be said without it: planted groups, brute force, Ward's own greedy rule.
#include "firth/cluster_vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "reference/naive_spectral.hpp"
#include "support/temp_folder.hpp"

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
  for (const KmeansStart start :
       {KmeansStart::frequent, KmeansStart::random, KmeansStart::ward, KmeansStart::spread}) {
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

TEST(ClusterVectors, LengthDoesNotMatterForCosines) {
  base::Rng rng(8);
  WordVectors vectors = planted(rng, 60, 5);
  WordVectors longer = vectors;
  for (WordId word = 0; word < 60; ++word) {
    const auto factor = static_cast<float>(0.1 + 10 * rng.uniform());
    for (std::size_t j = 0; j < 5; ++j) longer.values[word * 5 + j] *= factor;
  }
  for (const VectorMethod method : kMethods) {
    const auto one = cluster_vectors(vectors, {.classes = 5, .method = method});
    const auto other = cluster_vectors(longer, {.classes = 5, .method = method});
    EXPECT_TRUE(std::ranges::equal(one.clustering.classes(), other.clustering.classes()));
    EXPECT_NEAR(one.sum_of_squares, other.sum_of_squares, 1e-4);
  }
}

TEST(ClusterVectors, MeansAreKeptInAFolderForNewVectors) {
  base::Rng rng(9);
  const testing::TempFolder folder;
  for (const VectorDistance distance : {VectorDistance::cosine, VectorDistance::euclidean}) {
    const WordVectors vectors = random_vectors(rng, 50, 4);
    const auto result = cluster_vectors(vectors, {.classes = 6, .distance = distance});
    const ClassMeans means = class_means(result.clustering, vectors, distance);
    const std::string name = folder.file(distance == VectorDistance::cosine ? "cosine" : "euclidean");
    std::filesystem::create_directories(name);
    save_class_means(name, means);
    const ClassMeans loaded = load_class_means(name, 6);
    EXPECT_EQ(loaded.distance, distance);
    EXPECT_EQ(loaded.means, means.means);
    EXPECT_EQ(loaded.sizes, means.sizes);
    EXPECT_THROW(static_cast<void>(load_class_means(name, 5)), InputError);
    const auto near = nearest_classes(loaded, vectors);
    for (WordId word = 0; word < 50; ++word) {
      double least = std::numeric_limits<double>::infinity();
      ClassId best = 0;
      double length = 0;
      for (const float x : vectors.row(word)) length += static_cast<double>(x) * static_cast<double>(x);
      const double scale = distance == VectorDistance::cosine ? 1 / std::sqrt(length) : 1;
      for (ClassId c = 0; c < 6; ++c) {
        double sum = 0;
        for (std::size_t j = 0; j < 4; ++j) {
          const double x = static_cast<double>(vectors.row(word)[j]) * scale;
          sum += std::pow(x - static_cast<double>(means.means[c * 4 + j]), 2);
        }
        if (sum < least) best = c;
        least = std::min(least, sum);
      }
      EXPECT_EQ(near[word].class_id, best);
      EXPECT_NEAR(near[word].distance, std::sqrt(least), 1e-5);
      EXPECT_GE(near[word].margin, 0);
    }
  }
  EXPECT_THROW(static_cast<void>(load_class_means(folder.path(), 6)), InputError);
}

TEST(ClusterVectors, NewWordsJoinTheModel) {
  base::Rng rng(10);
  const WordVectors vectors = planted(rng, 40, 4);
  const auto model = cluster_vectors(vectors, {.classes = 4}).clustering;
  WordVectors fresh = planted(rng, 44, 4);
  const VectorAssignment more =
      assign_vectors(model, class_means(model, vectors, VectorDistance::cosine), fresh);
  EXPECT_EQ(more.words.size(), 4u);
  EXPECT_EQ(more.clustering.word_count(), 44u);
  const WordIndex index(more.clustering.vocabulary());
  for (std::size_t i = 0; i < 44; ++i) {
    EXPECT_EQ(more.clustering.class_of(*index.find("v" + std::to_string(i))),
              more.clustering.class_of(*index.find("v" + std::to_string(i % 4))));
  }
  EXPECT_TRUE(more.clustering.tree().has_value());
}

TEST(ClusterVectors, AMappedFileGivesTheSameClasses) {
  base::Rng rng(11);
  const testing::TempFolder folder;
  const WordVectors vectors = random_vectors(rng, 80, 7);
  save_vectors(folder.file("v"), vectors, VectorFormat::npy);
  const WordVectors mapped = load_vectors(folder.file("v.npy"));
  EXPECT_TRUE(mapped.values.empty());
  EXPECT_EQ(mapped.mapped.size(), 80u * 7u);
  EXPECT_TRUE(std::ranges::equal(mapped.numbers(), vectors.numbers()));
  const auto one = cluster_vectors(vectors, {.classes = 9});
  EXPECT_TRUE(cluster_vectors(mapped, {.classes = 9}).clustering == one.clustering);
  const WordVectors copy = WordVectors::from_bytes(mapped.to_bytes());
  EXPECT_TRUE(std::ranges::equal(copy.numbers(), vectors.numbers()));
}

TEST(ClusterVectors, SaysWhatMemoryItTakes) {
  const VectorClusterOptions ward = {.classes = 1000, .window = 2000};
  // window^2 + window * dimensions numbers, and lists of a few numbers per vector.
  const std::uint64_t bytes = vector_cluster_bytes(400000, 300, ward);
  EXPECT_LT(bytes, 4u * (2100u * 2100u + 2100u * 300u) + 400000u * 80u + (16u << 20));
  EXPECT_THROW(
      static_cast<void>(cluster_vectors(make_vectors(100, 4, [](auto i, auto j) { return float(i * j); }),
                                        {.classes = 5}, {.memory_bytes = 1000})),
      ResourceError);
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

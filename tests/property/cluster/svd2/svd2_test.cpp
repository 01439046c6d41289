// SVD2 against its slow twin, and on texts whose classes are known.
#include "firth/svd2.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.hpp"
#include "cluster/svd2/descriptors.hpp"
#include "linalg/spherical_kmeans.hpp"
#include "reference/naive_spectral.hpp"
#include "reference/naive_svd2.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

/// All words occur, so that none is a row of zeros: those tie with everything.
Counts dense_text(base::Rng& rng) {
  const std::size_t words = 4 + rng.below(12);
  std::vector<std::pair<std::string, Count>> named;
  for (std::size_t i = 0; i < words; ++i) named.emplace_back("w" + std::to_string(i), 5 + rng.below(1000));
  const Vocabulary vocabulary = Vocabulary::from_words(named);
  std::vector<PairCount> pairs;
  for (WordId a = 0; a < words; ++a) {
    for (WordId b = 0; b < words; ++b) {
      if (rng.below(3) > 0) pairs.push_back({a, b, 1 + rng.below(200)});
    }
  }
  return {vocabulary, PairCounts::from_pairs(words, pairs), {}};
}

Svd2Options random_options(base::Rng& rng, std::size_t words) {
  Svd2Options options;
  options.classes = static_cast<ClassId>(1 + rng.below(words));
  options.context_words = 1 + rng.below(words + 2);
  options.rank1 = 1 + rng.below(words);
  options.clusters1 = 1 + rng.below(words);
  options.rank2 = 1 + rng.below(words);
  options.scale = rng.below(4) > 0;
  options.unit_length = rng.below(4) > 0;
  options.weighted = rng.below(4) > 0;
  options.second_pass = rng.below(4) > 0;
  options.tree = false;
  return options;
}

TEST(Svd2Property, AgreesWithItsTwin) {
  base::Rng rng(11);
  int compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const Counts counts = dense_text(rng);
    const Svd2Options options = random_options(rng, counts.vocabulary().size());
    const reference::NaiveKmeans wanted = reference::naive_svd2(counts, options);
    // Decisions that rounding can turn bind nobody, nor do clusters that lost their points.
    if (wanted.min_margin < 1e-4 || !wanted.all_used) continue;
    const ClusterResult found = cluster_svd2(counts, options, {.threads = 1});
    ASSERT_EQ(found.clustering, Clustering(counts.vocabulary(), wanted.cluster_of)) << "round " << round;
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

TEST(Svd2Property, DescriptorsKeepTheAnglesOfTheContextsAtFullRank) {
  // Section 5: U S has the geometry of the rows of the context matrix itself.
  base::Rng rng(12);
  const Counts counts = reference::random_counts(rng, 60, 4000);
  std::vector<std::uint32_t> columns(60);
  for (std::uint32_t i = 0; i < 60; ++i) columns[i] = i;
  const svd2::ContextMatrix contexts = svd2::context_matrix(counts.bigrams(), {columns, 40});
  linalg::Matrix<float> rows(60, 40);
  const std::vector<double> values = svd2::describe(contexts, {40, true, false}, rows.view(), {});
  ASSERT_FALSE(values.empty());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(60, 40);
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::uint64_t k = contexts.offsets[i]; k < contexts.offsets[i + 1]; ++k) {
      dense(static_cast<Eigen::Index>(i), contexts.indices[k]) = contexts.values[k];
    }
  }
  const Eigen::MatrixXd products = dense * dense.transpose();
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t j = 0; j < 60; ++j) {
      double dot = 0;
      for (std::size_t k = 0; k < 40; ++k) dot += double{rows(i, k)} * double{rows(j, k)};
      EXPECT_NEAR(dot, products(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)),
                  1e-5 * products.maxCoeff());
    }
  }
}

TEST(Svd2Property, FindsPlantedClasses) {
  std::vector<ClassId> truth;
  const reference::BrownModel model = reference::random_model(300, 10, 0.5, 3);
  const Counts counts = reference::sample_counts(model, 200000, {1}, 4, &truth);
  // Two of the most frequent words may be of one class, so more classes are asked for than there are; none
  // may mix words of two.
  const ClusterResult result = cluster_svd2(counts, {.classes = 30, .clusters1 = 50}, {.threads = 2});
  std::size_t wrong = 0;
  for (const std::vector<WordId>& members : result.clustering.members()) {
    std::map<ClassId, std::size_t> seen;
    std::size_t most = 0;
    for (const WordId word : members) most = std::max(most, ++seen[truth[word]]);
    wrong += members.size() - most;
  }
  EXPECT_LE(wrong, 3U);
}

TEST(Svd2Property, ASweepIsTheRunsOneByOne) {
  base::Rng rng(13);
  const Counts counts = reference::random_counts(rng, 200, 8000);
  const std::vector<ClassId> classes = {3, 17, 40};
  const std::vector<ClusterResult> sweep = cluster_svd2(counts, classes, {}, {.threads = 2});
  for (std::size_t i = 0; i < classes.size(); ++i) {
    EXPECT_EQ(sweep[i].clustering, cluster_svd2(counts, {.classes = classes[i]}, {.threads = 1}).clustering);
  }
}

TEST(SphericalKmeans, ObjectiveNeverFalls) {
  base::Rng rng(14);
  for (int round = 0; round < 50; ++round) {
    const Counts counts = reference::random_counts(rng, 150, 3000);
    std::vector<std::uint32_t> seeds(1 + rng.below(30));
    for (std::uint32_t i = 0; i < seeds.size(); ++i) seeds[i] = i;
    linalg::Matrix<float> points(150, 8);
    for (std::size_t i = 0; i < 150 * 8; ++i) points.row(0)[i] = static_cast<float>(rng.uniform() - 0.5);
    const bool unit = rng.below(2) == 0;
    const linalg::KmeansResult result = linalg::spherical_kmeans(
        {.points = std::as_const(points).view(), .blocks = 2, .weights = {}, .seeds = seeds, .unit = unit},
        {});
    EXPECT_TRUE(result.converged);
    for (std::size_t i = 1; i < result.objective.size(); ++i) {
      EXPECT_GE(result.objective[i], result.objective[i - 1] - 1e-3);
    }
  }
}

}  // namespace
}  // namespace firth

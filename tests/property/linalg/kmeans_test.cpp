#include "linalg/kmeans.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "base/rng.hpp"

namespace firth {
namespace {

using linalg::Kmeans;
using linalg::View;

View<const float> view(const std::vector<float>& rows, std::size_t columns) {
  return {rows.data(), rows.size() / columns, columns, columns};
}

/// The row nearest to each mean, by the definition.
std::vector<std::uint32_t> nearest_means(const std::vector<float>& rows, std::size_t columns,
                                         const Kmeans& result) {
  const std::size_t count = rows.size() / columns;
  std::vector<double> means(result.clusters * columns, 0.0);
  std::vector<double> sizes(result.clusters, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    sizes[result.assignment[i]] += 1;
    for (std::size_t j = 0; j < columns; ++j)
      means[result.assignment[i] * columns + j] += static_cast<double>(rows[i * columns + j]);
  }
  std::vector<std::uint32_t> nearest(count);
  for (std::size_t i = 0; i < count; ++i) {
    double best = std::numeric_limits<double>::max();
    for (std::uint32_t k = 0; k < result.clusters; ++k) {
      double distance = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        const double d = static_cast<double>(rows[i * columns + j]) - means[k * columns + j] / sizes[k];
        distance += d * d;
      }
      if (distance < best) {
        best = distance;
        nearest[i] = k;
      }
    }
  }
  return nearest;
}

TEST(Kmeans, EndsWhereEveryRowIsNearestToItsMean) {
  base::Rng rng(1);
  for (int round = 0; round < 50; ++round) {
    const std::size_t columns = 1 + rng.below(6);
    std::vector<float> rows((5 + rng.below(200)) * columns);
    for (float& value : rows) value = static_cast<float>(rng.uniform());
    const Kmeans result = linalg::kmeans(view(rows, columns),
                                         {.clusters = 1 + rng.below(8), .iterations = 1000}, {.threads = 1});
    const auto nearest = nearest_means(rows, columns, result);
    for (std::size_t i = 0; i < nearest.size(); ++i) ASSERT_EQ(result.assignment[i], nearest[i]);
  }
}

TEST(Kmeans, FindsPlantedClusters) {
  base::Rng rng(2);
  std::vector<float> rows;
  std::vector<std::uint32_t> truth;
  for (int i = 0; i < 3000; ++i) {
    truth.push_back(static_cast<std::uint32_t>(rng.below(5)));
    for (std::uint32_t j = 0; j < 5; ++j)
      rows.push_back((j == truth.back() ? 1.0F : 0.0F) + static_cast<float>(0.1 * rng.uniform()));
  }
  const Kmeans result = linalg::kmeans(view(rows, 5), {.clusters = 5}, {.threads = 2});
  std::map<std::uint32_t, std::uint32_t> seen;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto [it, added] = seen.emplace(truth[i], result.assignment[i]);
    ASSERT_EQ(it->second, result.assignment[i]);
  }
  EXPECT_EQ(result.clusters, 5U);
}

TEST(Kmeans, EqualRowsMakeOneCluster) {
  const std::vector<float> rows(20, 0.5F);
  const Kmeans result = linalg::kmeans(view(rows, 2), {.clusters = 4}, {});
  EXPECT_EQ(result.clusters, 1U);
  EXPECT_EQ(result.distortion, 0);
}

TEST(Kmeans, IsTheSameForAnyThreads) {
  base::Rng rng(3);
  std::vector<float> rows(20000 * 3);
  for (float& value : rows) value = static_cast<float>(rng.uniform());
  const Kmeans one = linalg::kmeans(view(rows, 3), {.clusters = 7}, {.threads = 1});
  const Kmeans three = linalg::kmeans(view(rows, 3), {.clusters = 7}, {.threads = 3});
  EXPECT_EQ(one.assignment, three.assignment);
  EXPECT_EQ(one.distortion, three.distortion);
}

}  // namespace
}  // namespace firth

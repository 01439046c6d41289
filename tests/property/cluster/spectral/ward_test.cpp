#include "cluster/spectral/ward.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "linalg/matrix.hpp"
#include "reference/naive_spectral.hpp"

namespace firth {
namespace {

using spectral::WardMerge;

template <typename T>
struct RandomCase {
  linalg::Matrix<T> vectors;
  Eigen::MatrixXd same;
  std::vector<double> weights;
  std::size_t window = 1;
};

template <typename T>
RandomCase<T> random_case(base::Rng& rng, std::size_t max_words) {
  const std::size_t words = 1 + rng.below(max_words);
  const std::size_t dim = 1 + rng.below(12);
  RandomCase<T> result{linalg::Matrix<T>(words, dim),
                       Eigen::MatrixXd(static_cast<Eigen::Index>(words), static_cast<Eigen::Index>(dim)),
                       {},
                       1 + rng.below(words + 5)};
  const bool weighted = rng.below(2) == 0;
  for (std::size_t i = 0; i < words; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < dim; ++j) {
      result.vectors(i, j) = static_cast<T>(2 * rng.uniform() - 1);
      square += static_cast<double>(result.vectors(i, j)) * static_cast<double>(result.vectors(i, j));
    }
    const bool zero = rng.below(20) == 0;
    for (std::size_t j = 0; j < dim; ++j) {
      result.vectors(i, j) =
          zero ? T{0} : static_cast<T>(static_cast<double>(result.vectors(i, j)) / std::sqrt(square));
      result.same(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          static_cast<double>(result.vectors(i, j));
    }
    if (weighted) result.weights.push_back(std::exp(8 * rng.uniform()));
  }
  return result;
}

template <typename T>
std::vector<WardMerge> run_ward(const RandomCase<T>& data, unsigned threads = 1) {
  RunOptions run;
  run.threads = threads;
  return spectral::windowed_ward<T>({data.vectors.view(), data.weights, data.window}, run);
}

/// Children in the order of their first words, as the naive twin has them.
std::vector<WardMerge> ordered(std::vector<WardMerge> merges, std::size_t words) {
  std::vector<std::uint32_t> first(words + merges.size());
  for (std::uint32_t word = 0; word < words; ++word) first[word] = word;
  for (std::size_t i = 0; i < merges.size(); ++i) {
    if (first[merges[i].left] > first[merges[i].right]) std::swap(merges[i].left, merges[i].right);
    first[words + i] = first[merges[i].left];
  }
  return merges;
}

TEST(Ward, MakesTheMergesOfTheNaiveTwin) {
  base::Rng rng(11);
  std::size_t compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const RandomCase<double> data = random_case<double>(rng, i % 100 == 0 ? 260 : 40);
    const auto words = static_cast<std::size_t>(data.same.rows());
    const std::vector<WardMerge> fast = ordered(run_ward(data), words);
    const auto slow = reference::naive_windowed_ward(data.same, data.weights, data.window);
    ASSERT_EQ(fast.size(), slow.size());
    for (std::size_t k = 0; k < slow.size(); ++k) {
      // Where two pairs cost the same, either may be merged, and the stories part.
      if (slow[k].runner_up - slow[k].cost <= 1e-9 * (1 + slow[k].cost)) break;
      ASSERT_EQ(fast[k].left, slow[k].left) << "case " << i << " merge " << k;
      ASSERT_EQ(fast[k].right, slow[k].right) << "case " << i << " merge " << k;
      ASSERT_NEAR(fast[k].cost, slow[k].cost, 1e-9 * (1 + slow[k].cost));
      ++compared;
    }
  }
  EXPECT_GT(compared, 30000u);
}

TEST(Ward, InFloatMergesThePairThatIsCheapestUpToRounding) {
  base::Rng rng(12);
  for (int i = 0; i < 1000; ++i) {
    const RandomCase<float> data = random_case<float>(rng, 40);
    const auto words = static_cast<std::size_t>(data.same.rows());
    const std::vector<WardMerge> fast = ordered(run_ward(data), words);
    const auto slow = reference::naive_windowed_ward(data.same, data.weights, data.window);
    ASSERT_EQ(fast.size(), slow.size());
    // A cost is a difference of numbers near 1 times a weight.
    const double weight =
        data.weights.empty() ? 1 : *std::max_element(data.weights.begin(), data.weights.end());
    for (std::size_t k = 0; k < slow.size(); ++k) {
      const double rounding = 1e-6 * weight + 1e-5 * slow[k].cost;
      const bool same = fast[k].left == slow[k].left && fast[k].right == slow[k].right;
      if (same) {
        ASSERT_NEAR(fast[k].cost, slow[k].cost, rounding);
        continue;
      }
      // The first difference must be a choice between two that float cannot tell apart.
      ASSERT_LT(slow[k].runner_up - slow[k].cost, rounding) << "case " << i << " merge " << k;
      break;
    }
  }
}

TEST(Ward, DoesNotDependOnThreads) {
  base::Rng rng(13);
  RandomCase<float> data = random_case<float>(rng, 3000);
  data.window = 600;
  const std::vector<WardMerge> one = run_ward(data, 1);
  for (const unsigned threads : {2u, 3u, 7u}) {
    const std::vector<WardMerge> many = run_ward(data, threads);
    ASSERT_EQ(one.size(), many.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      ASSERT_EQ(one[k].left, many[k].left);
      ASSERT_EQ(one[k].right, many[k].right);
      ASSERT_EQ(one[k].cost, many[k].cost);
    }
  }
}

TEST(Ward, OneWordHasNothingToMerge) {
  linalg::Matrix<float> vectors(1, 3);
  vectors.fill(0.5f);
  const auto merges = spectral::windowed_ward<float>({std::as_const(vectors).view(), {}, 4}, {});
  EXPECT_TRUE(merges.empty());
}

TEST(Ward, EqualVectorsMergeFirstAndForNothing) {
  linalg::Matrix<float> vectors(6, 2);
  for (std::size_t i = 0; i < 6; ++i) {
    vectors(i, 0) = i % 2 == 0 ? 1.0f : 0.0f;
    vectors(i, 1) = i % 2 == 0 ? 0.0f : 1.0f;
  }
  const auto merges = spectral::windowed_ward<float>({std::as_const(vectors).view(), {}, 6}, {});
  ASSERT_EQ(merges.size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(merges[i].cost, 0.0, 1e-6);
  EXPECT_NEAR(merges[4].cost, 1.5 * 2, 1e-5);
}

TEST(Ward, StopsOnRequest) {
  base::Rng rng(14);
  const RandomCase<float> data = random_case<float>(rng, 100);
  std::stop_source source;
  source.request_stop();
  RunOptions run;
  run.stop = source.get_token();
  EXPECT_THROW(spectral::windowed_ward<float>({data.vectors.view(), data.weights, data.window}, run),
               Cancelled);
}

}  // namespace
}  // namespace firth

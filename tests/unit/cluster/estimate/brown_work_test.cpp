#include "cluster/estimate/brown_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <unordered_map>
#include <vector>

#include "firth/cluster.hpp"
#include "firth/sample.hpp"
#include "reference/brown_corpus.hpp"

namespace firth::clusters {
namespace {

constexpr std::uint32_t kWords = 4000;

/// A text of a Brown model: the more tokens, the denser.
Counts drawn_counts(std::uint64_t tokens) {
  const BrownModel model({.words = kWords, .classes = 60}, 3);
  std::unordered_map<std::string, std::uint32_t> number;
  for (std::uint32_t word = 0; word < kWords; ++word) number[model.word(word)] = word;
  std::vector<std::uint32_t> text;
  model.sample(tokens, [&](std::string_view line) {
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = line.find_first_of(" \n", begin);
      text.push_back(number.at(std::string(line.substr(begin, end - begin))));
      begin = end + 1;
    }
  });
  base::Rng rng(1);
  return reference::counts_of(rng, text, {.words = kWords});
}

/// For every pair of the first `clusters`, the contexts among these that both have, on both sides.
double contexts_in_common(const PairCounts& pairs, std::size_t clusters) {
  std::vector<double> rows(clusters);
  std::vector<double> columns(clusters);
  pairs.for_each_pair([&](WordId left, WordId right, Count) {
    if (left >= clusters || right >= clusters) return;
    ++rows[left];
    ++columns[right];
  });
  double common = 0;
  for (std::size_t c = 0; c < clusters; ++c)
    common += (rows[c] * (rows[c] - 1) + columns[c] * (columns[c] - 1)) / 2;
  return common;
}

void expect_within(double told, double real, double factor) {
  EXPECT_LT(told, factor * real);
  EXPECT_GT(told, real / factor);
}

/// Sparse to dense: texts by their number of tokens.
class BrownWorkOf : public testing::TestWithParam<std::uint64_t> {
 protected:
  static constexpr ClassId kClusters = 100;
  const Counts counts_ = drawn_counts(GetParam());
  const BrownWork work_ = brown_work(counts_, kClusters);
};

TEST_P(BrownWorkOf, FirstWindowIsThatOfTheMostFrequentWords) {
  expect_within(work_.first_common, contexts_in_common(counts_.bigrams(), kClusters), 1.3);
}

// The classes have fewer neighbours than words put together at random: here, where the text has true classes, by far.
TEST_P(BrownWorkOf, LastWindowIsThatOfTheClassesThatAreMade) {
  const ClusterResult made = cluster(counts_, BrownOptions{.classes = kClusters});
  const PairCounts& classes = made.clustering.class_bigrams();
  const double common = contexts_in_common(classes, kClusters);
  EXPECT_GT(work_.last_common, common / 1.1);
  EXPECT_LT(work_.last_common, common * 6);
  const auto cells = static_cast<double>(classes.distinct());
  EXPECT_GT(work_.last_fill * kClusters * kClusters, cells / 1.1);
  EXPECT_LT(work_.last_fill * kClusters * kClusters, cells * 3);
}

/// No more than every neighbour of every word against every cluster.
TEST_P(BrownWorkOf, Lanes) {
  EXPECT_LT(work_.lanes, static_cast<double>(counts_.bigrams().distinct()) * kClusters);
  EXPECT_GT(work_.lanes, 0);
}

INSTANTIATE_TEST_SUITE_P(TextsOf, BrownWorkOf, testing::Values(20000, 100000, 600000));

/// CPU seconds of this process; the least of three runs.
double measured_seconds(const Counts& counts, ClassId classes) {
  RunOptions run;
  run.threads = 1;
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    cluster(counts, BrownOptions{.classes = classes}, run);
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

// How fast the machine and the build are cancels out. With K^3 alone, or with all pairs times K, one of the two is wrong by more
// than four.
TEST(BrownWork, TimeGrowsAsItDoesWithTheDensityAndTheClasses) {
  const Counts sparse = drawn_counts(30000);
  const Counts dense = drawn_counts(1000000);
  const double measured = measured_seconds(dense, 300);
  const double told = brown_seconds(dense, 301);
  expect_within(told / brown_seconds(sparse, 301), measured / measured_seconds(sparse, 300), 3);
  expect_within(told / brown_seconds(dense, 61), measured / measured_seconds(dense, 60), 3);
}

TEST(BrownWork, OfNothing) {
  EXPECT_EQ(brown_seconds(Counts(), 0), 0);
  const Counts counts = drawn_counts(20000);
  const std::size_t all = counts.vocabulary().size();
  EXPECT_EQ(brown_work(counts, all).lanes, 0) << "no word is left to enter";
  EXPECT_GT(brown_seconds(counts, all), 0);
}

}  // namespace
}  // namespace firth::clusters

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

#include "base/rng.hpp"
#include "cluster/merge_tree.hpp"
#include "firth/build_tree.hpp"
#include "firth/error.hpp"
#include "reference/brown_corpus.hpp"
#include "reference/naive_ami.hpp"
#include "reference/naive_tree.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

/// Random classes without gaps.
std::vector<ClassId> full_classes(base::Rng& rng, std::size_t words, ClassId classes) {
  std::vector<ClassId> result = reference::random_classes(rng, words, classes);
  for (ClassId c = 0; c < classes; ++c) result[words - 1 - c] = c;
  return result;
}

TEST(BuildTree, EqualsBruteForceOnRandomCounts) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    base::Rng rng(seed);
    const std::size_t words = 6 + rng.below(16);
    const Counts counts = reference::random_counts(rng, words, 1 + rng.below(300));
    const auto classes =
        full_classes(rng, words, static_cast<ClassId>(1 + rng.below(std::min<std::size_t>(words, 9))));
    EXPECT_EQ(build_tree(counts, classes, {.threads = 1}), reference::naive_tree(counts, classes))
        << "seed " << seed;
  }
}

TEST(BuildTree, EqualsBruteForceWhenMostPairsStayAsTheyAre) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    base::Rng rng(seed);
    const std::size_t words = 24 + rng.below(24);
    const Counts counts = reference::random_counts(rng, words, words / 2 + rng.below(words));
    const auto classes = full_classes(rng, words, static_cast<ClassId>(words - rng.below(4)));
    EXPECT_EQ(build_tree(counts, classes, {.threads = 1}), reference::naive_tree(counts, classes))
        << "seed " << seed;
  }
}

TEST(BuildTree, EqualsBruteForceUpToTheLargestCounts) {
  constexpr Count kLargest = std::numeric_limits<std::int64_t>::max();
  const std::array<Count, 5> totals = {Count{1} << 53, Count{1} << 57, Count{1} << 58, Count{1} << 62,
                                       kLargest};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    base::Rng rng(seed);
    const auto tokens = 10 + static_cast<std::uint32_t>(rng.below(100));
    const Counts counts = reference::skewed_counts(
        rng, {.words = 12, .tokens = tokens, .repeats = totals[seed % totals.size()] / tokens});
    const std::size_t words = counts.vocabulary().size();
    const auto classes = full_classes(rng, words, static_cast<ClassId>(std::min<std::size_t>(words, 5)));
    const MergeTree tree = build_tree(counts, classes, {.threads = 1});
    EXPECT_EQ(tree, reference::naive_tree(counts, classes)) << "seed " << seed;
    for (std::size_t merges = 1; merges <= tree.merges.size(); ++merges) {
      const auto nodes = clusters::nodes_after(tree, merges);
      std::vector<ClassId> merged;
      for (const ClassId c : classes) merged.push_back(nodes[c]);
      EXPECT_NEAR(tree.merges[merges - 1].ami_bits, reference::naive_ami(counts, merged, AmiNorm::bigrams),
                  1e-9);
    }
  }
}

TEST(BuildTree, LeavesOutWordsWithoutAClass) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    base::Rng rng(seed);
    const Counts counts = reference::random_counts(rng, 14, 200);
    auto classes = full_classes(rng, 14, 5);
    classes[0] = classes[3] = kNoClass;
    EXPECT_EQ(build_tree(counts, classes, {.threads = 1}), reference::naive_tree(counts, classes))
        << "seed " << seed;
  }
}

TEST(BuildTree, DoesNotDependOnThreads) {
  base::Rng rng(7);
  const Counts counts = reference::random_counts(rng, 300, 6000);
  const auto classes = full_classes(rng, 300, 60);
  const MergeTree one = build_tree(counts, classes, {.threads = 1});
  EXPECT_EQ(one, build_tree(counts, classes, {.threads = 2}));
  EXPECT_EQ(one, build_tree(counts, classes, {.threads = 4}));
}

TEST(BuildTree, SaysWhatIsWrong) {
  base::Rng rng(1);
  const Counts counts = reference::random_counts(rng, 4, 20);
  const std::vector<ClassId> gap = {0, 2, 2, 0};
  EXPECT_THROW(build_tree(counts, gap, {}), UsageError);
  const std::vector<ClassId> short_list = {0, 0};
  EXPECT_THROW(build_tree(counts, short_list, {}), UsageError);
  const std::vector<ClassId> fine = {0, 1, 2, 3};
  EXPECT_THROW(build_tree(counts, fine, {.memory_bytes = 100}), ResourceError);
  EXPECT_TRUE(build_tree(counts, std::vector<ClassId>(4, 0), {}).merges.empty());
}

}  // namespace
}  // namespace firth

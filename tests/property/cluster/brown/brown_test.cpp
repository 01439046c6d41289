// Brown clustering against its slow twin on random corpora: every merge must be the same.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "firth/brown.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "reference/brown_corpus.hpp"
#include "reference/naive_ami.hpp"
#include "reference/naive_brown.hpp"

namespace firth {
namespace {

using reference::skewed_counts;

BrownOptions random_options(base::Rng& rng, std::uint32_t words) {
  BrownOptions options;
  options.classes = static_cast<ClassId>(1 + rng.below(words));
  options.marginals = rng.below(2) == 0 ? BrownMarginals::bigram : BrownMarginals::unigram;
  const auto variant = rng.below(5);
  if (variant == 3) options.variant = BrownVariant::allsame;
  if (variant == 4) {
    options.variant = BrownVariant::resort;
    options.resort_every = 1 + rng.below(4);
    options.resort_by = static_cast<ResortBy>(rng.below(3));
  }
  if (options.variant != BrownVariant::allsame && rng.below(3) == 0)
    options.window = rng.below(4) == 0 ? kWholeVocabulary : options.classes + 1 + rng.below(words);
  if (rng.below(4) == 0)
    for (WordId word = 0; word < words; word += 1 + static_cast<WordId>(rng.below(4)))
      options.order.insert(
          options.order.begin() + static_cast<std::ptrdiff_t>(rng.below(options.order.size() + 1)), word);
  options.check_every = rng.below(3) == 0 ? 1 : 0;
  return options;
}

void expect_same(const Counts& counts, const BrownOptions& options) {
  const auto expected = reference::naive_brown(counts, options);
  const ClusterResult result = cluster_brown(counts, options, {.threads = 1});
  const auto& merges = result.clustering.tree()->merges;
  ASSERT_EQ(merges.size(), expected.merges.size());
  for (std::size_t i = 0; i < merges.size(); ++i) {
    ASSERT_EQ(merges[i].left, expected.merges[i].left) << "merge " << i;
    ASSERT_EQ(merges[i].right, expected.merges[i].right) << "merge " << i;
    ASSERT_EQ(merges[i].ami_bits, expected.merges[i].ami_bits) << "merge " << i;
  }
}

std::string describe(const Counts& counts, const BrownOptions& options) {
  return testing::PrintToString(counts.vocabulary().size()) + " words, " + std::to_string(options.classes) +
         " classes, window " + std::to_string(options.window) + ", variant " +
         std::to_string(static_cast<int>(options.variant)) + ", marginals " +
         std::to_string(static_cast<int>(options.marginals)) + ", order " +
         std::to_string(options.order.size());
}

TEST(BrownProperty, SameMergesAsTheSlowTwin) {
  base::Rng rng(7);
  for (int round = 0; round < 2000; ++round) {
    const Counts counts = skewed_counts(rng, {.words = 2 + static_cast<std::uint32_t>(rng.below(11)),
                                              .tokens = 2 + static_cast<std::uint32_t>(rng.below(120)),
                                              .self = rng.below(3) == 0 ? 0.4 : 0.0,
                                              .flat = rng.below(3) == 0});
    const auto words = static_cast<std::uint32_t>(counts.vocabulary().size());
    const BrownOptions options = random_options(rng, words);
    SCOPED_TRACE(std::to_string(round) + ": " + describe(counts, options));
    ASSERT_NO_FATAL_FAILURE(expect_same(counts, options));
  }
}

TEST(BrownProperty, SameMergesAsTheSlowTwinWithMoreWords) {
  base::Rng rng(8);
  for (int round = 0; round < 30; ++round) {
    const Counts counts = skewed_counts(rng, {.words = 20 + static_cast<std::uint32_t>(rng.below(12)),
                                              .tokens = 200 + static_cast<std::uint32_t>(rng.below(1500)),
                                              .self = rng.below(2) == 0 ? 0.2 : 0.0});
    const BrownOptions options = random_options(rng, static_cast<std::uint32_t>(counts.vocabulary().size()));
    SCOPED_TRACE(std::to_string(round) + ": " + describe(counts, options));
    ASSERT_NO_FATAL_FAILURE(expect_same(counts, options));
  }
}

// Groups of dozens of words: most merges are an immigrant's.
TEST(BrownProperty, SameMergesAsTheSlowTwinWithLargeGroups) {
  base::Rng rng(10);
  for (int round = 0; round < 300; ++round) {
    const Counts counts = skewed_counts(rng, {.words = 30 + static_cast<std::uint32_t>(rng.below(30)),
                                              .tokens = 60 + static_cast<std::uint32_t>(rng.below(300)),
                                              .self = rng.below(2) == 0 ? 0.3 : 0.0});
    BrownOptions options;
    options.classes = static_cast<ClassId>(2 + rng.below(6));
    options.variant = BrownVariant::allsame;
    options.marginals = rng.below(2) == 0 ? BrownMarginals::bigram : BrownMarginals::unigram;
    options.check_every = 1;
    SCOPED_TRACE(std::to_string(round) + ": " + describe(counts, options));
    ASSERT_NO_FATAL_FAILURE(expect_same(counts, options));
  }
}

void expect_least_merges(std::uint64_t seed) {
  base::Rng rng(seed);
  const auto words = 40 + static_cast<std::uint32_t>(rng.below(60));
  const Counts counts = skewed_counts(rng, {.words = words,
                                            .tokens = words + static_cast<std::uint32_t>(rng.below(words)),
                                            .self = seed % 8 == 0 ? 0.2 : 0.0,
                                            .flat = seed % 4 != 3});
  BrownOptions options;
  options.classes = 1;
  options.window = seed % 3 != 0 ? kWholeVocabulary : 20 + rng.below(20);
  options.marginals = seed % 5 == 0 ? BrownMarginals::unigram : BrownMarginals::bigram;
  options.check_every = 1 + rng.below(5);
  ASSERT_NO_THROW(cluster_brown(counts, options, {.threads = 1})) << "seed " << seed;
}

// Many words seen once, many ties: the check looks at all pairs.
TEST(BrownProperty, EveryMergeIsTheLeastWithoutAWindow) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) ASSERT_NO_FATAL_FAILURE(expect_least_merges(seed));
}

// Of 90,000 seeds, those where a pair must be told to both of its rows when both are searched together.
TEST(BrownProperty, BothRowsOfAPairLearnOfIt) {
  for (const std::uint64_t seed : {29523U, 37125U, 41547U, 59805U, 68310U, 81359U})
    ASSERT_NO_FATAL_FAILURE(expect_least_merges(seed));
}

// Words of one frequency that differ in how many of their neighbours are inside: more kinds of them than are
// told apart. The check compares every loss with its evaluation after every merge.
TEST(BrownProperty, EveryLossOfManyKindsOfWordsIsRight) {
  base::Rng rng(13);
  std::vector<std::uint32_t> text;
  std::uint32_t words = 0;
  const auto add = [&](std::uint32_t different, std::uint32_t times) {
    for (; different > 0; --different, ++words) text.insert(text.end(), times, words);
  };
  for (std::uint32_t frequent = 1; frequent <= 8; ++frequent) add(1, 100 * frequent);
  add(500, 40);
  add(2000, 1);
  for (std::size_t i = text.size(); i > 1; --i) std::swap(text[i - 1], text[rng.below(i)]);
  const Counts counts = reference::counts_of(rng, text, {.words = words});
  for (const BrownMarginals marginals : {BrownMarginals::bigram, BrownMarginals::unigram}) {
    BrownOptions options{.classes = 8, .variant = BrownVariant::allsame, .marginals = marginals};
    options.check_every = 25;
    EXPECT_NO_THROW(cluster_brown(counts, options, {.threads = 1}));
  }
}

// Counts that do not fit 32 bits take another path through the same code.
TEST(BrownProperty, SameMergesAsTheSlowTwinWithHugeCounts) {
  base::Rng rng(9);
  for (int round = 0; round < 15; ++round) {
    const Counts counts = skewed_counts(rng, {.words = 4 + static_cast<std::uint32_t>(rng.below(8)),
                                              .tokens = 10 + static_cast<std::uint32_t>(rng.below(100)),
                                              .repeats = (Count{1} << 33) + rng.below(1000)});
    const BrownOptions options = random_options(rng, static_cast<std::uint32_t>(counts.vocabulary().size()));
    SCOPED_TRACE(std::to_string(round) + ": " + describe(counts, options));
    ASSERT_NO_FATAL_FAILURE(expect_same(counts, options));
  }
}

// Counts up to the largest that a file may hold: sums keep below 2^63, and the result is really that good.
TEST(BrownProperty, SameMergesAsTheSlowTwinUpToTheLargestCounts) {
  base::Rng rng(14);
  constexpr Count kLargest = std::numeric_limits<std::int64_t>::max();
  for (int round = 0; round < 120; ++round) {
    const std::array<Count, 5> totals = {Count{1} << 53, Count{1} << 57, Count{1} << 58, Count{1} << 62,
                                         kLargest};
    const auto tokens = 10 + static_cast<std::uint32_t>(rng.below(100));
    const Counts counts =
        skewed_counts(rng, {.words = 4 + static_cast<std::uint32_t>(rng.below(8)),
                            .tokens = tokens,
                            .flat = rng.below(2) == 0,
                            .repeats = totals[static_cast<std::size_t>(round) % totals.size()] / tokens});
    const BrownOptions options = random_options(rng, static_cast<std::uint32_t>(counts.vocabulary().size()));
    SCOPED_TRACE(std::to_string(round) + ": " + describe(counts, options));
    ASSERT_NO_FATAL_FAILURE(expect_same(counts, options));
    const ClusterResult result = cluster_brown(counts, options, {.threads = 1});
    const AmiNorm norm = options.marginals == BrownMarginals::bigram ? AmiNorm::bigrams : AmiNorm::unigram;
    ASSERT_NEAR(result.ami_bits, reference::naive_ami(counts, result.clustering.classes(), norm), 1e-9);
  }
}

// Two words of one class always come before two of the other: 1 bit, whatever the counts.
TEST(BrownProperty, FindsTheObviousClassesAtAnyScale) {
  for (const Count n :
       {Count{1}, Count{1} << 20, Count{1} << 54, Count{1} << 55, Count{1} << 59, (Count{1} << 60) - 1}) {
    const Counts counts(
        Vocabulary::from_words({{"a", 4}, {"b", 3}, {"c", 2}, {"d", 1}}),
        PairCounts::from_pairs(
            4, {{0, 1, n}, {0, 3, n}, {2, 1, n}, {2, 3, n}, {1, 0, n}, {1, 2, n}, {3, 0, n}, {3, 2, n}}),
        {});
    for (const BrownVariant variant : {BrownVariant::plain, BrownVariant::allsame, BrownVariant::resort}) {
      const ClusterResult result = cluster_brown(counts, {.classes = 2, .variant = variant}, {});
      EXPECT_NEAR(result.ami_bits, 1, 1e-12) << n;
    }
  }
}

TEST(BrownProperty, UnigramMarginalsBeyondTheRangeAreRefused) {
  const Count n = (Count{1} << 62) - 1;
  const Counts counts(Vocabulary::from_words({{"a", n}, {"b", n}, {"c", 1}}),
                      PairCounts::from_pairs(3, {{0, 2, n}, {2, 1, n}}), {});
  EXPECT_NO_THROW(cluster_brown(counts, {.classes = 2}, {}));
  EXPECT_THROW(cluster_brown(counts, {.classes = 2, .marginals = BrownMarginals::unigram}, {}), InputError);
}

// More slots than one block of lanes, many merges, every variant: no number of threads changes a byte.
TEST(BrownProperty, SameMergesForAnyNumberOfThreads) {
  base::Rng rng(10);
  for (int round = 0; round < 12; ++round) {
    const Counts counts =
        skewed_counts(rng, {.words = 600, .tokens = 12000, .self = 0.05, .flat = round % 4 == 3});
    BrownOptions options;
    options.classes = static_cast<ClassId>(20 + rng.below(150));
    options.variant = static_cast<BrownVariant>(round % 3);
    options.marginals = round % 2 == 0 ? BrownMarginals::bigram : BrownMarginals::unigram;
    options.resort_every = 10;
    options.check_every = 50;
    const ClusterResult one = cluster_brown(counts, options, {.threads = 1});
    for (const unsigned threads : {2U, 3U}) {
      const ClusterResult many = cluster_brown(counts, options, {.threads = threads});
      ASSERT_EQ(*one.clustering.tree(), *many.clustering.tree()) << "round " << round << ", " << threads;
    }
  }
}

// Rare words with a few neighbours each are scored several at a time, ahead of their turn.
TEST(BrownProperty, SameMergesWhenRareWordsAreScoredAhead) {
  base::Rng rng(11);
  for (int round = 0; round < 10; ++round) {
    const Counts counts =
        skewed_counts(rng, {.words = 2500, .tokens = 15000, .self = round % 2 * 0.1, .flat = round % 5 == 4});
    BrownOptions options;
    options.classes = static_cast<ClassId>(16 + rng.below(200));
    options.marginals = round % 3 == 0 ? BrownMarginals::unigram : BrownMarginals::bigram;
    options.check_every = 500;
    const ClusterResult one = cluster_brown(counts, options, {.threads = 1});
    const ClusterResult two = cluster_brown(counts, options, {.threads = 2});
    ASSERT_EQ(*one.clustering.tree(), *two.clustering.tree()) << "round " << round;
  }
}

// Words that meet dozens of clusters: their contexts are shared out among the threads.
TEST(BrownProperty, SameMergesWhenContextsAreSharedOut) {
  base::Rng rng(12);
  for (int round = 0; round < 6; ++round) {
    const Counts counts = skewed_counts(rng, {.words = 500, .tokens = 60000, .self = 0.05, .flat = true});
    BrownOptions options;
    options.classes = static_cast<ClassId>(150 + rng.below(100));
    options.marginals = round % 2 == 0 ? BrownMarginals::bigram : BrownMarginals::unigram;
    const ClusterResult one = cluster_brown(counts, options, {.threads = 1});
    for (const unsigned threads : {2U, 3U}) {
      const ClusterResult many = cluster_brown(counts, options, {.threads = threads});
      ASSERT_EQ(*one.clustering.tree(), *many.clustering.tree()) << "round " << round << ", " << threads;
    }
  }
}

}  // namespace
}  // namespace firth

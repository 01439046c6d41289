// The number of classes: found where it is known, the same for any number of threads, refused where there is nothing to go by.
#include "firth/choose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "base/rng.hpp"
#include "cluster/choose/held_out.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

/// Pairs of a model with `classes` classes of `size` words each: class c is followed by c + 1, c + 2 or c + 5.
Counts planted(ClassId classes, WordId size, Count repeat) {
  std::vector<std::pair<std::string, Count>> words;
  for (WordId word = 0; word < classes * size; ++word)
    words.emplace_back("w" + std::to_string(1000 + word), 1000);
  std::vector<PairCount> pairs;
  for (ClassId c = 0; c < classes; ++c) {
    for (const ClassId step : {1U, 2U, 5U}) {
      for (WordId i = 0; i < size; ++i) {
        for (WordId j = 0; j < size; ++j) {
          const WordId left = c * size + i;
          const WordId right = (c + step) % classes * size + j;
          pairs.push_back({left, right, repeat * (step == 5 ? 1 : 2) + (i * 7 + j * 3 + c) % 2});
        }
      }
    }
  }
  CountsInfo info;
  info.tokens = 1000 * classes * size;
  return {Vocabulary::from_words(std::move(words)), PairCounts::from_pairs(classes * size, std::move(pairs)),
          info};
}

TEST(ChooseClasses, FindsPlantedClasses) {
  const ClassChoice choice = choose_classes(planted(12, 8, 6));
  EXPECT_EQ(choice.classes, 12u);
  EXPECT_FALSE(choice.at_limit);
  EXPECT_EQ(choice.smallest_within(0), 12u);
  EXPECT_LT(choice.smallest_within(0.5), 12u);
}

TEST(ChooseClasses, DoesNotDependOnThreads) {
  const Counts counts = planted(6, 6, 3);
  const ClassChoice one = choose_classes(counts, {}, {.threads = 1});
  const ClassChoice two = choose_classes(counts, {}, {.threads = 2});
  ASSERT_EQ(one.cuts.size(), two.cuts.size());
  for (std::size_t i = 0; i < one.cuts.size(); ++i) EXPECT_EQ(one.cuts[i].perplexity, two.cuts[i].perplexity);
  EXPECT_EQ(one.classes, two.classes);
}

TEST(ChooseClasses, FindsThemByAnotherText) {
  const ClassChoice choice = choose_classes_for(planted(12, 8, 6), planted(12, 8, 2));
  EXPECT_EQ(choice.classes, 12u);
  EXPECT_EQ(choice.held_out, planted(12, 8, 2).bigrams().total());
  EXPECT_THROW((void)choose_classes_for(planted(2, 2, 1), Counts()), Error);
}

/// Lines of a model with `classes` classes of 8 words: class c is followed by c + 1, c + 2 or c + 5.
std::string planted_lines(ClassId classes, int lines) {
  base::Rng random(3);
  std::string text;
  for (int line = 0; line < lines; ++line) {
    auto c = static_cast<ClassId>(random.below(classes));
    for (int i = 0; i < 12; ++i) {
      text += "w" + std::to_string(100 * c + random.below(8)) + (i == 11 ? "\n" : " ");
      constexpr std::array<ClassId, 3> kSteps = {1, 2, 5};
      c = (c + kSteps[random.below(3)]) % classes;
    }
  }
  return text;
}

TEST(ChooseClasses, FindsThemByBlocksOfTheText) {
  const Counts counts = read_counts(Inputs::from_text(planted_lines(12, 1500)), {.held_out_share = 0.1});
  const ClassChoice choice = choose_classes(counts);
  EXPECT_EQ(choice.judge, HeldOutKind::blocks);
  EXPECT_EQ(choice.held_out, counts.held_out().total());
  EXPECT_EQ(choice.classes, 12u);
  EXPECT_FALSE(choice.at_limit);
}

TEST(ChooseClasses, DrawsPairsWhereBlocksAreTooFew) {
  const Counts counts = read_counts(Inputs::from_text(planted_lines(3, 60)), {.held_out_share = 0.1});
  EXPECT_GT(counts.held_out().total(), 0u);
  EXPECT_EQ(choose_classes(counts).judge, HeldOutKind::pairs);
}

/// A text that says the same again and again is predicted best with a class for every word.
TEST(ChooseClasses, TakesNoMoreThanTheSquareRootOfThePairs) {
  std::string verse;
  for (int word = 0; word < 400; ++word)
    verse += "w" + std::to_string(word * 7919 % 400) + (word % 10 == 9 ? "\n" : " ");
  std::string text;
  for (int i = 0; i < 30; ++i) text += verse;
  const Counts counts = read_counts(Inputs::from_text(text), {.held_out_share = 0.1});
  const ClassChoice choice = choose_classes(counts);
  EXPECT_LE(choice.classes * choice.classes, counts.bigrams().total());
  EXPECT_TRUE(choice.at_limit);
  EXPECT_GT(choose_classes(counts, {.max_classes = 400}).classes, choice.classes);
}

TEST(ChooseClasses, KeepsTheLimit) {
  const ClassChoice choice = choose_classes(planted(12, 8, 6), {.max_classes = 5});
  EXPECT_LE(choice.classes, 5u);
  EXPECT_TRUE(choice.at_limit);
}

TEST(ChooseClasses, RefusesWhatHasNoAnswer) {
  EXPECT_THROW((void)choose_classes(Counts()), Error);
  EXPECT_THROW((void)choose_classes(planted(2, 2, 1), {.held_out = 0}), UsageError);
  EXPECT_THROW((void)choose_classes(planted(2, 2, 1), {.held_out = 1}), UsageError);
}

TEST(SplitPairs, LosesNothing) {
  const Counts counts = planted(6, 6, 400);
  const clusters::SplitPairs split = clusters::split_pairs(counts, 0.1, 1);
  EXPECT_EQ(split.train.bigrams().total() + split.held_out.total(), counts.bigrams().total());
  const double share =
      static_cast<double>(split.held_out.total()) / static_cast<double>(counts.bigrams().total());
  EXPECT_NEAR(share, 0.1, 0.005);
}

TEST(SplitBlocks, LosesNothing) {
  const Counts counts = read_counts(Inputs::from_text(planted_lines(4, 300)), {.held_out_share = 0.2});
  const clusters::SplitPairs split = clusters::split_blocks(counts);
  std::vector<PairCount> both;
  const auto add = [&](WordId left, WordId right, Count count) { both.push_back({left, right, count}); };
  split.train.bigrams().for_each_pair(add);
  split.held_out.for_each_pair(add);
  const PairCounts sum = PairCounts::from_pairs(counts.vocabulary().size(), both);
  EXPECT_TRUE(std::ranges::equal(sum.rights(), counts.bigrams().rights()));
  EXPECT_TRUE(std::ranges::equal(sum.counts(), counts.bigrams().counts()));
  EXPECT_GT(split.held_out.total(), 0u);
}

/// The slow twin: probabilities from their definition, pair by pair.
double naive_perplexity(const clusters::SplitPairs& pairs, const std::vector<ClassId>& classes) {
  std::map<std::pair<ClassId, ClassId>, double> joint;
  std::map<ClassId, double> lefts;
  std::map<ClassId, double> rights;
  std::map<WordId, double> seconds;
  std::map<WordId, double> firsts;
  double total = 0;
  pairs.train.bigrams().for_each_pair([&](WordId a, WordId b, Count count) {
    const auto n = static_cast<double>(count);
    joint[{classes[a], classes[b]}] += n;
    lefts[classes[a]] += n;
    rights[classes[b]] += n;
    firsts[a] += n;
    seconds[b] += n;
    total += n;
  });
  double once = 1;
  double twice = 0.5;
  std::map<ClassId, double> followers;
  for (const auto& [pair, n] : joint) {
    once += n == 1 ? 1 : 0;
    twice += n == 2 ? 1 : 0;
    followers[pair.first] += 1;
  }
  const double discount = once / (once + 2 * twice);
  double bits = 0;
  double count_of = 0;
  pairs.held_out.for_each_pair([&](WordId a, WordId b, Count count) {
    if (firsts[a] == 0 || seconds[b] == 0) return;
    const ClassId c = classes[a];
    const ClassId d = classes[b];
    const double n = joint.contains({c, d}) ? joint[{c, d}] - discount : 0;
    const double p = n / lefts[c] + discount * followers[c] / lefts[c] * rights[d] / total;
    bits += static_cast<double>(count) * std::log2(p * seconds[b] / rights[d]);
    count_of += static_cast<double>(count);
  });
  return std::exp2(-bits / count_of);
}

TEST(HeldOutScorer, EqualsItsDefinition) {
  const Counts counts = planted(5, 4, 2);
  const clusters::SplitPairs split = clusters::split_pairs(counts, 0.3, 3);
  std::vector<ClassId> fine(20);
  for (WordId word = 0; word < 20; ++word) fine[word] = word % 10;
  const clusters::HeldOutScorer scorer(split, fine, 10);
  for (const ClassId k : {1u, 3u, 10u}) {
    std::vector<ClassId> merged(10);
    for (ClassId c = 0; c < 10; ++c) merged[c] = c % k;
    std::vector<ClassId> classes(20);
    for (WordId word = 0; word < 20; ++word) classes[word] = merged[fine[word]];
    EXPECT_NEAR(scorer.perplexity(merged, k), naive_perplexity(split, classes), 1e-9) << k;
  }
}

}  // namespace
}  // namespace firth

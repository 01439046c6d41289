// Classes of limited size: limits are kept, no swap lowers the objective, and small cases are near the best of all
// partitions of that shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/rng.hpp"
#include "cluster/balance/balancer.hpp"
#include "cluster/exchange/balance_state.hpp"
#include "cluster/exchange/search_context.hpp"
#include "firth/auto.hpp"
#include "firth/class_sizes.hpp"
#include "firth/cluster_vectors.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"
#include "firth/spectral.hpp"
#include "reference/naive_ami.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

std::vector<std::uint64_t> sizes_of(const Clustering& clustering, SizeUnit unit) {
  std::vector<std::uint64_t> sizes(clustering.class_count(), 0);
  for (WordId word = 0; word < clustering.word_count(); ++word)
    sizes[clustering.class_of(word)] += unit == SizeUnit::words ? 1 : clustering.vocabulary().count(word);
  return sizes;
}

std::uint64_t largest(const std::vector<std::uint64_t>& sizes) {
  return *std::max_element(sizes.begin(), sizes.end());
}

std::uint64_t smallest(const std::vector<std::uint64_t>& sizes) {
  return *std::min_element(sizes.begin(), sizes.end());
}

TEST(Balance, NoClassIsLargerThanAllowed) {
  base::Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    const std::size_t words = 10 + rng.below(60);
    const Counts counts = reference::random_counts(rng, words, 400 + rng.below(2000));
    const auto classes = static_cast<ClassId>(2 + rng.below(8));
    const std::uint64_t least = (words + classes - 1) / classes;
    const ClassSizes sizes = {.max = least + rng.below(4)};
    const auto exchange = cluster_exchange(counts, {.classes = classes, .sizes = sizes});
    const auto search =
        cluster_auto(counts, {.classes = classes, .effort = SearchEffort::fast, .sizes = sizes});
    for (const ClusterResult& result : {exchange, search}) {
      EXPECT_EQ(result.clustering.class_count(), classes);
      EXPECT_LE(largest(sizes_of(result.clustering, SizeUnit::words)), sizes.max);
      ASSERT_TRUE(result.free_ami_bits.has_value());
      const double ami = reference::naive_ami(counts, result.clustering.classes(), AmiNorm::bigrams);
      EXPECT_NEAR(result.ami_bits, ami, 1e-9);
      EXPECT_TRUE(result.clustering.tree().has_value());
    }
  }
}

TEST(Balance, EqualSizesDifferByOneAtMost) {
  base::Rng rng(2);
  for (int round = 0; round < 60; ++round) {
    const std::size_t words = 10 + rng.below(60);
    const Counts counts = reference::random_counts(rng, words, 400 + rng.below(2000));
    const auto classes = static_cast<ClassId>(2 + rng.below(8));
    const ClassSizes equal = {.equal = true};
    const auto exchange = cluster_exchange(counts, {.classes = classes, .sizes = equal});
    const auto sizes = sizes_of(exchange.clustering, SizeUnit::words);
    EXPECT_LE(largest(sizes) - smallest(sizes), 1u);
    SpectralOptions spectral{.classes = classes, .context = {-1, 1}, .sizes = equal};
    const auto result = cluster_spectral(counts, spectral);
    const auto spectral_sizes = sizes_of(result.clustering, SizeUnit::words);
    EXPECT_LE(largest(spectral_sizes) - smallest(spectral_sizes), 1u);
    EXPECT_NEAR(result.ami_bits, reference::naive_ami(counts, result.clustering.classes(), AmiNorm::bigrams),
                1e-9);
  }
}

TEST(Balance, EqualTokensDifferByOneWhereWordsAreSmallEnough) {
  base::Rng rng(3);
  for (int round = 0; round < 40; ++round) {
    // Many words seen once or twice fill every gap.
    std::vector<std::pair<std::string, Count>> words;
    std::vector<PairCount> pairs;
    for (int i = 0; i < 120; ++i)
      words.emplace_back("w" + std::to_string(i), 1 + (i < 20 ? rng.below(12) : rng.below(2)));
    const Vocabulary vocabulary = Vocabulary::from_words(words);
    for (int i = 0; i < 400; ++i)
      pairs.push_back({static_cast<WordId>(rng.below(120)), static_cast<WordId>(rng.below(120)), 1});
    const Counts counts(vocabulary, PairCounts::from_pairs(120, std::move(pairs)),
                        {.tokens = 400, .sequences = 1});
    const auto classes = static_cast<ClassId>(3 + rng.below(6));
    const auto result =
        cluster_exchange(counts, {.classes = classes, .sizes = {.equal = true, .unit = SizeUnit::tokens}});
    const auto sizes = sizes_of(result.clustering, SizeUnit::tokens);
    EXPECT_LE(largest(sizes) - smallest(sizes), 1u) << round;
  }
}

TEST(Balance, AWordLargerThanTheAverageHasAClassOfItsOwn) {
  std::vector<std::pair<std::string, Count>> words = {{"the", 1000}};
  std::vector<PairCount> pairs;
  for (int i = 0; i < 40; ++i) words.emplace_back("w" + std::to_string(i), 2);
  base::Rng rng(4);
  for (int i = 0; i < 300; ++i)
    pairs.push_back({static_cast<WordId>(rng.below(41)), static_cast<WordId>(rng.below(41)), 1});
  const Counts counts(Vocabulary::from_words(words), PairCounts::from_pairs(41, std::move(pairs)),
                      {.tokens = 1080, .sequences = 1});
  const auto result =
      cluster_exchange(counts, {.classes = 5, .sizes = {.equal = true, .unit = SizeUnit::tokens}});
  auto sizes = sizes_of(result.clustering, SizeUnit::tokens);
  std::sort(sizes.begin(), sizes.end());
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{20, 20, 20, 20, 1000}));
}

TEST(Balance, WordsAlmostAsLargeAsAClassFindOne) {
  base::Rng rng(9);
  for (int round = 0; round < 5; ++round) {
    constexpr WordId kWords = 600;
    constexpr ClassId kClasses = 24;
    std::vector<std::pair<std::string, Count>> words;
    Count tokens = 0;
    for (WordId i = 0; i < kWords; ++i) {
      words.emplace_back("w" + std::to_string(1000 + i), 2000 / (i + 1 + rng.below(3)) + 1);
      tokens += words.back().second;
    }
    std::vector<PairCount> pairs;
    for (int i = 0; i < 4000; ++i)
      pairs.push_back({static_cast<WordId>(rng.below(kWords)), static_cast<WordId>(rng.below(kWords)), 1});
    const Counts counts(Vocabulary::from_words(words), PairCounts::from_pairs(kWords, std::move(pairs)),
                        {.tokens = tokens, .sequences = 1});
    const auto result =
        cluster_exchange(counts, {.classes = kClasses, .sizes = {.equal = true, .unit = SizeUnit::tokens}});
    const auto members = sizes_of(result.clustering, SizeUnit::words);
    const auto sizes = sizes_of(result.clustering, SizeUnit::tokens);
    std::vector<std::uint64_t> shared;
    for (ClassId c = 0; c < kClasses; ++c)
      if (members[c] > 1) shared.push_back(sizes[c]);
    const auto [low, high] = std::minmax_element(shared.begin(), shared.end());
    EXPECT_LE(*high - *low, 1u) << "round " << round;  // though the smallest words have 4 tokens
    EXPECT_GT(shared.size(), 10u);
  }
}

/// Highest AMI of all partitions of a few words into two classes of the same size.
double best_halves(const Counts& counts) {
  const std::size_t words = counts.vocabulary().size();
  double best = 0;
  for (std::uint32_t mask = 0; mask < 1u << words; ++mask) {
    if (static_cast<std::size_t>(__builtin_popcount(mask)) != words / 2) continue;
    std::vector<ClassId> classes;
    for (std::size_t i = 0; i < words; ++i) classes.push_back(mask >> i & 1);
    best = std::max(best, reference::naive_ami(counts, classes, AmiNorm::bigrams));
  }
  return best;
}

TEST(Balance, IsNearTheBestPartitionOfThatShape) {
  base::Rng rng(5);
  double lost = 0;
  constexpr int kRounds = 30;
  for (int round = 0; round < kRounds; ++round) {
    const Counts counts = reference::random_counts(rng, 10, 300);
    const double best = best_halves(counts);
    const auto result = cluster_auto(counts, {.classes = 2, .sizes = {.equal = true}});
    EXPECT_LE(result.ami_bits, best + 1e-9);
    lost += (best - result.ami_bits) / best;
  }
  EXPECT_LT(lost / kRounds, 0.15);
}

/// A model that says what it was asked, to check the rules of the balancer.
class CheckedModel : public balance::BalanceModel {
 public:
  CheckedModel(base::Rng& rng, std::size_t units, ClassId classes)
      : classes_(classes),
        class_of_(reference::random_classes(rng, units, classes)),
        value_(units * classes) {
    for (double& value : value_) value = rng.uniform();
  }
  std::span<const ClassId> class_of() const override { return class_of_; }
  void gains(std::size_t unit, unsigned, std::span<float> result) override {
    for (ClassId c = 0; c < classes_; ++c)
      result[c] = static_cast<float>(value(unit, c) - value(unit, class_of_[unit]));
  }
  bool fixed(std::size_t) const override { return false; }
  bool allows(std::size_t, ClassId) const override { return true; }
  void move(std::size_t unit, ClassId target) override { class_of_[unit] = target; }
  bool move_if_better(std::size_t unit, ClassId target) override {
    if (value(unit, target) <= value(unit, class_of_[unit])) return false;
    class_of_[unit] = target;
    return true;
  }
  bool swap_if_better(std::size_t unit, std::size_t other) override {
    const double before = objective();
    std::swap(class_of_[unit], class_of_[other]);
    if (objective() > before) return true;
    std::swap(class_of_[unit], class_of_[other]);
    return false;
  }
  double objective() const {
    double sum = 0;
    for (std::size_t unit = 0; unit < class_of_.size(); ++unit) sum += value(unit, class_of_[unit]);
    return sum;
  }

 private:
  double value(std::size_t unit, ClassId c) const { return value_[unit * classes_ + c]; }
  ClassId classes_;
  std::vector<ClassId> class_of_;
  std::vector<double> value_;
};

TEST(Balance, PassesKeepTheLimitsAndNeverLowerTheObjective) {
  base::Rng rng(6);
  for (int round = 0; round < 100; ++round) {
    const std::size_t units = 5 + rng.below(60);
    const auto classes = static_cast<ClassId>(2 + rng.below(6));
    CheckedModel model(rng, units, classes);
    balance::Capacity capacity(std::vector<std::uint64_t>(units, 1), model.class_of(), 0, classes);
    capacity.limit({.equal = true}, 0, model.class_of());
    const RunOptions run;
    balance::Balancer balancer(model, capacity, run);
    ASSERT_TRUE(balancer.repair());
    double before = model.objective();
    for (int pass = 0; pass < 10; ++pass) {
      const std::uint64_t changed = balancer.pass();
      EXPECT_GE(model.objective(), before);
      EXPECT_EQ(changed > 0, model.objective() > before);
      EXPECT_FALSE(capacity.any_too_large());
      before = model.objective();
    }
  }
}

/// Whether a unit of `from`, against nothing or a unit of `to`, would bring the two sizes closer.
bool could_be_closer(const balance::BalanceModel& model, const std::vector<std::uint64_t>& sizes,
                     const balance::Capacity& capacity, ClassId from, ClassId to) {
  const std::uint64_t gap = capacity.load(from) - capacity.load(to);
  for (std::size_t unit = 0; unit < sizes.size(); ++unit) {
    if (model.class_of()[unit] != from) continue;
    if (sizes[unit] < gap && sizes[unit] > 0) return true;
    for (std::size_t other = 0; other < sizes.size(); ++other)
      if (model.class_of()[other] == to && sizes[unit] > sizes[other] && sizes[unit] - sizes[other] < gap)
        return true;
  }
  return false;
}

TEST(Balance, LevellingEndsWhereNoTwoClassesCanBeBroughtCloser) {
  base::Rng rng(10);
  for (int round = 0; round < 200; ++round) {
    const std::size_t units = 4 + rng.below(40);
    const auto classes = static_cast<ClassId>(2 + rng.below(5));
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < units; ++i) sizes.push_back(1 + rng.below(round % 2 == 0 ? 10 : 100));
    CheckedModel model(rng, units, classes);
    balance::Capacity capacity(sizes, model.class_of(), 0, classes);
    capacity.limit({.equal = true, .unit = SizeUnit::tokens}, 0, model.class_of());
    const RunOptions run;
    balance::Balancer balancer(model, capacity, run);
    balancer.level(balance::LevelGoal::alike);
    std::vector<bool> alone(classes, false);
    for (const auto& pin : capacity.pins()) {
      alone[pin.home] = true;
      EXPECT_EQ(capacity.load(pin.home), sizes[pin.unit]);
    }
    for (ClassId from = 0; from < classes; ++from) {
      for (ClassId to = 0; to < classes; ++to) {
        if (alone[from] || alone[to] || capacity.load(from) < capacity.load(to) + 2) continue;
        EXPECT_FALSE(could_be_closer(model, sizes, capacity, from, to)) << round;
      }
    }
  }
}

TEST(Balance, SameForAnyNumberOfThreads) {
  base::Rng rng(7);
  const Counts counts = reference::random_counts(rng, 300, 6000);
  for (const ClassSizes sizes : {ClassSizes{.max = 45}, ClassSizes{.equal = true},
                                 ClassSizes{.equal = true, .unit = SizeUnit::tokens}}) {
    const auto one = cluster_exchange(counts, {.classes = 10, .sizes = sizes}, {.threads = 1});
    for (const unsigned threads : {2u, 3u})
      EXPECT_TRUE(
          cluster_exchange(counts, {.classes = 10, .sizes = sizes}, {.threads = threads}).clustering ==
          one.clustering);
  }
}

WordVectors random_vectors(base::Rng& rng, std::size_t rows, std::size_t dimensions) {
  WordVectors vectors;
  vectors.dimensions = dimensions;
  std::vector<std::pair<std::string, Count>> words;
  for (std::size_t i = 0; i < rows; ++i) {
    words.emplace_back("v" + std::to_string(i), rows - i);
    for (std::size_t j = 0; j < dimensions; ++j)
      vectors.values.push_back(static_cast<float>(rng.uniform() - 0.5));
  }
  vectors.vocabulary = Vocabulary::from_words(std::move(words));
  return vectors;
}

TEST(Balance, ClassesOfVectorsKeepTheLimits) {
  base::Rng rng(8);
  for (int round = 0; round < 30; ++round) {
    const std::size_t rows = 12 + rng.below(80);
    const WordVectors vectors = random_vectors(rng, rows, 1 + rng.below(6));
    const auto classes = static_cast<ClassId>(2 + rng.below(8));
    for (const VectorMethod method : {VectorMethod::ward, VectorMethod::divide, VectorMethod::kmeans}) {
      const auto result =
          cluster_vectors(vectors, {.classes = classes, .method = method, .sizes = {.equal = true}});
      const auto sizes = sizes_of(result.clustering, SizeUnit::words);
      EXPECT_LE(largest(sizes) - smallest(sizes), 1u);
      ASSERT_TRUE(result.free_sum_of_squares.has_value());
      EXPECT_EQ(result.clustering.cut(1).class_count(), 1u);
      const std::uint64_t max = (rows + classes - 1) / classes + 2;
      const auto capped =
          cluster_vectors(vectors, {.classes = classes, .method = method, .sizes = {.max = max}});
      EXPECT_LE(largest(sizes_of(capped.clustering, SizeUnit::words)), max);
      EXPECT_EQ(capped.clustering.class_count(), classes);
    }
  }
}

TEST(Balance, RefusesWhatCannotFit) {
  base::Rng rng(9);
  const Counts counts = reference::random_counts(rng, 20, 400);
  EXPECT_THROW(static_cast<void>(cluster_exchange(counts, {.classes = 4, .sizes = {.max = 4}})), UsageError);
  EXPECT_THROW(static_cast<void>(
                   cluster_exchange(counts, {.classes = 4, .sizes = {.max = 10, .unit = SizeUnit::tokens}})),
               UsageError);
  EXPECT_THROW(
      static_cast<void>(cluster_exchange(counts, {.classes = 4, .sizes = {.max = 9, .equal = true}})),
      UsageError);
  EXPECT_THROW(static_cast<void>(parse_class_sizes("max=0")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_class_sizes("small")), UsageError);
  EXPECT_EQ(parse_class_sizes("max-tokens=7").unit, SizeUnit::tokens);
}

}  // namespace
}  // namespace firth

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "base/rng.hpp"
#include "cluster/exchange/batch_moves.hpp"
#include "cluster/exchange/kernel.hpp"
#include "cluster/exchange/state.hpp"
#include "firth/error.hpp"
#include "reference/exchange_case.hpp"
#include "reference/naive_ami.hpp"
#include "reference/random_data.hpp"

namespace firth::exchange {
namespace {

/// ln p of the sizes of the classes, up to a constant.
double naive_size_worth(const std::vector<ClassId>& class_of, ClassId classes) {
  double sum = 0;
  for (ClassId c = 0; c < classes; ++c)
    sum += std::lgamma(1.0 + static_cast<double>(std::count(class_of.begin(), class_of.end(), c)));
  return sum;
}

TEST(ExchangeState, GainOfEveryMoveIsTheDifferenceOfTheScores) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Case c(seed);
    const Problem problem(c.counts.bigrams(), c.unit_of, c.words);
    const double weight = size_weight(seed);
    const Tables tables(problem.total(), {weight, c.words});
    State state(problem, tables, c.classes, c.class_of);
    ASSERT_NEAR(state.ami_bits(), reference::naive_ami(c.counts, c.class_of, AmiNorm::bigrams), 1e-9);
    Contexts contexts;
    contexts.resize(c.classes);
    for (int step = 0; step < 20; ++step) {
      const auto unit = static_cast<UnitId>(c.rng.below(c.words));
      const auto target = static_cast<ClassId>(c.rng.below(c.classes));
      if (target == state.class_of()[unit]) continue;
      state.collect(unit, contexts);
      const double before = state.ami_bits();
      const double size_before = naive_size_worth(c.class_of, c.classes);
      const std::int64_t gain = state.gain(unit, contexts, target);
      c.class_of[unit] = target;
      const double after = reference::naive_ami(c.counts, c.class_of, AmiNorm::bigrams);
      const double size_gain = naive_size_worth(c.class_of, c.classes) - size_before;
      const double bits = static_cast<double>(problem.total()) * std::numbers::ln2;
      ASSERT_NEAR(tables.nats(gain), (after - before) * bits + weight * size_gain, 1e-6) << "seed " << seed;
      state.move(unit, contexts, target, gain);
      ASSERT_NEAR(state.ami_bits(), after, 1e-9) << "seed " << seed;
      ASSERT_NEAR(state.ami_bits() - before, after - before, 1e-9) << "seed " << seed;
    }
    // All counts kept up to date are those of a state made anew.
    const State fresh(problem, tables, c.classes, c.class_of);
    EXPECT_EQ(state.objective(), fresh.objective());
    EXPECT_EQ(state.counts().before, fresh.counts().before);
    EXPECT_EQ(state.counts().after, fresh.counts().after);
    EXPECT_EQ(state.counts().out.counts, fresh.counts().out.counts);
    EXPECT_EQ(state.counts().in.slopes, fresh.counts().in.slopes);
  }
}

TEST(ExchangeKernel, ScoresAreTheExactValuesButForRounding) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Case c(seed + 1000);
    const Problem problem(c.counts.bigrams(), c.unit_of, c.words);
    const Tables tables(problem.total(), {size_weight(seed), c.words});
    const State state(problem, tables, c.classes, c.class_of);
    Contexts contexts;
    contexts.resize(c.classes);
    base::AlignedVector<float> scores;
    for (UnitId unit = 0; unit < c.words; ++unit) {
      state.collect(unit, contexts);
      score_classes(state, unit, contexts, scores);
      for (ClassId target = 0; target < c.classes; ++target) {
        const double exact = tables.nats(state.value(unit, contexts, target));
        ASSERT_NEAR(scores[target], exact,
                    1e-4 * (1 + static_cast<double>(problem.out(unit) + problem.in(unit))))
            << "seed " << seed << " unit " << unit << " class " << target;
      }
    }
  }
}

/// Texts with such large counts that cells of four bytes do not hold all counts: 10^7 times a small text, and so
/// many times that counts do not fit an entry of a neighbour list.
constexpr Count kManyTimes[] = {10000000, 100000000000};

TEST(ExchangeState, CountsOfAnySize) {
  std::size_t wide = 0;
  for (const Count times : kManyTimes) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Case c(seed, times);
      const Problem problem(c.counts.bigrams(), c.unit_of, c.words);
      ASSERT_EQ(problem.total(), c.counts.bigrams().total());
      const Tables tables(problem.total());
      State state(problem, tables, c.classes, c.class_of);
      wide += state.counts().before.is_wide() ? 1 : 0;
      Contexts contexts;
      contexts.resize(c.classes);
      base::AlignedVector<float> scores;
      for (int step = 0; step < 20; ++step) {
        const auto unit = static_cast<UnitId>(c.rng.below(c.words));
        const auto target = static_cast<ClassId>(c.rng.below(c.classes));
        if (target == state.class_of()[unit]) continue;
        state.collect(unit, contexts);
        score_classes(state, unit, contexts, scores);
        const double counted = 1 + static_cast<double>(problem.out(unit) + problem.in(unit));
        ASSERT_NEAR(scores[target], tables.nats(state.value(unit, contexts, target)), 1e-4 * counted);
        state.move(unit, contexts, target, state.gain(unit, contexts, target));
        c.class_of[unit] = target;
        ASSERT_NEAR(state.ami_bits(), reference::naive_ami(c.counts, c.class_of, AmiNorm::bigrams), 1e-9);
      }
      EXPECT_EQ(state.objective(), State(problem, tables, c.classes, c.class_of).objective());
    }
  }
  EXPECT_GT(wide, 100U);
}

TEST(ExchangeState, RefusesMoreBigramsThanItsLogarithmsHold) {
  const PairCounts too_many = PairCounts::from_pairs(2, {{0, 1, Problem::kMaxTotal}, {1, 0, 1}});
  const std::vector<UnitId> units = {0, 1};
  EXPECT_THROW(Problem(too_many, units, 2), InputError);
}

TEST(ExchangeKernel, LanesDoNotDependOnEachOther) {
  for (const Count times : {Count{1}, kManyTimes[0]}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      base::Rng rng(seed);
      constexpr std::size_t kWords = 120;
      const Counts counts = reference::repeated(reference::random_counts(rng, kWords, 4000), times);
      std::vector<UnitId> unit_of(kWords);
      std::iota(unit_of.begin(), unit_of.end(), UnitId{0});
      const Problem problem(counts.bigrams(), unit_of, kWords);
      const Tables tables(problem.total());
      const State state(problem, tables, 70, reference::random_classes(rng, kWords, 70));
      Contexts contexts;
      contexts.resize(70);
      for (UnitId unit = 0; unit < kWords; ++unit) {
        state.collect(unit, contexts);
        base::AlignedVector<float> whole;
        score_classes(state, unit, contexts, whole);
        base::AlignedVector<float> parts(whole.size());
        for (std::size_t begin = 0; begin < parts.size(); begin += kLaneBlock) {
          score_contexts(state.counts(), contexts, {problem.out(unit), problem.in(unit)},
                         {begin, begin + kLaneBlock}, parts.data());
          correct_scores(state, unit, contexts, {begin, begin + kLaneBlock}, parts.data());
        }
        for (ClassId c = 0; c < 70; ++c) ASSERT_EQ(parts[c], whole[c]);
      }
    }
  }
}

TEST(BatchMoves, ContextsKeepUpWithTheMovesOfNeighbours) {
  base::WorkerTeam team(1);
  BatchMoves moves;
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Case c(seed);
    const Problem problem(c.counts.bigrams(), c.unit_of, c.words);
    const Tables tables(problem.total());
    State state(problem, tables, c.classes, c.class_of);
    Contexts contexts;
    Contexts fresh;
    contexts.resize(c.classes);
    fresh.resize(c.classes);
    std::vector<UnitId> batch;
    for (UnitId unit = 0; unit < c.words; ++unit) {
      if (c.rng.below(3) > 0) batch.push_back(unit);
    }
    const bool saves = seed % 2 == 0;
    moves.begin(state, batch, saves);
    std::vector<bool> proposed;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      proposed.push_back(c.rng.below(4) > 0);
      state.collect(batch[i], contexts);
      if (proposed.back() && saves) moves.propose(i, contexts);
    }
    std::vector<std::vector<std::size_t>> places(1, std::vector<std::size_t>(batch.size()));
    std::iota(places[0].begin(), places[0].end(), std::size_t{0});
    if (saves) moves.link({team, base::Ranks()}, places);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!proposed[i]) continue;
      moves.load(i, contexts);
      state.collect(batch[i], fresh);
      for (ClassId other = 0; other < c.classes; ++other) {
        ASSERT_EQ(contexts.right.count(other), fresh.right.count(other));
        ASSERT_EQ(contexts.left.count(other), fresh.left.count(other));
      }
      const ClassId home = state.class_of()[batch[i]];
      const auto target = static_cast<ClassId>(c.rng.below(c.classes));
      ASSERT_EQ(state.gain(batch[i], contexts, target), state.gain(batch[i], fresh, target));
      ++compared;
      if (target == home || c.rng.below(3) == 0) continue;
      state.move(batch[i], contexts, target, state.gain(batch[i], contexts, target));
      moves.moved(i, home, target);
    }
  }
  EXPECT_GT(compared, 1000U);
}

TEST(ExchangeKernel, FindsTheFirstBestClass) {
  const std::vector<float> scores = {-3, -1, -1, -2};
  EXPECT_EQ(best_class(scores), 1U);
  const std::vector<float> mixed = {-3, 0, 2.5F, -0.0F};
  EXPECT_EQ(best_class(mixed), 2U);
  std::vector<float> many(101, -1);
  for (const std::size_t place : {100U, 99U, 37U, 16U, 15U, 0U}) {
    many[place] = 1;
    EXPECT_EQ(best_class(many), place);
  }
}

TEST(ExchangeKernel, DrawsInProportionToTheExponential) {
  const std::vector<float> scores = {0, 1, -50, 0};
  std::vector<int> drawn(4);
  base::Rng rng(3);
  DrawScratch scratch;
  constexpr int kDraws = 30000;
  for (int i = 0; i < kDraws; ++i) ++drawn[draw_class(scores, 1, rng.uniform(), scratch)];
  const double sum = 2 + std::exp(1.0);
  EXPECT_NEAR(drawn[0], kDraws / sum, 400);
  EXPECT_NEAR(drawn[1], kDraws * std::exp(1.0) / sum, 400);
  EXPECT_EQ(drawn[2], 0);
  EXPECT_NEAR(drawn[3], kDraws / sum, 400);
}

// Against the distribution function: the k-th class begins where the weights before it end.
TEST(ExchangeKernel, DrawsTheClassThatTheNumberPointsTo) {
  base::Rng rng(4);
  DrawScratch scratch;
  for (int round = 0; round < 300; ++round) {
    std::vector<float> scores(1 + rng.below(70));
    for (float& score : scores) score = static_cast<float>(rng.uniform() * 30 - 20);
    const double temperature = 0.2 + rng.uniform() * 4;
    const double best = *std::max_element(scores.begin(), scores.end());
    std::vector<double> weights;
    for (const float score : scores) {
      const double x = (score - best) / temperature;
      weights.push_back(x < -kCutoffTemperatures ? 0 : std::exp(x));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double uniform = rng.uniform();
    const ClassId drawn = draw_class(scores, temperature, uniform, scratch);
    const double begin = std::accumulate(weights.begin(), weights.begin() + drawn, 0.0);
    EXPECT_GT(weights[drawn], 0);
    EXPECT_LE(begin, uniform * sum + 1e-4 * sum);
    EXPECT_GE(begin + weights[drawn], uniform * sum - 1e-4 * sum);
  }
}

}  // namespace
}  // namespace firth::exchange

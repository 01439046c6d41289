#include "cluster/exchange/group_moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/rng.hpp"
#include "cluster/exchange/batch_moves.hpp"
#include "cluster/exchange/excess_fit.hpp"
#include "cluster/exchange/state.hpp"
#include "cluster/exchange/sweep.hpp"
#include "reference/exchange_case.hpp"
#include "reference/random_data.hpp"

namespace firth::exchange {
namespace {

/// In cells of whatever width.
void expect_same_pairs(const State& one, const State& other) {
  for (ClassId a = 0; a < one.classes(); ++a) {
    for (ClassId b = 0; b < one.classes(); ++b) {
      ASSERT_EQ(one.counts().before.at(a, b), other.counts().before.at(a, b));
      ASSERT_EQ(one.counts().after.at(a, b), other.counts().after.at(a, b));
      ASSERT_EQ(one.counts().before.step_row(a)[b], other.counts().before.step_row(a)[b]);
      ASSERT_EQ(one.counts().after.step_row(a)[b], other.counts().after.step_row(a)[b]);
    }
  }
}

// The twin: the same moves one after the other.
TEST(GroupMoves, AreTheMovesOneAfterTheOther) {
  std::size_t together = 0;
  for (const Count times : {Count{1}, Count{10000000}}) {
    base::WorkerTeam one(1);
    base::WorkerTeam two(2);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      for (base::WorkerTeam* const each : {&one, &two}) {
        base::WorkerTeam& team = *each;
        Case c(seed, times);
        const Problem problem(c.counts.bigrams(), c.unit_of, c.words);
        const Tables tables(problem.total(), {size_weight(seed), c.words});
        State state(problem, tables, c.classes, c.class_of);
        Contexts contexts;
        contexts.resize(c.classes);
        BatchMoves batch;
        std::vector<UnitId> all(c.words);
        std::iota(all.begin(), all.end(), UnitId{0});
        const bool saves = seed % 2 == 0;
        batch.begin(state, all, saves);
        std::vector<WantedMove> moves;
        for (std::size_t i = 0; i < c.words; ++i) {
          const auto unit = static_cast<UnitId>(i);
          const ClassId home = state.class_of()[unit];
          const auto target = static_cast<ClassId>(c.rng.below(c.classes));
          if (target == home || c.rng.below(3) == 0) continue;
          state.collect(unit, contexts);
          if (saves) batch.propose(i, contexts);
          moves.push_back({i, {unit, home, target}});
        }
        std::vector<std::vector<std::size_t>> places(1, std::vector<std::size_t>(c.words));
        std::iota(places[0].begin(), places[0].end(), std::size_t{0});
        if (saves) batch.link({team, base::Ranks()}, places);

        const State before = state;
        GroupMoves mover(state, batch, team);
        mover.measure(moves);
        State singly = before;
        std::int64_t gain = 0;
        for (const WantedMove& wanted : moves) {
          const auto& [unit, from, to] = wanted.move;
          before.collect(unit, contexts);
          ASSERT_EQ(wanted.gain, before.gain(unit, contexts, to));
          singly.collect(unit, contexts);
          const std::int64_t alone = singly.gain(unit, contexts, to);
          singly.move(unit, contexts, to, alone);
          gain += alone;
        }
        for (const bool again : {true, false}) {
          for (std::size_t i = 0; i < moves.size(); ++i) mover.enter(i);
          ASSERT_EQ(mover.finish(), gain) << "seed " << seed;
          ASSERT_EQ(mover.made(), moves.size());
          if (!again) break;
          mover.undo();
          ASSERT_EQ(state.objective(), before.objective()) << "seed " << seed;
          mover.refresh();
          expect_same_pairs(state, before);
        }
        mover.refresh();
        ASSERT_EQ(state.objective(), singly.objective());
        expect_same_pairs(state, singly);
        ASSERT_EQ(state.counts().out.counts, singly.counts().out.counts);
        ASSERT_EQ(state.counts().in.slopes, singly.counts().in.slopes);
        ASSERT_TRUE(std::ranges::equal(state.class_of(), singly.class_of()));
        for (ClassId cls = 0; cls < c.classes; ++cls) ASSERT_EQ(state.members(cls), singly.members(cls));
        together += moves.size();
      }
    }
  }
  EXPECT_GT(together, 1000U);
}

// In small texts, moves that pay one by one often do not pay together.
TEST(Sweeper, GreedyPassesNeverLoseEvenWhenMovesAreMadeTogether) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    base::Rng rng(seed);
    constexpr std::size_t kWords = 900;  // groups of three
    const Counts counts = reference::random_counts(rng, kWords, 2500);
    std::vector<UnitId> unit_of(kWords);
    std::iota(unit_of.begin(), unit_of.end(), UnitId{0});
    const Problem problem(counts.bigrams(), unit_of, kWords);
    const Tables tables(problem.total());
    State state(problem, tables, 3, reference::random_classes(rng, kWords, 3));
    base::WorkerTeam team(1 + seed % 2);
    const RunOptions run;
    Sweeper sweeper(team, run);
    for (int pass = 0; pass < 60; ++pass) {
      const std::int64_t before = state.objective();
      const PassResult result = sweeper.greedy_pass(state, unit_of);
      ASSERT_GE(result.gain, 0);
      ASSERT_EQ(state.objective(), before + result.gain);
      if (result.moved == 0) break;
      ASSERT_LT(pass, 59) << "seed " << seed;
    }
    const std::vector<ClassId> class_of(state.class_of().begin(), state.class_of().end());
    EXPECT_EQ(state.objective(), State(problem, tables, 3, class_of).objective());
  }
}

TEST(ExcessFit, IsTheExcess) {
  for (Count k = 2; k <= kFittedCount; ++k) {
    const ExcessFit fit = fit_excess(k);
    for (double n = 0; n < 4e9; n = n < 300 ? n + 1 : std::floor(n * 1.1)) {
      const auto x = std::min(static_cast<float>(n), fit.largest);
      float above = 0;
      float below = 0;
      for (std::size_t i = fit.numerator.size(); i-- > 0;) above = above * x + fit.numerator[i];
      for (std::size_t i = fit.denominator.size(); i-- > 0;) below = below * x + fit.denominator[i];
      const auto times = static_cast<long double>(k);
      const long double m = n;
      // One step's worth at a time, each without a difference of large numbers.
      const auto step = [](long double y) { return y * (y > 0 ? std::log1p(1 / y) : 0) + std::log(y + 1); };
      long double exact = -times * step(m);
      for (Count i = 0; i < k; ++i) exact += step(m + static_cast<long double>(i));
      ASSERT_NEAR(above / below, static_cast<double>(exact), 2e-5 * static_cast<double>(k))
          << "k " << k << " n " << n;
    }
  }
}

}  // namespace
}  // namespace firth::exchange

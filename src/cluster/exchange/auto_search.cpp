#include "firth/auto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/class_count.hpp"
#include "cluster/exchange/search_context.hpp"
#include "firth/build_tree.hpp"
#include "firth/error.hpp"

// The search behind `--method auto`. Its stages and constants come from measurements: see README.md here.
namespace firth {
namespace exchange {
namespace {

/// A number of classes, as a multiple of the wanted one, and the greedy passes there.
struct Stage {
  double ratio;
  int passes;
};

/// Passes at falling temperature, in nats.
struct Annealing {
  int passes;
  double first;
  double last;
};

/// Split, heat, merge, cool, and keep the result if it is better.
struct Breathing {
  int cycles;    // at most
  int failures;  // stop after so many in a row
  int cooling;   // heat-bath passes after the merges
  double temperature;
};

/// A search of level 0 is a start; one of level n combines two of level n - 1, and breathes: levels 1, 2, ...
/// Each cools what it combined as long as what it breathes.
using Plan = std::vector<Breathing>;

Plan plan_for(Effort effort) {
  switch (effort) {
    case Effort::fast:
      return {};
    case Effort::standard:
      return {{0, 0, 30, 2.5}};
    case Effort::high:
      return {{2, 2, 40, 2}};
    case Effort::max:
      return {{40, 5, 80, 2}, {12, 4, 300, 2}};
  }
  return plan_for(Effort::standard);
}

/// Of a start: the most classes first, then fewer and fewer.
constexpr std::array<Stage, 5> kStages = {{{2, 2}, {1.6, 1}, {1.3, 1}, {1.1, 1}, {1, 0}}};
constexpr Annealing kSettling = {4, 1.5, 0.3};  // of a start, after its stages
constexpr double kBreatheRatio = 1.5;           // classes after a split
constexpr double kCombineRatio = 1.25;          // classes on which two partitions agree
constexpr int kHotPasses = 2;                   // before each of the two merges of a breath
constexpr int kLastPasses = 2;                  // greedy ones, after cooling
constexpr double kCoolTo = 0.3;

/// Passes over all units, each weighted by its number of classes: what the time of a plan is made of.
double weighted_passes(const Plan& plan) {
  double sum = kSettling.passes + 1;
  for (const Stage& stage : kStages) sum += stage.ratio * stage.passes;
  for (const Breathing& level : plan) {
    const double breath = (kBreatheRatio + 1.25) * kHotPasses + level.cooling + kLastPasses;
    sum = 2 * sum + (1 + level.cycles) * breath;
  }
  return sum;
}

using Partition = std::vector<ClassId>;

Partition partition_of(const State& state) {
  return {state.class_of().begin(), state.class_of().end()};
}

void climb(SearchContext& bench, State& state, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    const PassResult result = bench.greedy_pass(state);
    bench.record("exchange pass", state, result.moved);
    if (result.moved == 0) break;
  }
}

void anneal(SearchContext& bench, State& state, const Annealing& annealing) {
  for (int pass = 0; pass < annealing.passes; ++pass) {
    const double progress = annealing.passes > 1 ? static_cast<double>(pass) / (annealing.passes - 1) : 0;
    const double temperature = annealing.first * std::pow(annealing.last / annealing.first, progress);
    const PassResult result = bench.heat_pass(state, temperature);
    bench.record("heat-bath pass", state, result.moved);
  }
}

/// A first partition: more classes than wanted, then fewer and fewer, words moving all the while.
State overshoot(SearchContext& bench, ClassId classes) {
  const ClassId most = bench.at_most(kStages.front().ratio * classes);
  State state = bench.start(most, bench.modulo(most));
  for (const Stage& stage : kStages) {
    const ClassId next = bench.at_most(std::max(stage.ratio * classes, 1.0 * classes));
    if (next < state.classes()) {
      state = bench.merged(std::move(state), next);
      bench.record("merge", state, 0);
    }
    climb(bench, state, stage.passes);
  }
  Partition before = partition_of(state);
  const std::int64_t objective = state.objective();
  anneal(bench, state, kSettling);
  climb(bench, state, 1);
  if (state.objective() >= objective) return state;
  return bench.resume(classes, std::move(before));  // too hot for this text
}

class Search {
 public:
  /// `place` numbers the searches of a run from 1, as the nodes of a tree: 2n and 2n + 1 are the parts of n.
  Search(SearchContext& bench, ClassId classes, const Plan& plan, std::uint64_t place = 1)
      : bench_(bench), classes_(classes), plan_(plan), place_(place) {
    bench.reseed(place - 1);
  }

  State run(std::size_t level) {
    if (level == 0) return overshoot(bench_, classes_);
    const Breathing& breath = plan_[level - 1];
    State state = breathe(combined(parts(level - 1), breath), breath);
    climb(bench_, state, kLastPasses);
    return state;
  }

 private:
  using Pair = std::array<Partition, 2>;

  /// Two searches side by side: each is too short a piece of work to gain much from threads.
  Pair parts(std::size_t level) {
    Pair found;
    const bool room = bench_.ground().has_room_for(2, bench_.run());
    base::Team team(room ? bench_.run().threads : 1);
    std::array<std::unique_ptr<SearchContext>, 2> benches;
    RunOptions silent = bench_.run();
    if (room) silent.threads = std::max(1U, team.size() / 2);
    silent.progress = nullptr;
    RunOptions speaking = silent;
    speaking.progress = bench_.run().progress;
    std::atomic<std::size_t> next = 0;
    team.run([&](unsigned thread) {
      for (std::size_t i = next++; i < found.size(); i = next++) {
        benches[i] = std::make_unique<SearchContext>(bench_, thread == 0 ? speaking : silent);
        found[i] = partition_of(Search(*benches[i], classes_, plan_, 2 * place_ + i).run(level));
      }
    });
    for (const auto& bench : benches) bench_.append(*bench);
    return found;
  }

  /// The classes on which two partitions agree, with the rest merged into them: better than either.
  State combined(const Pair& found, const Breathing& breath) {
    State first = bench_.resume(classes_, found[0]);
    State second = bench_.resume(classes_, found[1]);
    State& better = first.objective() >= second.objective() ? first : second;
    std::optional<State> both = bench_.overlap(found[0], found[1], bench_.at_most(kCombineRatio * classes_));
    if (!both) return std::move(better);
    bench_.record("overlap", *both, 0);
    State state = exhaled(std::move(*both), breath);
    bench_.record("combine", state, 0);
    return state.objective() > better.objective() ? std::move(state) : std::move(better);
  }

  /// Heat and merges down to the wanted number of classes, then cooling.
  State exhaled(State state, const Breathing& breath) {
    const ClassId between = std::max(classes_, (state.classes() + classes_) / 2);
    for (const ClassId next : {between, classes_}) {
      for (int pass = 0; pass < kHotPasses; ++pass) bench_.heat_pass(state, breath.temperature);
      state = bench_.merged(std::move(state), next);
    }
    anneal(bench_, state, {breath.cooling, breath.temperature, kCoolTo});
    climb(bench_, state, kLastPasses);
    return state;
  }

  State breathe(State state, const Breathing& breath) {
    Partition best = partition_of(state);
    std::int64_t best_objective = state.objective();
    int failures = 0;
    for (int cycle = 0; cycle < breath.cycles && failures < breath.failures; ++cycle) {
      state = exhaled(bench_.split(state, bench_.at_most(kBreatheRatio * classes_)), breath);
      const bool better = state.objective() > best_objective;
      bench_.record(better ? "breathe, kept" : "breathe, dropped", state, 0);
      if (better) {
        best = partition_of(state);
        best_objective = state.objective();
        failures = 0;
      } else {
        state = bench_.resume(classes_, best);
        ++failures;
      }
    }
    return state;
  }

  SearchContext& bench_;
  ClassId classes_;
  const Plan& plan_;
  std::uint64_t place_;
};

}  // namespace
}  // namespace exchange

void validate(const AutoOptions& options) {
  clusters::require_classes(options.classes, "AutoOptions::classes");
  exchange::check_size_weight(options.size_weight, "AutoOptions::size_weight");
}

ClusterResult cluster_auto(const Counts& counts, const AutoOptions& options, const RunOptions& run) {
  validate(options);
  const exchange::Plan plan = exchange::plan_for(options.effort);
  const exchange::SearchProblem ground(counts,
                                       {{options.constraints, options.boundaries}, options.size_weight},
                                       options.classes, exchange::kStages.front().ratio, run);
  exchange::SearchContext bench(ground, run);
  base::Stage stage = bench.begin("search", exchange::weighted_passes(plan), options.classes);
  const exchange::State state = exchange::Search(bench, bench.inner(options.classes), plan).run(plan.size());
  stage.end();
  return bench.finish(state, options.tree);
}

std::vector<Clustering> refine_cuts(const Counts& counts, const Clustering& clustering,
                                    const std::vector<ClassId>& cuts, const RunOptions& run) {
  for (const ClassId cut : cuts) {
    if (cut == 0 || cut > clustering.class_count()) {
      throw UsageError(fmt::format("a cut at {} is outside 1 .. {}", cut, clustering.class_count()),
                       "cuts have fewer classes than the clustering");
    }
  }
  // Words of the counts that the clustering does not have take no part.
  const WordIndex index(clustering.vocabulary());
  Constraints outsiders;
  std::vector<ClassId> all(counts.vocabulary().size(), kNoClass);
  std::vector<WordId> known;  // words of the clustering that take part, by their rank in the counts
  for (WordId word = 0; word < all.size(); ++word) {
    const std::string spelling(counts.vocabulary().word(word));
    if (const auto found = index.find(spelling)) {
      all[word] = clustering.class_of(*found);
      known.push_back(*found);
    } else {
      outsiders.items.push_back({Constraint::Kind::out, "", {spelling}, 0});
    }
  }
  Clustering tree = clustering;
  if (!tree.tree())
    tree = Clustering(clustering.vocabulary(), clustering.classes(), build_tree(counts, all, run));
  const exchange::SearchProblem ground(counts, {{outsiders}}, 1, clustering.class_count(), run);
  exchange::SearchContext bench(ground, run);
  constexpr int kPasses = 20;
  constexpr double kUsualPasses = 8;
  const double passes = kUsualPasses * static_cast<double>(cuts.size());
  const base::Stage stage = bench.begin("flat cuts", passes, clustering.class_count());
  std::vector<Clustering> results;
  for (const ClassId cut : cuts) {
    const Clustering nested = tree.cut(cut);
    std::vector<ClassId> start;
    start.reserve(known.size());
    for (const WordId word : known) start.push_back(nested.class_of(word));
    exchange::State state = bench.resume(cut, std::move(start));
    for (int pass = 0; pass < kPasses; ++pass) {
      if (bench.greedy_pass(state).moved == 0) break;
    }
    results.push_back(bench.finish(state, false).clustering);
  }
  return results;
}

}  // namespace firth

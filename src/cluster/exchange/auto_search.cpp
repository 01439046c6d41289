#include "firth/auto.hpp"

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
#include "firth/error.hpp"

// The search behind cluster_auto(). Its stages and constants come from measurements: see README.md here.
namespace firth {
namespace exchange {
namespace {

/// A number of classes, as a multiple of the wanted one, and the greedy passes with that many classes.
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

/// Cycles of: split, heat, merge, cool, and keep the result if it is better.
struct SplitMergeCycles {
  int max_cycles;
  int max_failures;  // stop after this many in a row
  int cooling;       // heat-bath passes after the merges
  double temperature;
};

/// A search of level 0 is a start; one of level n combines two of level n - 1 and then runs the cycles of
/// entry n - 1. The combined partition is cooled for as many passes as a cycle.
using Plan = std::vector<SplitMergeCycles>;

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

/// Of a start: many classes first, then fewer and fewer.
constexpr std::array<Stage, 5> kStages = {{{2, 2}, {1.6, 1}, {1.3, 1}, {1.1, 1}, {1, 0}}};
constexpr Annealing kStartAnnealing = {4, 1.5, 0.3};  // of a start, after its stages
constexpr double kSplitRatio = 1.5;                   // classes after a split
constexpr double kCombineRatio = 1.25;                // classes on which two partitions agree
constexpr int kHotPasses = 2;                         // before each of the two merges of a cycle
constexpr int kLastPasses = 2;                        // greedy ones, after cooling
constexpr double kCoolTo = 0.3;

/// Passes over all units, each weighted by its number of classes: what the time of a plan is made of.
double weighted_passes(const Plan& plan) {
  double sum = kStartAnnealing.passes + 1;
  for (const Stage& stage : kStages) sum += stage.ratio * stage.passes;
  for (const SplitMergeCycles& level : plan) {
    const double cycle = (kSplitRatio + 1.25) * kHotPasses + level.cooling + kLastPasses;
    sum = 2 * sum + (1 + level.max_cycles) * cycle;
  }
  return sum;
}

using Partition = std::vector<ClassId>;

Partition partition_of(const State& state) {
  return {state.class_of().begin(), state.class_of().end()};
}

void climb(SearchContext& context, State& state, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    const PassResult result = context.greedy_pass(state);
    context.record("exchange pass", state, result.moved);
    if (result.moved == 0) break;
  }
}

void anneal(SearchContext& context, State& state, const Annealing& annealing) {
  for (int pass = 0; pass < annealing.passes; ++pass) {
    const double progress = annealing.passes > 1 ? static_cast<double>(pass) / (annealing.passes - 1) : 0;
    const double temperature = annealing.first * std::pow(annealing.last / annealing.first, progress);
    const PassResult result = context.heat_pass(state, temperature);
    context.record("heat-bath pass", state, result.moved);
  }
}

/// A first partition: more classes than wanted, then fewer and fewer, words moving all the while.
State overshoot(SearchContext& context, ClassId classes) {
  const ClassId max_classes = context.capped(kStages.front().ratio * classes);
  State state = context.start(max_classes, context.modulo(max_classes));
  for (const Stage& stage : kStages) {
    const ClassId next = context.capped(std::max(stage.ratio * classes, 1.0 * classes));
    if (next < state.classes()) {
      state = context.merged(std::move(state), next);
      context.record("merge", state, 0);
    }
    climb(context, state, stage.passes);
  }
  Partition before = partition_of(state);
  const std::int64_t objective = state.objective();
  anneal(context, state, kStartAnnealing);
  climb(context, state, 1);
  if (state.objective() >= objective) return state;
  return context.resume(classes, std::move(before));  // too hot for this text
}

class Search {
 public:
  /// `place` numbers the searches of a run from 1, as the nodes of a tree: 2n and 2n + 1 are the parts of n.
  Search(SearchContext& context, ClassId classes, const Plan& plan, std::uint64_t place = 1)
      : context_(context), classes_(classes), plan_(plan), place_(place) {
    context.reseed(place - 1);
  }

  State run(std::size_t level) {
    if (level == 0) return overshoot(context_, classes_);
    const SplitMergeCycles& cycles = plan_[level - 1];
    State state = run_cycles(combined(parts(level - 1), cycles), cycles);
    climb(context_, state, kLastPasses);
    return state;
  }

 private:
  using Pair = std::array<Partition, 2>;

  /// Two searches side by side: each is too short a piece of work to gain much from threads.
  Pair parts(std::size_t level) {
    Pair found;
    const bool room = context_.search_problem().has_room_for(2, context_.run());
    base::Team team(room ? context_.run().threads : 1);
    std::array<std::unique_ptr<SearchContext>, 2> parts;
    RunOptions silent = context_.run();
    if (room) silent.threads = std::max(1U, team.size() / 2);
    silent.progress = nullptr;
    RunOptions reporting = silent;
    reporting.progress = context_.run().progress;
    std::atomic<std::size_t> next = 0;
    team.run([&](unsigned thread) {
      for (std::size_t i = next++; i < found.size(); i = next++) {
        parts[i] = std::make_unique<SearchContext>(context_, thread == 0 ? reporting : silent);
        found[i] = partition_of(Search(*parts[i], classes_, plan_, 2 * place_ + i).run(level));
      }
    });
    for (const auto& part : parts) context_.append(*part);
    return found;
  }

  /// The classes on which two partitions agree, with the rest merged into them: better than either.
  State combined(const Pair& found, const SplitMergeCycles& cycles) {
    State first = context_.resume(classes_, found[0]);
    State second = context_.resume(classes_, found[1]);
    State& better = first.objective() >= second.objective() ? first : second;
    std::optional<State> both =
        context_.overlap(found[0], found[1], context_.capped(kCombineRatio * classes_));
    if (!both) return std::move(better);
    context_.record("overlap", *both, 0);
    State state = merged_and_cooled(std::move(*both), cycles);
    context_.record("combine", state, 0);
    return state.objective() > better.objective() ? std::move(state) : std::move(better);
  }

  /// Heat and merges down to the wanted number of classes, then cooling.
  State merged_and_cooled(State state, const SplitMergeCycles& cycles) {
    const ClassId between = std::max(classes_, (state.classes() + classes_) / 2);
    for (const ClassId next : {between, classes_}) {
      for (int pass = 0; pass < kHotPasses; ++pass) context_.heat_pass(state, cycles.temperature);
      state = context_.merged(std::move(state), next);
    }
    anneal(context_, state, {cycles.cooling, cycles.temperature, kCoolTo});
    climb(context_, state, kLastPasses);
    return state;
  }

  State run_cycles(State state, const SplitMergeCycles& cycles) {
    Partition best = partition_of(state);
    std::int64_t best_objective = state.objective();
    int failures = 0;
    for (int cycle = 0; cycle < cycles.max_cycles && failures < cycles.max_failures; ++cycle) {
      state = merged_and_cooled(context_.split(state, context_.capped(kSplitRatio * classes_)), cycles);
      const bool better = state.objective() > best_objective;
      context_.record(better ? "cycle kept" : "cycle dropped", state, 0);
      if (better) {
        best = partition_of(state);
        best_objective = state.objective();
        failures = 0;
      } else {
        state = context_.resume(classes_, best);
        ++failures;
      }
    }
    return state;
  }

  SearchContext& context_;
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
  const exchange::SearchProblem search_problem(
      counts, {{options.constraints, options.boundaries}, options.size_weight}, options.classes,
      exchange::kStages.front().ratio, run);
  exchange::SearchContext context(search_problem, run);
  base::Stage stage = context.begin("search", exchange::weighted_passes(plan), options.classes);
  const exchange::State state =
      exchange::Search(context, context.with_boundary_class(options.classes), plan).run(plan.size());
  stage.end();
  return context.finish(state, options.tree);
}

}  // namespace firth

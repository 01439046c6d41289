#include "firth/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/exchange/workbench.hpp"
#include "firth/error.hpp"
#include "firth/tree.hpp"

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

/// More classes, heat, merge, cool.
struct Breathing {
  int cycles;    // at most
  int failures;  // stop after so many in a row
  int passes;    // heat-bath passes before each of the two merges
  int cooling;   // and after them
  double temperature;
};

struct Plan {
  std::size_t starts;         // searches for a first partition: 1, or 2 that are combined
  std::vector<Stage> stages;  // of a start; the first is the most classes, the last is at ratio 1
  Annealing settling;         // of a start
  Breathing breathing;
  Annealing annealing;
  int last_passes;
};

Plan plan_for(Effort effort) {
  const std::vector<Stage> stages = {{2, 2}, {1.6, 1}, {1.3, 1}, {1.1, 1}, {1, 0}};
  switch (effort) {
    case Effort::fast:
      return {1, stages, {4, 1.5, 0.3}, {0, 0, 0, 0, 0}, {0, 0, 0}, 1};
    case Effort::standard:
      return {2, stages, {2, 4, 0.3}, {0, 0, 2, 0, 3}, {30, 3, 0.3}, 2};
    case Effort::high:
      return {2, stages, {4, 4, 0.3}, {4, 4, 2, 4, 2}, {80, 4, 0.25}, 3};
    case Effort::max:
      return {2, stages, {4, 4, 0.3}, {100, 10, 3, 12, 3}, {3000, 5, 0.2}, 5};
  }
  return plan_for(Effort::standard);
}

constexpr double kBreatheRatio = 1.5;
constexpr double kCombineRatio = 1.25;
constexpr double kCoolTo = 0.3;

/// Passes over all units, each weighted by its number of classes: what the time of a plan is made of.
double weighted_passes(const Plan& plan) {
  double start = plan.settling.passes + 1;
  for (const Stage& stage : plan.stages) start += stage.ratio * stage.passes;
  const double cycles = plan.breathing.cycles + (plan.starts > 1 ? 1 : 0);
  return static_cast<double>(plan.starts) * start + plan.annealing.passes + plan.last_passes +
         cycles * ((kBreatheRatio + 1.25) * plan.breathing.passes + plan.breathing.cooling + 2);
}

using Partition = std::vector<ClassId>;

Partition partition_of(const State& state) {
  return {state.class_of().begin(), state.class_of().end()};
}

void climb(Workbench& bench, State& state, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    const PassResult result = bench.greedy_pass(state);
    bench.record("exchange pass", state, result.moved);
    if (result.moved == 0) break;
  }
}

void anneal(Workbench& bench, State& state, const Annealing& annealing) {
  for (int pass = 0; pass < annealing.passes; ++pass) {
    const double progress = annealing.passes > 1 ? static_cast<double>(pass) / (annealing.passes - 1) : 0;
    const double temperature = annealing.first * std::pow(annealing.last / annealing.first, progress);
    const PassResult result = bench.heat_pass(state, temperature);
    bench.record("heat-bath pass", state, result.moved);
  }
}

/// A first partition: more classes than wanted, then fewer and fewer, words moving all the while.
State overshoot(Workbench& bench, ClassId classes, const Plan& plan) {
  const ClassId most = bench.at_most(plan.stages.front().ratio * classes);
  State state = bench.start(most, bench.modulo(most));
  for (const Stage& stage : plan.stages) {
    const ClassId next = bench.at_most(std::max(stage.ratio * classes, 1.0 * classes));
    if (next < state.classes()) {
      state = bench.merged(std::move(state), next);
      bench.record("merge", state, 0);
    }
    climb(bench, state, stage.passes);
  }
  anneal(bench, state, plan.settling);
  climb(bench, state, 1);
  return state;
}

class Search {
 public:
  Search(Workbench& bench, ClassId classes, const Plan& plan)
      : bench_(bench), classes_(classes), plan_(plan) {}

  State run() {
    State state = plan_.starts > 1 ? combined(starts()) : overshoot(bench_, classes_, plan_);
    if (plan_.breathing.cycles > 0) state = breathe(std::move(state));
    const Partition before = partition_of(state);
    const std::int64_t objective = state.objective();
    anneal(bench_, state, plan_.annealing);
    climb(bench_, state, plan_.last_passes);
    if (state.objective() >= objective) return state;
    // Too hot for this text: go back to where annealing began.
    state = bench_.resume(state.classes(), before);
    climb(bench_, state, plan_.last_passes);
    return state;
  }

 private:
  /// Several first partitions, side by side: each is too short a piece of work to gain much from threads.
  std::vector<Partition> starts() {
    std::vector<Partition> found(plan_.starts);
    const bool room = bench_.ground().has_room_for(static_cast<unsigned>(plan_.starts), bench_.run());
    base::Team team(room ? bench_.run().threads : 1);
    std::vector<std::unique_ptr<Workbench>> parts(plan_.starts);
    RunOptions silent = bench_.run();
    if (room) silent.threads = std::max(1U, team.size() / static_cast<unsigned>(plan_.starts));
    silent.progress = nullptr;
    RunOptions speaking = silent;
    speaking.progress = bench_.run().progress;
    std::atomic<std::size_t> next = 0;
    team.run([&](unsigned thread) {
      for (std::size_t i = next++; i < found.size(); i = next++) {
        parts[i] = std::make_unique<Workbench>(bench_, thread == 0 ? speaking : silent);
        parts[i]->reseed(i);
        found[i] = partition_of(overshoot(*parts[i], classes_, plan_));
      }
    });
    for (const auto& part : parts) bench_.append(*part);
    return found;
  }

  /// The classes on which two partitions agree, with the rest merged into them: better than either.
  State combined(const std::vector<Partition>& found) {
    State first = bench_.resume(classes_, found[0]);
    std::optional<State> both = bench_.overlap(found[0], found[1], bench_.at_most(kCombineRatio * classes_));
    if (!both) return first;
    State state = exhaled(std::move(*both));
    bench_.record("combine", state, 0);
    return state.objective() > first.objective() ? std::move(state) : std::move(first);
  }

  /// Heat and merges down to the wanted number of classes, then cooling.
  State exhaled(State state) {
    const Breathing& plan = plan_.breathing;
    const ClassId between = std::max(classes_, (state.classes() + classes_) / 2);
    for (const ClassId next : {between, classes_}) {
      for (int pass = 0; pass < plan.passes; ++pass) bench_.heat_pass(state, plan.temperature);
      state = bench_.merged(std::move(state), next);
    }
    for (int pass = 0; pass < plan.cooling; ++pass) {
      const double progress = plan.cooling > 1 ? static_cast<double>(pass) / (plan.cooling - 1) : 1;
      bench_.heat_pass(state, plan.temperature * std::pow(kCoolTo / plan.temperature, progress));
    }
    for (int pass = 0; pass < 2; ++pass) bench_.greedy_pass(state);
    return state;
  }

  State breathe(State state) {
    Partition best = partition_of(state);
    std::int64_t best_objective = state.objective();
    int failures = 0;
    for (int cycle = 0; cycle < plan_.breathing.cycles && failures < plan_.breathing.failures; ++cycle) {
      state = exhaled(bench_.split(state, bench_.at_most(kBreatheRatio * classes_)));
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

  Workbench& bench_;
  ClassId classes_;
  Plan plan_;
};

}  // namespace
}  // namespace exchange

void validate(const SearchOptions& options) {
  if (options.classes == 0) throw UsageError("0 classes are asked for", "ask for at least one");
}

ClusterResult cluster_auto(const Counts& counts, const SearchOptions& options, const RunOptions& run) {
  validate(options);
  const exchange::Plan plan = exchange::plan_for(options.effort);
  const exchange::Ground ground(counts, {options.constraints, options.boundaries}, options.classes,
                                plan.stages.front().ratio, run);
  exchange::Workbench bench(ground, run);
  bench.begin("search", exchange::weighted_passes(plan), options.classes);
  const exchange::State state = exchange::Search(bench, bench.inner(options.classes), plan).run();
  bench.end();
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
  const exchange::Ground ground(counts, {outsiders}, 1, clustering.class_count(), run);
  exchange::Workbench bench(ground, run);
  constexpr int kPasses = 20;
  constexpr double kUsualPasses = 8;
  bench.begin("flat cuts", kUsualPasses * static_cast<double>(cuts.size()), clustering.class_count());
  std::vector<Clustering> results;
  for (const ClassId cut : cuts) {
    const Clustering nested = tree.cut(cut);
    std::vector<ClassId> start;
    for (const WordId word : known) start.push_back(nested.class_of(word));
    exchange::State state = bench.resume(cut, std::move(start));
    for (int pass = 0; pass < kPasses; ++pass) {
      if (bench.greedy_pass(state).moved == 0) break;
    }
    results.push_back(bench.finish(state, false).clustering);
  }
  bench.end();
  return results;
}

}  // namespace firth

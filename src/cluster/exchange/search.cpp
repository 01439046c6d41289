#include "firth/search.hpp"

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

/// Split, heat, merge, cool, and keep the result if it is better.
struct Breathing {
  int cycles;    // at most
  int failures;  // stop after so many in a row
  int cooling;   // heat-bath passes after the merges
  double temperature;
};

struct Plan {
  std::size_t starts;              // searches for a first partition: 1, or 2 that are combined
  Annealing settling;              // of a start
  std::vector<Breathing> breaths;  // one kind after the other; the first says how to cool what was combined
};

Plan plan_for(Effort effort) {
  switch (effort) {
    case Effort::fast:
      return {1, {4, 1.5, 0.3}, {}};
    case Effort::standard:
      return {2, {2, 4, 0.3}, {{0, 0, 30, 2.5}}};
    case Effort::high:
      return {2, {2, 4, 0.3}, {{2, 2, 40, 2}}};
    case Effort::max:
      return {2, {2, 4, 0.3}, {{40, 4, 80, 2}, {20, 4, 300, 2}}};
  }
  return plan_for(Effort::standard);
}

/// Of a start: the most classes first, then fewer and fewer.
constexpr std::array<Stage, 5> kStages = {{{2, 2}, {1.6, 1}, {1.3, 1}, {1.1, 1}, {1, 0}}};
constexpr double kBreatheRatio = 1.5;   // classes after a split
constexpr double kCombineRatio = 1.25;  // classes on which two partitions agree
constexpr int kHotPasses = 2;           // before each of the two merges of a breath
constexpr int kLastPasses = 2;          // greedy ones, after cooling
constexpr double kCoolTo = 0.3;

/// Passes over all units, each weighted by its number of classes: what the time of a plan is made of.
double weighted_passes(const Plan& plan) {
  double start = plan.settling.passes + 1;
  for (const Stage& stage : kStages) start += stage.ratio * stage.passes;
  double sum = static_cast<double>(plan.starts) * start;
  for (const Breathing& breath : plan.breaths) {
    const int cycles = breath.cycles + (&breath == plan.breaths.data() ? 1 : 0);
    sum += cycles * ((kBreatheRatio + 1.25) * kHotPasses + breath.cooling + kLastPasses);
  }
  return sum;
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
State overshoot(Workbench& bench, ClassId classes, const Annealing& settling) {
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
  anneal(bench, state, settling);
  climb(bench, state, 1);
  if (state.objective() >= objective) return state;
  return bench.resume(classes, std::move(before));  // too hot for this text
}

class Search {
 public:
  Search(Workbench& bench, ClassId classes, const Plan& plan)
      : bench_(bench), classes_(classes), plan_(plan) {}

  State run() {
    if (plan_.starts == 1) return overshoot(bench_, classes_, plan_.settling);
    State state = combined(starts());
    for (const Breathing& breath : plan_.breaths) state = breathe(std::move(state), breath);
    climb(bench_, state, kLastPasses);
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
        found[i] = partition_of(overshoot(*parts[i], classes_, plan_.settling));
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
    State state = exhaled(std::move(*both), plan_.breaths.front());
    bench_.record("combine", state, 0);
    return state.objective() > first.objective() ? std::move(state) : std::move(first);
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
                                exchange::kStages.front().ratio, run);
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

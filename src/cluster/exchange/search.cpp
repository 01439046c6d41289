#include "firth/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  int passes;    // heat-bath passes before each of the two merges
  int cooling;   // and after them
  double temperature;
};

struct Plan {
  std::vector<Stage> stages;  // the first is the start, the last is at ratio 1
  Breathing breathing;
  Annealing annealing;
  int last_passes;
};

Plan plan_for(Effort effort) {
  switch (effort) {
    case Effort::fast:
      return {{{2, 2}, {1.6, 1}, {1.3, 1}, {1.1, 1}, {1, 0}}, {0, 0, 0, 0, 0}, {4, 1.5, 0.3}, 1};
    case Effort::standard:
      return {{{2, 2}, {1.6, 1}, {1.3, 1}, {1.1, 1}, {1, 0}}, {1, 1, 2, 4, 2}, {30, 4, 0.3}, 2};
    case Effort::high:
      return {{{2, 2}, {1.6, 1}, {1.3, 1}, {1.1, 1}, {1, 0}}, {6, 6, 2, 4, 2}, {80, 4, 0.3}, 3};
    case Effort::max:
      return {{{2, 6}, {1.6, 3}, {1.3, 3}, {1.1, 3}, {1, 3}}, {100, 12, 3, 30, 3}, {2000, 5, 0.2}, 5};
  }
  return plan_for(Effort::standard);
}

constexpr double kBreatheRatio = 1.5;
constexpr double kCoolTo = 0.3;

/// Passes over all units, each weighted by its number of classes: what the time of a plan is made of.
double weighted_passes(const Plan& plan) {
  double sum = plan.annealing.passes + plan.last_passes;
  for (const Stage& stage : plan.stages) sum += stage.ratio * stage.passes;
  return sum +
         plan.breathing.cycles * ((kBreatheRatio + 1.25) * plan.breathing.passes + plan.breathing.cooling);
}

class Search {
 public:
  Search(Workbench& bench, ClassId classes, const Plan& plan)
      : bench_(bench), classes_(classes), plan_(plan) {}

  State run() {
    State state = overshoot();
    if (plan_.breathing.cycles > 0) state = breathe(std::move(state));
    const std::vector<ClassId> before(state.class_of().begin(), state.class_of().end());
    const std::int64_t objective = state.objective();
    anneal(state, plan_.annealing, "heat-bath pass");
    climb(state, plan_.last_passes, "exchange pass");
    if (state.objective() >= objective) return state;
    // Too hot for this text: go back to where annealing began.
    state = bench_.resume(state.classes(), before);
    climb(state, plan_.last_passes, "exchange pass");
    return state;
  }

 private:
  void climb(State& state, int passes, const char* stage) {
    for (int pass = 0; pass < passes; ++pass) {
      const PassResult result = bench_.greedy_pass(state);
      bench_.record(stage, state, result.moved);
      if (result.moved == 0) break;
    }
  }

  void anneal(State& state, const Annealing& annealing, const char* stage) {
    for (int pass = 0; pass < annealing.passes; ++pass) {
      const double progress = annealing.passes > 1 ? static_cast<double>(pass) / (annealing.passes - 1) : 0;
      const double temperature = annealing.first * std::pow(annealing.last / annealing.first, progress);
      const PassResult result = bench_.heat_pass(state, temperature);
      bench_.record(stage, state, result.moved);
    }
  }

  /// More classes than wanted, then fewer and fewer, words moving all the while.
  State overshoot() {
    const ClassId most = bench_.at_most(plan_.stages.front().ratio * classes_);
    State state = bench_.start(most, bench_.modulo(most));
    for (const Stage& stage : plan_.stages) {
      const ClassId next = bench_.at_most(std::max(stage.ratio * classes_, 1.0 * classes_));
      if (next < state.classes()) {
        state = bench_.merged(std::move(state), next);
        bench_.record("merge", state, 0);
      }
      climb(state, stage.passes, "exchange pass");
    }
    return state;
  }

  State breathe(State state) {
    const Breathing& plan = plan_.breathing;
    std::vector<ClassId> best(state.class_of().begin(), state.class_of().end());
    std::int64_t best_objective = state.objective();
    int failures = 0;
    for (int cycle = 0; cycle < plan.cycles && failures < plan.failures; ++cycle) {
      state = bench_.split(state, bench_.at_most(kBreatheRatio * classes_));
      const ClassId between = (state.classes() + classes_) / 2;
      for (const ClassId next : {between, classes_}) {
        for (int pass = 0; pass < plan.passes; ++pass) bench_.heat_pass(state, plan.temperature);
        state = bench_.merged(std::move(state), next);
      }
      for (int pass = 0; pass < plan.cooling; ++pass) {
        const double progress = plan.cooling > 1 ? static_cast<double>(pass) / (plan.cooling - 1) : 1;
        bench_.heat_pass(state, plan.temperature * std::pow(kCoolTo / plan.temperature, progress));
      }
      for (int pass = 0; pass < 2; ++pass) bench_.greedy_pass(state);
      const bool better = state.objective() > best_objective;
      bench_.record(better ? "breathe, kept" : "breathe, dropped", state, 0);
      if (better) {
        best.assign(state.class_of().begin(), state.class_of().end());
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
  exchange::Workbench bench(counts, {options.constraints, options.boundaries}, options.classes,
                            plan.stages.front().ratio, run);
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
  exchange::Workbench bench(counts, {outsiders}, 1, clustering.class_count(), run);
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

#include "cluster/exchange/search_program.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace firth::exchange {
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
struct Cycles {
  int max_cycles;
  int max_failures;  // stop after this many in a row
  int cooling;       // heat-bath passes after the merges of a cycle
  double temperature;
  double pays;  // a cycle that gains less per pass than this share of what its level gained before has failed
};

/// Two searches are combined; then cycles of one kind after those of another.
struct SearchLevel {
  int cooling;  // heat-bath passes after the merges of the combination
  double temperature;
  std::vector<Cycles> cycles;
};

/// Of a start: many classes first, then fewer and fewer.
constexpr std::array<Stage, 5> kStages = {{{2, 2}, {1.6, 1}, {1.3, 1}, {1.1, 1}, {1, 0}}};
constexpr Annealing kStartAnnealing = {8, 2, 0.3};  // of a start, after its stages
constexpr double kSplitRatio = 1.5;                 // classes after a split
constexpr int kHotPasses = 2;                       // before each of the two merges of a cycle
constexpr int kLastPasses = 2;                      // greedy ones, after cooling
constexpr double kCoolTo = 0.3;

double weight_of(const std::vector<SearchStep>& steps) {
  double sum = 0;
  double ratio = 1;
  for (const SearchStep& step : steps) {
    if (step.kind == StepKind::start || step.kind == StepKind::merge || step.kind == StepKind::split) {
      ratio = step.value;
    } else if (step.kind == StepKind::combine) {
      ratio = kCombineRatio;
    } else if (step.kind == StepKind::merge_halfway) {
      ratio = (ratio + 1) / 2;
    } else if (step.kind == StepKind::greedy || step.kind == StepKind::heat) {
      sum += ratio;
    }
  }
  return sum;
}

class ProgramWriter {
 public:
  void add(StepKind kind, double value = 0, int max_failures = 0) {
    steps_.push_back({.kind = kind, .value = value, .max_failures = max_failures});
  }

  /// Greedy passes until hardly anything moves, but no more than `passes`.
  void climb(int passes) {
    for (int left = passes - 1; left >= 0; --left) {
      steps_.push_back({StepKind::greedy, 0, static_cast<std::size_t>(left)});
    }
  }

  void anneal(const Annealing& annealing) {
    for (int pass = 0; pass < annealing.passes; ++pass) {
      const double progress = annealing.passes > 1 ? static_cast<double>(pass) / (annealing.passes - 1) : 0;
      add(StepKind::heat, annealing.first * std::pow(annealing.last / annealing.first, progress));
    }
  }

  /// Heat and merges down to the wanted number of classes, then cooling.
  void merge_and_cool(double temperature, int cooling) {
    for (const bool last : {false, true}) {
      for (int pass = 0; pass < kHotPasses; ++pass) {
        steps_.push_back({StepKind::heat, temperature, 0, false});
      }
      add(last ? StepKind::merge : StepKind::merge_halfway, 1);
    }
    anneal({cooling, temperature, kCoolTo});
    climb(kLastPasses);
  }

  std::size_t size() const { return steps_.size(); }
  double weight() const { return weight_of(steps_); }
  /// The step at `place`, when it leaves steps out, goes on after the last one so far.
  void skip_to_here(std::size_t place) { steps_[place].skip = steps_.size() - place - 1; }
  std::vector<SearchStep> take() { return std::move(steps_); }

 private:
  std::vector<SearchStep> steps_;
};

SearchProgram start_program() {
  ProgramWriter writer;
  writer.add(StepKind::start, kStages.front().ratio);
  for (const Stage& stage : kStages) {
    writer.add(StepKind::merge, stage.ratio);
    writer.climb(stage.passes);
  }
  writer.add(StepKind::keep);
  writer.anneal(kStartAnnealing);
  writer.climb(1);
  writer.add(StepKind::restore_if_worse);  // too hot for this text
  return {writer.take()};
}

/// Ends with greedy passes, from which the next kind of cycles goes on.
void add_cycles(ProgramWriter& writer, const Cycles& cycles) {
  std::vector<std::size_t> ends;
  for (int cycle = 0; cycle < cycles.max_cycles; ++cycle) {
    const double before = writer.weight();
    writer.add(StepKind::split, kSplitRatio);
    writer.merge_and_cool(cycles.temperature, cycles.cooling);
    ends.push_back(writer.size());
    writer.add(StepKind::cycle_end, cycles.pays * (writer.weight() - before) / before, cycles.max_failures);
  }
  for (const std::size_t end : ends) writer.skip_to_here(end);
  writer.climb(kLastPasses);
}

SearchProgram combining_program(const SearchLevel& level) {
  ProgramWriter writer;
  writer.add(StepKind::parts);
  const std::size_t combine = writer.size();
  writer.add(StepKind::combine);
  writer.merge_and_cool(level.temperature, level.cooling);
  writer.add(StepKind::combine_end);
  writer.skip_to_here(combine);
  writer.add(StepKind::keep);
  for (const Cycles& cycles : level.cycles) {
    add_cycles(writer, cycles);
    writer.add(StepKind::keep);
  }
  return {writer.take()};
}

/// High begins with all that normal does, and max with all that high does, so that neither finds less.
std::vector<SearchLevel> levels_of(SearchEffort effort) {
  const Cycles first = {1, 1, 26, 1.8, 0};
  const Cycles second = {1, 1, 80, 2, 0};
  const SearchLevel normal = {16, 1.8, {first}};
  const SearchLevel high = {normal.cooling, normal.temperature, {first, second}};
  const SearchLevel many_cycles = {normal.cooling, normal.temperature, {first, second, {40, 5, 80, 2, 0.01}}};
  switch (effort) {
    case SearchEffort::fast:
      return {};
    case SearchEffort::normal:
      return {normal};
    case SearchEffort::high:
      return {high};
    case SearchEffort::max:
      return {many_cycles, {300, 2, {{12, 4, 300, 2, 0.01}}}};
  }
  return {normal};
}

}  // namespace

SearchPlan plan_for(SearchEffort effort) {
  SearchPlan plan = {start_program()};
  for (const SearchLevel& level : levels_of(effort)) plan.push_back(combining_program(level));
  return plan;
}

std::uint64_t random_stream(std::size_t programs, std::uint64_t place) {
  if (programs <= 2) return place - 1;
  const std::uint64_t searches_of_part = (std::uint64_t{1} << (programs - 1)) - 1;
  if (place == 1) return searches_of_part;
  const std::uint64_t half = std::bit_floor(place) / 2;  // places of one part at the depth of this one
  const bool second = (place & half) != 0;
  const std::uint64_t place_in_part = half + place % half;
  return (second ? searches_of_part + 1 : 0) + random_stream(programs - 1, place_in_part);
}

double max_class_ratio() {
  return kStages.front().ratio;
}

double weighted_passes(const SearchPlan& plan) {
  double sum = 0;
  for (const SearchProgram& program : plan) sum = 2 * sum + weight_of(program.steps);
  return sum;
}

}  // namespace firth::exchange

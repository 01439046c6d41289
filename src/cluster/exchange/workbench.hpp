// What every search by exchange needs: the problem, the team, the random numbers, and a record of the steps.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/state.hpp"
#include "cluster/exchange/sweep.hpp"
#include "cluster/exchange/units.hpp"
#include "firth/cluster.hpp"
#include "firth/progress.hpp"

namespace firth::exchange {

class Workbench {
 public:
  /// `most_classes` is the largest number of classes there will be. Throws UsageError if there are fewer
  /// units than `classes`, ResourceError before taking more memory than allowed.
  Workbench(const Counts& counts, const UnitOptions& options, ClassId classes, double overshoot,
            const RunOptions& run);

  std::size_t units() const { return units_.count; }
  const Units& unit_table() const { return units_; }
  /// Number of classes with that of the line ends, if they count: it is class 0.
  ClassId inner(ClassId classes) const { return classes + (units_.boundary ? 1 : 0); }
  /// Unit of rank r in class r mod `classes`, line ends in theirs.
  std::vector<ClassId> modulo(ClassId classes) const;
  /// Units are fewer than any overshoot allows: at most so many classes.
  ClassId at_most(double classes) const;
  base::Rng& rng() { return rng_; }
  const RunOptions& run() const { return *run_; }

  /// Starts over with other random numbers.
  void reseed(std::uint64_t restart);

  /// A state after the constraints have been applied to a first partition.
  State start(ClassId classes, std::vector<ClassId> class_of);
  /// A state whose partition keeps the constraints.
  State resume(ClassId classes, std::vector<ClassId> class_of);

  PassResult greedy_pass(State& state);
  PassResult heat_pass(State& state, double temperature);
  /// The state with `classes` classes, by greedy merges or by splits.
  State merged(State state, ClassId classes);
  State split(const State& state, ClassId classes);

  /// Puts each of the units into the class of `classes` classes that fits it best, most frequent first. They
  /// must be alone in the state's last class, which is empty afterwards and taken away.
  State settle(State state, std::span<const UnitId> newcomers);

  /// Progress of `passes` passes over all units at `classes` classes begins, or ends.
  void begin(const std::string& stage, double passes, ClassId classes);
  void end();
  /// Adds a line to the story of the run.
  void record(const std::string& stage, const State& state, std::uint64_t moved);

  /// The partition of words, its AMI, its tree if wanted, and the story.
  ClusterResult finish(const State& state, bool tree);

 private:
  void shuffle();

  const Counts* counts_;
  const RunOptions* run_;
  Units units_;
  UnitRules rules_;
  PairCounts bigrams_;
  Problem problem_;
  Tables tables_;
  base::WorkerTeam team_;
  Sweeper sweeper_;
  base::Rng rng_;
  std::vector<UnitId> order_;
  std::vector<IterationStats> story_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double done_ = 0;
  ClassId reference_classes_ = 1;  // classes at which a pass counts as one
  double pass_weight_ = 1;
  double note_bits_ = 0;
};

}  // namespace firth::exchange

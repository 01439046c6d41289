// What every search by exchange needs: the problem, the team, the random numbers, and a record of the steps.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "base/stage.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/anytime.hpp"
#include "cluster/exchange/search_checkpoint.hpp"
#include "cluster/exchange/state.hpp"
#include "cluster/exchange/sweep.hpp"
#include "cluster/exchange/unit_rules.hpp"
#include "firth/cluster_result.hpp"
#include "firth/run.hpp"
#include "firth/search_limits.hpp"

namespace firth::exchange {

/// What a search is about, besides the counts.
struct SearchProblemOptions {
  UnitOptions units;
  double size_weight = 0;  ///< of the prior on the sizes of classes
};

/// Throws UsageError about `field` if it is out of range: beyond, sums might not fit their integers.
void check_size_weight(double weight, std::string_view field);

/// What the memory of a search depends on, besides its classes.
struct SearchSize {
  std::uint64_t pairs = 0;  ///< distinct ones
  Count total = 0;          ///< bigrams
  std::size_t units = 0;
  unsigned shards = 1;  ///< ranks that hold the neighbour lists together
};

/// Bytes of a rank besides the counts: neighbour lists at worst (every pair more than once), and moves and matrices for
/// each search that goes on at the same time: a state of `max_classes` classes with the gains of its merges, or two states
/// of the wanted number.
std::uint64_t search_bytes(const SearchSize& size, double max_classes, unsigned searches);

/// Throws UsageError if the limits make no sense.
void check_limits(const SearchLimits& limits);

/// What does not change during a search; several contexts may share it.
class SearchProblem {
 public:
  /// There will be at most `overshoot` times `classes` classes. Throws UsageError if there are fewer units
  /// than `classes`, ResourceError before taking more memory than allowed. Where ranks hold the neighbour lists
  /// together, the pairs are those of rank 0.
  SearchProblem(const Counts& counts, const SearchProblemOptions& options, ClassId classes, double overshoot,
                const RunOptions& run);
  SearchProblem(const SearchProblem&) = delete;
  SearchProblem& operator=(const SearchProblem&) = delete;

  const Counts& counts() const { return *counts_; }
  const Units& units() const { return units_; }
  const UnitRules& rules() const { return rules_; }
  const Problem& problem() const { return problem_; }
  const Tables& tables() const { return tables_; }
  /// The first class of words: class 0 is that of the line ends, if they count.
  ClassId first_class() const { return units_.boundary ? 1 : 0; }
  /// Number of classes with that of the line ends, if they count.
  ClassId with_boundary_class(ClassId classes) const { return classes + first_class(); }
  /// A number of classes, rounded, but no more than there are units.
  ClassId capped(double classes) const;
  /// What checkpoints of a search for `classes` classes must fit.
  SearchShape shape(ClassId classes) const;
  /// Whether this many searches at the same time keep to the memory limit.
  bool has_room_for(unsigned searches, const RunOptions& run) const;

 private:
  const Counts* counts_;
  Units units_;
  UnitRules rules_;
  SearchSize size_;
  Problem problem_;
  Tables tables_;
  ClassId max_classes_;
};

/// The team, the random numbers, the progress and the log of one search. Large because every step needs them.
class SearchContext {
 public:
  /// All must outlive the context. `end`, if given, is told to look at the clock during passes.
  SearchContext(const SearchProblem& search_problem, const RunOptions& run, SearchEnd* end = nullptr);
  /// For a part of the work of `whole`, perhaps on another thread: what is done here counts there, as that of
  /// `groups` groups of ranks that do about the same.
  SearchContext(SearchContext& whole, const RunOptions& run, unsigned groups = 1);
  SearchContext(const SearchContext&) = delete;
  SearchContext& operator=(const SearchContext&) = delete;

  const SearchProblem& search_problem() const { return *search_problem_; }
  const Units& units() const { return search_problem_->units(); }
  ClassId first_class() const { return search_problem_->first_class(); }
  ClassId with_boundary_class(ClassId classes) const { return search_problem_->with_boundary_class(classes); }
  ClassId capped(double classes) const { return search_problem_->capped(classes); }
  /// Unit of rank r in class r mod `classes`, line ends in theirs.
  std::vector<ClassId> modulo(ClassId classes) const;
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

  /// Puts each of the units into the class that fits it best, most frequent first. They must be alone in the
  /// state's last class, which is empty afterwards and taken away.
  State place(State state, std::span<const UnitId> unplaced);

  /// What two partitions agree on as classes, the largest `max_classes` of them: units are together if they
  /// are in both. Units of smaller classes go where they fit best. Nothing if constraints leave no room.
  std::optional<State> overlap(std::span<const ClassId> one, std::span<const ClassId> other,
                               ClassId max_classes);

  /// A stage of `passes` passes over all units at `classes` classes begins.
  [[nodiscard]] base::Stage begin(const std::string& stage, double passes, ClassId classes);
  /// Adds the log of a part to that of the whole.
  void append(std::span<const IterationStats> lines);
  const std::vector<IterationStats>& history() const { return history_; }
  /// Adds a line to the log of the run.
  void record(const std::string& stage, const State& state, std::uint64_t moved);

  /// What a search needs to go on from here, besides its state.
  ContextSnapshot snapshot() const;
  /// To be called after resume().
  void restore(const ContextSnapshot& snapshot);

  /// The partition of words, its AMI, its tree if wanted, and the log. `run` is for the tree: it is built even
  /// if the search has ended early.
  ClusterResult finish(const State& state, bool tree, const RunOptions& run);

 private:
  void shuffle();
  /// Units done, or more of them if the time of the search will be up sooner than its work is done.
  std::uint64_t within_time(std::uint64_t done) const;
  /// What progress shows besides the share that is done: an AMI that never falls.
  std::string progress_note() const;
  /// Remembers the AMI of a partition with as many classes as are wanted.
  void note(const State& state);
  /// Throws WorldError if the ranks have come to different partitions.
  void compare_ranks(const State& state) const;

  const SearchProblem* search_problem_;
  const RunOptions* run_;
  SearchEnd* end_;
  base::WorkerTeam team_;
  Sweeper sweeper_;
  base::Rng rng_;
  std::vector<UnitId> order_;
  std::vector<IterationStats> history_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> own_done_ = 0;
  std::atomic<std::uint64_t>* done_;  // units scored, weighted; own or that of the whole
  ClassId reference_classes_ = 1;     // classes at which a pass counts as one
  unsigned groups_ = 1;
  double pass_weight_ = 1;
  std::uint64_t stage_units_ = 0;  // all that the stage has to do
  std::atomic<double> own_best_bits_ = 0;
  std::atomic<double>* best_bits_;  // own or that of the whole; 0 = none yet
};

}  // namespace firth::exchange

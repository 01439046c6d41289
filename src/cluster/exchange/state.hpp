// A partition of the units and everything exchange keeps about it.
//
// F = sum h(N(c,c')) - sum h(Nl(c)) - sum h(Nr(c)), h(x) = x ln x; AMI = (F + h(T)) / (T ln 2) bits. With a
// prior on the sizes of classes, its logarithm is part of F, and not of the AMI.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/worker_team.hpp"
#include "cluster/exchange/class_counts.hpp"
#include "cluster/exchange/contexts.hpp"
#include "cluster/exchange/pair_matrix.hpp"
#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/tables.hpp"

namespace firth::exchange {

/// A unit that goes from one class to another.
struct UnitMove {
  UnitId unit;
  ClassId from;
  ClassId to;

  UnitMove back() const { return {unit, to, from}; }
};

class State {
 public:
  /// `class_of` has a class below `classes` for every unit; no class may be empty when passes are to follow.
  /// `team`, if given, shares out the counting. Where ranks hold the lists of the problem together, all of them must
  /// make the same state.
  State(const Problem& problem, const Tables& tables, ClassId classes, std::vector<ClassId> class_of,
        base::WorkerTeam* team = nullptr);

  const Problem& problem() const noexcept { return *problem_; }
  const Tables& tables() const noexcept { return *tables_; }
  ClassId classes() const noexcept { return classes_; }
  std::span<const ClassId> class_of() const noexcept { return class_of_; }
  std::uint32_t members(ClassId c) const { return members_[c]; }

  const ClassCounts& counts() const noexcept { return counts_; }
  /// Hands the counts over; the state is of no use afterwards.
  ClassCounts release_counts() && { return std::move(counts_); }

  void collect(UnitId unit, Contexts& contexts) const;
  /// To be called now and then between moves: keeps the short way through the marginals open.
  void refresh_bounds();

  /// F(unit in `target`) - F(unit nowhere), exact.
  std::int64_t value(UnitId unit, const Contexts& contexts, ClassId target) const;
  /// Change of F by moving the unit to `target`, exact.
  std::int64_t gain(UnitId unit, const Contexts& contexts, ClassId target) const {
    return value(unit, contexts, target) - value(unit, contexts, class_of_[unit]);
  }
  /// Moves the unit; `gain` is what gain() said.
  void move(UnitId unit, const Contexts& contexts, ClassId target, std::int64_t gain);

  /// What gain() says of the move.
  std::int64_t gain(const UnitMove& move, const ContextSpans& contexts) const;

  /// Several moves together: enter() for each by one thread, then for each of them add_pairs(), then for each
  /// take_pairs(), both by one thread or, `shared`, by several; then add_gain() of the sum of what all of these
  /// returned. `contexts` are those after the moves that were entered before. Counts and F are then those of the
  /// moves one after the other, whatever the order of the calls: no count falls below 0 on the way, and the changes of
  /// F by one count add up to the same. Until refresh(), nothing but this, and gain() of a UnitMove, may be asked of the state.
  std::int64_t enter(const UnitMove& move);
  std::int64_t add_pairs(const UnitMove& move, const ContextSpans& contexts, bool shared);
  std::int64_t take_pairs(const UnitMove& move, const ContextSpans& contexts, bool shared);
  void add_gain(std::int64_t gain) { objective_ += gain; }
  void refresh(base::WorkerTeam& team);
  /// The pairs of the unit, as one of class `c`, will be read soon.
  void prefetch(const ContextSpans& contexts, ClassId c) const;
  /// Whether counts may be changed by several threads.
  bool can_share() const { return counts_.holds(problem_->total()); }

  /// F in fixed point.
  std::int64_t objective() const noexcept { return objective_; }
  double ami_bits() const;

 private:
  class PairRows;

  void count_marginals();
  void count_pairs(base::WorkerTeam* team);
  /// Of lists that ranks hold together: each adds up what it has, the sums are those of all.
  void add_up_pairs(const PairRows& rows, base::WorkerTeam* team);
  void set_pairs(ClassId left, std::span<const Count> row);
  std::int64_t compute_objective(base::WorkerTeam* team) const;
  /// Calls body(left, right, count) for each pair of classes in which the unit takes part as one of class `c`.
  template <typename Body>
  void for_pairs(UnitId unit, const ContextSpans& contexts, ClassId c, const Body& body) const;
  /// How often members of a class are neighbours of a unit.
  struct Meetings {
    Count right;
    Count left;
  };
  /// The part of a gain that is in the four pairs of the two classes, in their marginals and sizes.
  std::int64_t gain_between(const UnitMove& move, const Meetings& home, const Meetings& target) const;
  std::int64_t change_marginals(UnitId unit, ClassId c, bool joins);
  std::int64_t size_worth() const;

  const Problem* problem_;
  const Tables* tables_;
  ClassId classes_;
  std::vector<ClassId> class_of_;
  std::vector<std::uint32_t> members_;
  ClassCounts counts_;
  std::int64_t objective_ = 0;
  std::vector<bool> stale_;  // by class: whether its places in the marginal rows are out of date
  bool entered_ = false;     // since the last refresh()
};

}  // namespace firth::exchange

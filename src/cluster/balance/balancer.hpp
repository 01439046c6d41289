// From a partition without limits to one within limits, and from there upwards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/worker_team.hpp"
#include "cluster/balance/capacity.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth::balance {

/// A partition and what is maximised.
class BalanceModel {
 public:
  virtual ~BalanceModel() = default;

  [[nodiscard]] virtual std::span<const ClassId> class_of() const = 0;
  /// About what the objective gains if the unit moves to each class, 0 for its own; minus infinity where it may not go.
  /// Several threads ask at the same time, under different numbers.
  virtual void gains(std::size_t unit, unsigned worker, std::span<float> result) = 0;
  /// Whether the unit never moves.
  [[nodiscard]] virtual bool fixed(std::size_t unit) const = 0;
  /// Whether the unit may leave its class for `target` now.
  [[nodiscard]] virtual bool allows(std::size_t unit, ClassId target) const = 0;

  virtual void move(std::size_t unit, ClassId target) = 0;
  /// Moves only if the objective rises, by exact arithmetic; whether it did.
  virtual bool move_if_better(std::size_t unit, ClassId target) = 0;
  /// Lets two units of different classes change places if the objective rises; whether they did.
  virtual bool swap_if_better(std::size_t unit, std::size_t other) = 0;
};

/// When levelling ends: when no class is too large, or when no two classes can be brought closer to each other.
enum class LevelGoal : std::uint8_t { within_limits, alike };

/// Moves units of one model. The result does not depend on the number of threads.
class Balancer {
 public:
  Balancer(BalanceModel& model, Capacity& capacity, const RunOptions& run);

  /// Brings every class within its limit; false if units are too large for what is left.
  [[nodiscard]] bool repair();
  /// Moves and swaps that raise the objective; how many.
  std::uint64_t pass();
  /// Brings the sizes of classes closer to each other, whatever the objective says; for units of different sizes.
  void level(LevelGoal goal);

 private:
  static constexpr std::size_t kTargets = 8;

  struct Target {
    ClassId target = kNoClass;
    float gain = 0;
  };
  /// The classes that a unit likes best besides its own, best first.
  using Targets = std::array<Target, kTargets>;

  void score(std::span<const std::size_t> units, bool with_room);
  void note(std::size_t unit, std::span<const float> gains, bool with_room);
  void force(std::size_t unit, ClassId target);
  [[nodiscard]] bool may_move(std::size_t unit) const;
  [[nodiscard]] ClassId home(std::size_t unit) const { return model_.class_of()[unit]; }
  std::vector<std::size_t> by_eagerness(std::vector<std::size_t> units) const;
  ClassId open_target(std::size_t unit) const;
  std::size_t repair_round(bool whole_units);
  bool improve(std::size_t unit);
  bool swap_into(std::size_t unit, const Target& target);
  [[nodiscard]] bool may_swap(std::size_t unit, std::size_t other) const;
  bool swap(std::size_t unit, std::size_t other);
  void index_wishes();
  /// Units of a class that like another one, most eager first.
  struct Wish {
    std::uint64_t key;  ///< home and target
    float gain;
    std::size_t unit;
  };
  std::span<const Wish> wishes(ClassId from, ClassId to) const;
  BalanceModel& model_;
  Capacity& capacity_;
  const RunOptions& run_;
  base::WorkerTeam team_;
  std::vector<std::vector<float>> gains_;        // by thread
  std::vector<Targets> targets_;                 // by unit
  std::vector<Wish> wishes_;                     // by key, most eager first
  std::vector<std::vector<std::size_t>> light_;  // by class: its lightest units at the start of the pass
  std::vector<bool> pinned_;
};

/// What is to fit where.
struct BalanceProblem {
  std::vector<std::uint64_t> sizes;  ///< of the units
  ClassId first = 0;                 ///< classes before it stay as they are
  ClassId classes = 0;
  ClassSizes limits = {};
  int max_passes = 40;
};

/// Repairs and improves until nothing moves, or not for long. Throws UsageError if the units cannot fit, Cancelled.
void balance(BalanceModel& model, const BalanceProblem& problem, const RunOptions& run);

}  // namespace firth::balance

// Classes of the same size from units of different sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cluster/balance/balancer.hpp"
#include "cluster/balance/capacity.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth::balance {

/// Units go from a larger class to a smaller one, and others come back, if the two are closer to each other afterwards; of
/// such exchanges, one that costs little of the objective.
class Leveller {
 public:
  /// A size and a unit.
  using Sized = std::pair<std::uint64_t, std::size_t>;
  /// A unit, and about what the objective gains if it goes to the other class.
  struct Candidate {
    Sized unit;
    float gain;
  };

  /// `units` are those that may move.
  Leveller(BalanceModel& model, Capacity& capacity, std::span<const std::size_t> units);

  void level(LevelGoal goal, const RunOptions& run);

 private:
  /// Units that leave the larger class, and those that leave the smaller one for it.
  struct Exchange {
    std::vector<Sized> away;
    std::vector<Sized> back;
  };

  [[nodiscard]] std::vector<ClassId> by_load() const;
  bool level_once(LevelGoal goal, std::vector<bool>& stuck);
  bool narrow(ClassId large, ClassId small);
  bool swap_some(ClassId large, ClassId small, std::span<const Sized> ours, std::span<const Sized> theirs);
  std::vector<Candidate> candidates(std::span<const Sized> units, ClassId to);
  [[nodiscard]] std::vector<Sized> movable(ClassId from, ClassId to) const;
  bool carry_out(const Exchange& exchange, ClassId large, ClassId small);
  void move(const Sized& unit, ClassId from, ClassId to);

  BalanceModel& model_;
  Capacity& capacity_;
  std::vector<bool> taken_;                  ///< by class: by a unit that is to be alone
  std::vector<std::vector<Sized>> members_;  ///< by class: units that may move, lightest first
  std::vector<float> gains_;                 ///< by class, of one unit
  std::uint64_t average_ = 0;                ///< of the classes that are not taken
};

}  // namespace firth::balance

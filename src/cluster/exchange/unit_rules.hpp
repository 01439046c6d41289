// Constraints as rules for moves and merges.
#pragma once

#include <span>
#include <vector>

#include "cluster/exchange/merge.hpp"
#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/sweep.hpp"
#include "cluster/units.hpp"

namespace firth::exchange {

using clusters::kNoSeed;
using clusters::UnitOptions;
using clusters::Units;

/// The constraints as rules for moves and merges.
class UnitRules : public MoveRules {
 public:
  explicit UnitRules(const Units& units) : units_(&units) {}

  bool fixed(UnitId unit) const override;
  /// Whether a constraint names the unit. (That no word shares the class of line ends is not one.)
  bool bound(UnitId unit) const;
  void mask(UnitId unit, std::span<const ClassId> class_of, std::span<float> scores) const override;
  bool allows(UnitId unit, std::span<const ClassId> class_of, ClassId target) const override;

  /// Classes that must not be merged.
  Conflicts conflicts(std::span<const ClassId> class_of, ClassId classes) const;

  /// Moves units of a first partition so that every rule is kept; seed classes become classes 0, 1, ... .
  /// Every class keeps a unit. Throws UsageError if that takes more classes.
  void repair(std::vector<ClassId>& class_of, ClassId classes) const;

 private:
  /// Every unit goes to its class, or to the next one that the rules allow.
  void place_by_rules(std::vector<ClassId>& class_of, ClassId classes) const;
  void fill_empty_classes(std::vector<ClassId>& class_of, ClassId classes) const;

  const Units* units_;
};

}  // namespace firth::exchange

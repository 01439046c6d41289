// From words and constraints to units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/exchange/merge.hpp"
#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/sweep.hpp"
#include "firth/constraints.hpp"
#include "firth/counts.hpp"

namespace firth::exchange {

inline constexpr ClassId kNoSeed = static_cast<ClassId>(-1);

/// What constraints say about a vocabulary: words that must share a class are one unit.
struct Units {
  std::vector<WordId> words;               ///< the words that take part, by rank
  std::vector<UnitId> unit_of;             ///< unit of words[i], numbered by their first word
  std::size_t count = 0;                   ///< number of units
  std::vector<ClassId> seed_of;            ///< number of its seed class, or kNoSeed; empty = no seeds
  ClassId seeds = 0;                       ///< number of seed classes
  std::vector<std::vector<UnitId>> apart;  ///< units that may not share a unit's class; empty = none at all
  bool boundary = false;  ///< the last unit is no word but the end of a line, alone in class 0

  bool constrained() const noexcept { return seeds > 0 || !apart.empty(); }
};

/// What is made into units.
struct UnitOptions {
  const Constraints& constraints;
  bool boundaries = false;  ///< ends of lines are a context of their own
};

/// Throws InputError, with file and line, when constraints contradict each other.
Units make_units(const Vocabulary& vocabulary, const UnitOptions& options);

/// The bigrams between the words that take part, numbered as they are in `units`; the end of a line, where it
/// counts, comes after them.
PairCounts bigrams_of(const Counts& counts, const Units& units);

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

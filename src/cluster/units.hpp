// From words and constraints to units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firth/constraints.hpp"
#include "firth/counts.hpp"

namespace firth::clusters {

/// Rank of a unit; units are numbered by their first word, so 0 holds the most frequent word.
using UnitId = std::uint32_t;

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

}  // namespace firth::clusters

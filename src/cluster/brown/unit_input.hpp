// What the engines cluster: words, or units that constraints make of them, and the end of a line if it counts.
#pragma once

#include <vector>

#include "cluster/brown/options_names.hpp"
#include "firth/clustering.hpp"
#include "firth/counts.hpp"

namespace firth::brown {

/// Words that must share a class are one unit, numbered by its first word. The engines see units as words.
struct UnitInput {
  Counts counts;  ///< of units; unit 0 is the end of a line, if that counts
  bool line_ends = false;
  std::vector<WordId> order;  ///< in which units enter, the end of a line first
  std::vector<std::vector<WordId>>
      apart;                  ///< by unit: those that must not share its class; empty = none at all
  Vocabulary vocabulary;      ///< of the words that take part
  std::vector<WordId> words;  ///< their numbers in the whole vocabulary
  std::vector<std::vector<WordId>>
      members;  ///< by unit: its words, by place in `words`; empty = one word each

  /// The classes and the tree of the words: those of a unit merge before anything else.
  Clustering cluster_words(const MergeTree& tree, ClassId classes) const;
};

/// Throws UsageError (more classes than units, fewer than seed classes; a wrong order), InputError (constraints that contradict
/// each other).
UnitInput make_unit_input(const Counts& counts, const BrownOptions& options);

}  // namespace firth::brown

// A search as a list of steps, so that it can stop after any of them and go on later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "firth/auto.hpp"

namespace firth::exchange {

/// Classes on which two partitions agree, as a multiple of the wanted number.
inline constexpr double kCombineRatio = 1.25;

enum class StepKind : std::uint8_t {
  start,             ///< units by rank modulo `value` times the wanted classes
  merge,             ///< down to `value` times the wanted classes
  merge_halfway,     ///< half of the way to the wanted classes
  greedy,            ///< a greedy pass; if hardly anything moves, `skip` steps are left out
  heat,              ///< a heat-bath pass at temperature `value`
  keep,              ///< the partition is the best so far
  restore_if_worse,  ///< back to the best so far, if it is better
  parts,             ///< two searches of the level below
  /// What both agree on; if that is all, or constraints forbid it, the better one, and `skip` steps are left out. If
  /// the parts were combining searches themselves, and agree, all steps are.
  combine,
  combine_end,  ///< back to the better of the two parts, unless the combination is better
  split,        ///< up to `value` times the wanted classes
  /// The best so far is kept. A cycle has failed if it gained less than `value` times what was gained from the
  /// combination up to it; after `max_failures` in a row, `skip` steps are left out.
  cycle_end,
};

struct SearchStep {
  StepKind kind;
  double value = 0;
  std::size_t skip = 0;
  bool logged = true;  ///< passes: a line in the log of the run
  int max_failures = 0;
};

/// The steps of a search of one level: 0 is a start; level n combines two searches of level n - 1.
struct SearchProgram {
  std::vector<SearchStep> steps;
};

/// One program per level; the last is that of the whole search.
using SearchPlan = std::vector<SearchProgram>;

/// The programs for an effort. Their stages and constants come from measurements: see MATH.md here.
SearchPlan plan_for(SearchEffort effort);

/// The stream of random numbers of one search. `place` numbers the searches of a plan from 1, as the nodes of a tree: 2n
/// and 2n + 1 are the parts of n. With three `programs` or more, the first part draws what it would draw in a run of its
/// own.
std::uint64_t random_stream(std::size_t programs, std::uint64_t place);

/// Largest number of classes during a search, as a multiple of the wanted one.
double max_class_ratio();

/// Passes over all units, each weighted by its number of classes, of the whole search: what its time is made of.
double weighted_passes(const SearchPlan& plan);

}  // namespace firth::exchange

// What two partitions have in common.
#pragma once

#include <span>
#include <vector>

#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/unit_rules.hpp"

namespace firth::exchange {

class SearchProblem;

/// A partition of those units that two partitions treat alike.
struct Overlap {
  ClassId classes = 0;            ///< 0: constraints leave no room
  std::vector<ClassId> class_of;  ///< `classes` for the units that are left over
  std::vector<UnitId> unplaced;   ///< the units that are left over, most frequent first
};

/// Whether two partitions are the same but for the numbers of their classes.
bool same_partition(std::span<const ClassId> one, std::span<const ClassId> other);

/// Units share a class if they do in both partitions. Of these classes the `max_classes` with the most bigrams stay;
/// those with constrained units stay in any case, first of all, in the order of their classes in `one`.
Overlap overlap_of(const SearchProblem& search_problem, std::span<const ClassId> one,
                   std::span<const ClassId> other, ClassId max_classes);

}  // namespace firth::exchange

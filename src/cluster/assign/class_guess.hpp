// What the classifiers of this room answer.
#pragma once

#include <limits>
#include <vector>

#include "firth/types.hpp"

namespace firth::clusters {

/// The class that a classifier chose.
struct ClassGuess {
  ClassId class_id = 0;
  double margin_nats = 0;  ///< log probability ahead of the second best; 0 if there is no other
};

/// The log probability of a class that cannot be chosen.
inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// The class of the highest log probability, the first of several. Needs one that can be chosen; `scores` is used up.
ClassGuess best_guess(std::vector<double>& scores);

}  // namespace firth::clusters

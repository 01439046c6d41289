// What the classifiers of this room answer.
#pragma once

#include "firth/types.hpp"

namespace firth::clusters {

/// The class that a classifier chose.
struct ClassGuess {
  ClassId class_id = 0;
  double margin_nats = 0;  ///< log probability ahead of the second best; 0 if there is no other
};

}  // namespace firth::clusters

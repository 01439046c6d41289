#include "cluster/assign/class_guess.hpp"

#include <algorithm>
#include <utility>

namespace firth::clusters {

ClassGuess best_guess(std::vector<double>& scores) {
  const auto best = std::max_element(scores.begin(), scores.end());
  const auto class_id = static_cast<ClassId>(best - scores.begin());
  const double score = std::exchange(*best, kImpossible);
  const double second = *std::max_element(scores.begin(), scores.end());
  return {class_id, second == kImpossible ? 0 : score - second};
}

}  // namespace firth::clusters

// The weight with which the best hypotheses have the fewest errors, others fixed (Och 2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace firth::lm {

/// A hypothesis while one weight moves: its total is offset + weight * slope.
struct MovingHypothesis {
  double offset = 0;
  double slope = 0;
  std::uint64_t errors = 0;
};

/// Hypotheses of one list, in order: of equal totals the first wins.
using MovingList = std::vector<MovingHypothesis>;

/// The place with the fewest errors, and how many those are.
struct BestWeight {
  double weight = 0;
  std::uint64_t errors = 0;
};

/// Errors of the best hypotheses with this weight.
std::uint64_t errors_at(std::span<const MovingList> lists, double weight);

/// The best of all weights: the middle of a stretch without a change, the one nearest to `now` of several. `now` itself
/// if nothing is better.
BestWeight best_weight(std::span<const MovingList> lists, double now);

}  // namespace firth::lm

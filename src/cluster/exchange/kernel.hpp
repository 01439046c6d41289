// The inner loop: what a unit is worth in every class at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "base/rng.hpp"
#include "cluster/exchange/state.hpp"

namespace firth::exchange {

/// Nl and Nr of whatever is scored.
struct UnitMarginals {
  Count out;
  Count in;
};

/// Some of the classes of a padded row: lanes begin .. end - 1, both multiples of kLaneBlock.
struct Lanes {
  std::size_t begin;
  std::size_t end;
};
inline constexpr std::size_t kLaneBlock = 16;

/// The part of score_classes() that is the same for every lane: contexts one by one, and the marginals. Fills
/// scores[lanes.begin] .. scores[lanes.end - 1]; what a lane gets does not depend on the others.
void score_contexts(const ClassCounts& counts, const Contexts& contexts, UnitMarginals unit, Lanes lanes,
                    float* scores);

/// Fills scores[B] with F(unit in B) - F(unit nowhere) for every class B, in single precision (about 2e-5
/// nats for each count of the unit). `scores` has room for a padded row. One lane is one class, and each lane
/// adds its contexts in the same order, so the result does not depend on the width of the machine's vectors.
void score_classes(const State& state, UnitId unit, const Contexts& contexts,
                   base::AlignedVector<float>& scores);

/// The rest of score_classes(), after score_contexts() of these lanes: what is particular to single ones.
void correct_scores(const State& state, UnitId unit, const Contexts& contexts, Lanes lanes, float* scores);

/// The class with the highest score, the first of equals.
ClassId best_class(std::span<const float> scores);

/// Classes this many temperatures below the best are never drawn: their probability is below 1e-6 of its.
inline constexpr float kCutoffTemperatures = 14;

/// Memory for draw_class.
struct DrawScratch {
  base::AlignedVector<float> weights;
  std::vector<float> sums;
};

/// A class drawn with probability proportional to exp(score / temperature), to about 3e-6.
ClassId draw_class(std::span<const float> scores, double temperature, double uniform, DrawScratch& scratch);

}  // namespace firth::exchange

#include "tagger/adagrad.hpp"

#include <cmath>

#include "base/simd.hpp"

namespace firth::tagger {
namespace {

constexpr float kRate = 0.1F;
constexpr float kDamping = 0.1F;

// Short rows: the widest vectors would be used for none of them.
FIRTH_CLONES_SHORT
void add_row(const float* row, float factor, std::span<float> scores) {
  const float* const __restrict from = row;
  float* const __restrict to = scores.data();
  for (std::size_t t = 0; t < scores.size(); ++t) to[t] += factor * from[t];
}

FIRTH_CLONES_SHORT
void step_row(float* row, float factor, std::span<const float> gradient) {
  const std::size_t tags = gradient.size();
  const float* const __restrict from = gradient.data();
  float* const __restrict weights = row;
  float* const __restrict squares = row + tags;
  for (std::size_t t = 0; t < tags; ++t) {
    const float g = factor * from[t];
    squares[t] += g * g;
    weights[t] += kRate * g / (kDamping + std::sqrt(squares[t]));
  }
}

}  // namespace

void AdaGrad::add(std::size_t row, float factor, std::span<float> scores) const {
  add_row(values_.data() + 2 * row * tags_, factor, scores);
}

void AdaGrad::update(std::size_t row, float factor, std::span<const float> gradient) {
  step_row(values_.data() + 2 * row * tags_, factor, gradient);
}

void MeanWeights::take(AdaGrad& weights) {
  sums_.resize(weights.rows() * weights.tags_, 0);
  for (std::size_t row = 0; row < weights.rows(); ++row) {
    const std::span<const float> from = weights.row(row);
    for (std::size_t t = 0; t < from.size(); ++t) sums_[row * weights.tags_ + t] += from[t];
  }
  taken_ += 1;
  weights.restart();
}

void MeanWeights::give(AdaGrad& weights) {
  for (std::size_t row = 0; row < weights.rows(); ++row) {
    float* const to = weights.values_.data() + 2 * row * weights.tags_;
    for (std::size_t t = 0; t < weights.tags_; ++t) to[t] = sums_[row * weights.tags_ + t] / taken_;
  }
  *this = {};
}

}  // namespace firth::tagger

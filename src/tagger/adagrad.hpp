// Weights that learn with steps of their own: large for what was rarely changed, small for what often was.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace firth::tagger {

/// AdaGrad (Duchi et al. 2011): a weight changes by rate * g / (damping + sqrt(sum of all g^2 so far)).
/// Weights are in rows; a row has one for each tag.
class AdaGrad {
 public:
  AdaGrad(std::size_t rows, std::size_t tags) : tags_(tags), values_(rows * tags * 2, 0) {}

  static std::size_t bytes_per_row(std::size_t tags) { return 2 * tags * sizeof(float); }

  std::size_t rows() const noexcept { return values_.size() / (2 * tags_); }
  std::span<const float> row(std::size_t i) const { return std::span(values_).subspan(2 * i * tags_, tags_); }

  /// scores[t] += factor * weight t of the row.
  void add(std::size_t row, float factor, std::span<float> scores) const;
  /// A step upwards; the gradient of weight t is factor * gradient[t].
  void update(std::size_t row, float factor, std::span<const float> gradient);

  /// As after construction.
  void restart() { values_.assign(values_.size(), 0); }

 private:
  friend class MeanWeights;

  std::size_t tags_;
  std::vector<float> values_;  // of each row the weights, then the sums of squares
};

/// The mean of the weights of several trainings. Each depends on the order of its sentences; what they have in
/// common depends on it less.
class MeanWeights {
 public:
  static std::size_t bytes_per_row(std::size_t tags) { return tags * sizeof(float); }

  /// Adds the weights of a training; they start anew.
  void take(AdaGrad& weights);
  /// Puts the mean of what was taken into `weights`; nothing is left here.
  void give(AdaGrad& weights);

 private:
  std::vector<float> sums_;
  float taken_ = 0;
};

}  // namespace firth::tagger

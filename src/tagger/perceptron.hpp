// Weights while they are learnt, with their averages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tagger/feature_index.hpp"
#include "tagger/model.hpp"

namespace firth::tagger {

/// An averaged perceptron (Collins 2002). Averages are kept lazily: with w the weight and u the sum of
/// step * change, the average over steps 1..c is w - u / c.
class Perceptron {
 public:
  explicit Perceptron(std::size_t tags) : tags_(tags) {}

  FeatureIndex& index() noexcept { return index_; }
  /// The most that a feature takes.
  static std::size_t bytes_per_feature(std::size_t tags) {
    return sizeof(std::uint32_t) + tags * (sizeof(std::int32_t) + sizeof(std::int64_t));
  }
  /// Memory of the index and the weights, with what is needed for the next features.
  std::uint64_t bytes() const;
  /// Address space for the weights of all features that are known, so that they need not be copied as they get more.
  void reserve();
  /// The number of a feature.
  std::uint32_t number(Hash feature) { return index_.find_or_add(feature); }
  /// kNone if it was never added.
  std::uint32_t find(Hash feature) const { return index_.find(feature); }

  /// Adds the weights of a feature, in kUnit-th parts.
  void add(std::uint32_t feature, std::span<Score> scores) const {
    if (feature >= rows_.size() || rows_[feature] == kNoRow) return;
    const std::int32_t* const row = weights_.data() + rows_[feature] * tags_;
    for (std::size_t t = 0; t < tags_; ++t) scores[t] += row[t] * kUnit;
  }

  /// Changes the weight of a feature for a tag by +1 or -1.
  void update(std::uint32_t feature, TagId tag, int change);

  /// One more example was seen.
  void step() { ++steps_; }
  std::int64_t steps() const noexcept { return steps_; }

  /// The averages, in kUnit-th parts. The end: what was learnt is gone, to make room for them.
  SparseWeights take_average();

 private:
  static constexpr std::uint32_t kNoRow = static_cast<std::uint32_t>(-1);

  std::int32_t average_of(std::size_t at) const;

  std::size_t tags_;
  FeatureIndex index_;
  std::vector<std::uint32_t> rows_;  // of features: most never change, and have none
  std::size_t row_count_ = 0;
  std::vector<std::int32_t> weights_;
  std::vector<std::int64_t> sums_;
  std::int64_t steps_ = 1;
};

/// The same for the weights of vectors.
class VectorPerceptron {
 public:
  VectorPerceptron(std::size_t dimensions, std::size_t tags)
      : dimensions_(dimensions),
        tags_(tags),
        weights_(kVectorOffsets * dimensions * tags, 0),
        sums_(weights_.size(), 0) {}

  std::span<const float> weights_at(std::size_t offset) const {
    return std::span(weights_).subspan(offset * dimensions_ * tags_, dimensions_ * tags_);
  }
  void update(std::size_t offset, std::span<const float> vector, TagId tag, int change, std::int64_t step);
  std::vector<float> average(std::int64_t steps) const;

 private:
  std::size_t dimensions_;
  std::size_t tags_;
  std::vector<float> weights_;
  std::vector<double> sums_;
};

}  // namespace firth::tagger

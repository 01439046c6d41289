#include "tagger/perceptron.hpp"

#include <algorithm>

namespace firth::tagger {

void Perceptron::update(std::uint32_t feature, TagId tag, int change) {
  if (feature >= rows_.size()) rows_.resize(index_.size(), kNoRow);
  if (rows_[feature] == kNoRow) {
    rows_[feature] = static_cast<std::uint32_t>(row_count_++);
    weights_.resize(row_count_ * tags_, 0);
    sums_.resize(row_count_ * tags_, 0);
  }
  const std::size_t at = rows_[feature] * tags_ + tag;
  weights_[at] += change;
  sums_[at] += change * steps_;
}

SparseWeights Perceptron::average() const {
  SparseWeights result;
  for (std::size_t feature = 0; feature < rows_.size(); ++feature) {
    if (rows_[feature] == kNoRow) continue;
    const std::size_t before = result.values.size();
    for (std::size_t t = 0; t < tags_; ++t) {
      const std::size_t at = rows_[feature] * tags_ + t;
      // kUnit * (w - u / c), rounded to the nearest whole number, away from zero at halves.
      const std::int64_t numerator = (weights_[at] * steps_ - sums_[at]) * kUnit;
      const std::int64_t half = numerator < 0 ? -steps_ / 2 : steps_ / 2;
      const Score value = std::clamp<Score>((numerator + half) / steps_, -kMaxWeight, kMaxWeight);
      if (value == 0) continue;
      result.tags.push_back(static_cast<TagId>(t));
      result.values.push_back(static_cast<std::int32_t>(value));
    }
    if (result.values.size() == before) continue;
    result.index.find_or_add(index_.keys()[feature]);
    result.first.push_back(result.values.size());
  }
  return result;
}

void VectorPerceptron::update(std::size_t offset, std::span<const float> vector, TagId tag, int change,
                              std::int64_t step) {
  const std::size_t begin = offset * dimensions_ * tags_ + tag;
  for (std::size_t d = 0; d < vector.size(); ++d) {
    const float x = change > 0 ? vector[d] : -vector[d];
    weights_[begin + d * tags_] += x;
    sums_[begin + d * tags_] += static_cast<double>(x) * static_cast<double>(step);
  }
}

std::vector<float> VectorPerceptron::average(std::int64_t steps) const {
  std::vector<float> result(weights_.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<float>(static_cast<double>(weights_[i]) - sums_[i] / static_cast<double>(steps));
  }
  return result;
}

}  // namespace firth::tagger

#include "tagger/perceptron.hpp"

#include <algorithm>

namespace firth::tagger {

std::uint64_t Perceptron::bytes() const {
  constexpr std::size_t kNext = 4096;  // features of one sentence and its tags
  const std::uint64_t features = index_.size() + kNext;
  std::uint64_t all = index_.bytes_for(features) + features * sizeof(std::uint32_t) +
                      (row_count_ + kNext) * tags_ * (sizeof(std::int32_t) + sizeof(std::int64_t));
  // A list that moves is there twice for a while. One moves at a time, and the sums are the longest.
  if ((row_count_ + kNext) * tags_ > sums_.capacity()) all += row_count_ * tags_ * sizeof(std::int64_t);
  return all;
}

void Perceptron::reserve() {
  constexpr std::size_t kShareOfTags = 2;  // features of tags before come while it learns
  rows_.resize(index_.size(), kNoRow);
  weights_.reserve(kShareOfTags * index_.size() * tags_);
  sums_.reserve(kShareOfTags * index_.size() * tags_);
}

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

std::int32_t Perceptron::average_of(std::size_t at) const {
  // kUnit * (w - u / c), rounded to the nearest whole number, away from zero at halves.
  const std::int64_t numerator = (weights_[at] * steps_ - sums_[at]) * kUnit;
  const std::int64_t half = numerator < 0 ? -steps_ / 2 : steps_ / 2;
  return static_cast<std::int32_t>(std::clamp<Score>((numerator + half) / steps_, -kMaxWeight, kMaxWeight));
}

SparseWeights Perceptron::take_average() {
  SparseWeights result;
  std::size_t count = 0;
  for (std::size_t at = 0; at < weights_.size(); ++at) {
    weights_[at] = average_of(at);
    count += weights_[at] != 0 ? 1 : 0;
  }
  sums_ = {};  // larger than what is made of them now
  result.tags.reserve(count);
  result.values.reserve(count);
  std::vector<Hash> keys = index_.take_keys();
  std::size_t kept = 0;
  for (std::size_t feature = 0; feature < rows_.size(); ++feature) {
    if (rows_[feature] == kNoRow) continue;
    const std::size_t before = result.values.size();
    for (std::size_t t = 0; t < tags_; ++t) {
      const std::int32_t value = weights_[rows_[feature] * tags_ + t];
      if (value == 0) continue;
      result.tags.push_back(static_cast<TagId>(t));
      result.values.push_back(value);
    }
    if (result.values.size() == before) continue;
    keys[kept++] = keys[feature];
    result.first.push_back(result.values.size());
  }
  rows_ = {};
  weights_ = {};
  result.index.reserve(kept);
  for (const Hash key : std::span(keys).first(kept)) result.index.find_or_add(key);
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

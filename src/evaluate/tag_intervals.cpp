#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "firth/tag_scores.hpp"

namespace firth {
namespace {

struct Sample {
  double f1 = 0;
  double accuracy = 0;
};

Sample resample_sentences(const TagScore& score, std::span<const std::size_t> chosen) {
  EntityCounts entities;
  TagScore sum;
  for (const std::size_t i : chosen) {
    entities += score.sentences[i].entities;
    sum.words += score.sentences[i].words;
    sum.right_words += score.sentences[i].right_words;
  }
  return {entities.f1(), sum.accuracy()};
}

ConfidenceInterval percentiles(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double fraction) {
    const auto index =
        static_cast<std::size_t>(std::floor(fraction * static_cast<double>(values.size() - 1) + 0.5));
    return values[std::min(index, values.size() - 1)];
  };
  return {at((1 - level) / 2), at((1 + level) / 2)};
}

/// `base` may be nullptr.
Bootstrap intervals(const TagScore& score, const TagScore* base, const BootstrapOptions& options) {
  validate(options);
  if (score.sentences.empty()) return {};
  base::Rng rng(options.seed);
  std::vector<std::size_t> chosen(score.sentences.size());
  std::vector<double> f1;
  std::vector<double> accuracy;
  for (int sample = 0; sample < options.samples; ++sample) {
    for (std::size_t& i : chosen) i = rng.below(score.sentences.size());
    Sample drawn = resample_sentences(score, chosen);
    if (base != nullptr) {
      const Sample other = resample_sentences(*base, chosen);
      drawn.f1 -= other.f1;
      drawn.accuracy -= other.accuracy;
    }
    f1.push_back(drawn.f1);
    accuracy.push_back(drawn.accuracy);
  }
  return {percentiles(std::move(f1), options.level), percentiles(std::move(accuracy), options.level)};
}

}  // namespace

void validate(const BootstrapOptions& options) {
  if (options.samples < 1 || options.samples > 1000000) {
    throw UsageError("the number of bootstrap samples must be 1 to 1000000", "", "BootstrapOptions::samples");
  }
  if (!(options.level > 0 && options.level < 1))
    throw UsageError("the level must be between 0 and 1", "", "BootstrapOptions::level");
}

Bootstrap bootstrap(const TagScore& score, const BootstrapOptions& options) {
  return intervals(score, nullptr, options);
}

Bootstrap gain_interval(const TagScore& score, const TagScore& base, const BootstrapOptions& options) {
  if (score.sentences.size() != base.sentences.size()) {
    throw UsageError("two scores of different numbers of sentences", "score the same sentences");
  }
  return intervals(score, &base, options);
}

}  // namespace firth

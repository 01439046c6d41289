#include "cluster/assign/spelling_classifier.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cluster/word_shape.hpp"

namespace firth::clusters {
namespace {

/// Longest ending and beginning that is a feature, in characters.
constexpr std::size_t kMaxAffix = 4;
/// Weight of the overall frequency of a feature against its frequency in a class, in words.
constexpr double kPrior = 2;

enum FeatureKind : std::uint64_t { kShape = 1, kEnding, kBeginning, kDigit };

std::uint64_t hash(FeatureKind kind, std::string_view text) {
  return XXH3_64bits_withSeed(text.data(), text.size(), kind);
}

using Occurrence = std::pair<std::uint64_t, ClassId>;  // of a feature in a word of a class

std::vector<Occurrence> all_occurrences(const Vocabulary& words, std::span<const ClassId> classes) {
  std::vector<Occurrence> found;
  for (WordId word = 0; word < words.size(); ++word) {
    if (classes[word] == kNoClass) continue;
    for (const std::uint64_t feature : spelling_features(words.word(word))) {
      found.emplace_back(feature, classes[word]);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<std::uint64_t> spelling_features(std::string_view word) {
  const std::vector<std::string_view> characters = utf8_characters(word);
  std::vector<std::uint64_t> features = {hash(kShape, word_shape(word))};
  std::size_t beginning = 0;
  std::size_t ending = 0;
  for (std::size_t length = 1; length <= kMaxAffix && length < characters.size(); ++length) {
    ending += characters[characters.size() - length].size();
    beginning += characters[length - 1].size();
    features.push_back(hash(kEnding, word.substr(word.size() - ending)));
    features.push_back(hash(kBeginning, word.substr(0, beginning)));
  }
  if (word.find_first_of("0123456789") != std::string_view::npos) features.push_back(hash(kDigit, ""));
  return features;
}

SpellingClassifier::SpellingClassifier(const Vocabulary& words, std::span<const ClassId> classes) {
  std::vector<double> sizes;
  double all = 0;
  for (const ClassId c : classes) {
    if (c == kNoClass) continue;
    if (c >= sizes.size()) sizes.resize(c + std::size_t{1}, 0);
    ++sizes[c];
    ++all;
  }
  for (const double size : sizes) {
    log_prior_.push_back(size == 0 ? kImpossible : std::log((size + 0.5) / all));
    log_size_.push_back(std::log(size + kPrior));
  }
  const std::vector<Occurrence> found = all_occurrences(words, classes);
  for (std::size_t i = 0; i < found.size();) {
    const std::uint64_t feature = found[i].first;
    std::size_t end = i;
    while (end < found.size() && found[end].first == feature) ++end;
    const double prior = kPrior * static_cast<double>(end - i) / all;
    features_.push_back(feature);
    first_.push_back(weights_.size());
    while (i < end) {
      const std::size_t begin = i;
      while (i < end && found[i].second == found[begin].second) ++i;
      weights_.push_back({found[begin].second, std::log1p(static_cast<double>(i - begin) / prior)});
    }
  }
  first_.push_back(weights_.size());
}

ClassGuess SpellingClassifier::guess(std::string_view word) const {
  std::vector<double> scores = log_prior_;
  double known = 0;
  for (const std::uint64_t feature : spelling_features(word)) {
    const auto found = std::lower_bound(features_.begin(), features_.end(), feature);
    if (found == features_.end() || *found != feature) continue;
    const auto index = static_cast<std::size_t>(found - features_.begin());
    ++known;
    for (std::size_t i = first_[index]; i < first_[index + 1]; ++i) {
      scores[weights_[i].class_id] += weights_[i].log_gain;
    }
  }
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] -= known * log_size_[c];
  return best_guess(scores);
}

}  // namespace firth::clusters

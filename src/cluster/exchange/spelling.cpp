#include "cluster/exchange/spelling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace firth::exchange {
namespace {

/// Longest ending and beginning looked at, in characters.
constexpr std::size_t kLongest = 4;
/// Weight of the overall frequency of a feature against its frequency in a class, in words.
constexpr double kPrior = 2;

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// Runs of capitals, small letters, digits, other signs: "Mc-42" is "Xx-9".
std::string shape(std::string_view word) {
  std::string shape;
  for (const char byte : word) {
    char kind = byte;
    if (byte >= 'A' && byte <= 'Z') kind = 'X';
    if (byte >= 'a' && byte <= 'z') kind = 'x';
    if (byte >= '0' && byte <= '9') kind = '9';
    if (static_cast<unsigned char>(byte) >= 0x80U) kind = 'u';
    if (shape.empty() || shape.back() != kind) shape.push_back(kind);
  }
  return shape;
}

}  // namespace

std::vector<std::string> spelling_features(std::string_view word) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (starts_character(word[i])) starts.push_back(i);
  }
  std::vector<std::string> features = {"s:" + shape(word)};
  for (std::size_t length = 1; length <= kLongest && length < starts.size(); ++length) {
    features.push_back("e:" + std::string(word.substr(starts[starts.size() - length])));
    features.push_back("b:" + std::string(word.substr(0, starts[length])));
  }
  if (word.find_first_of("0123456789") != std::string_view::npos) features.emplace_back("d");
  return features;
}

Spelling::Spelling(const Clustering& model)
    : words_(model.class_count(), 0), all_words_(static_cast<double>(model.word_count())) {
  for (WordId word = 0; word < model.word_count(); ++word) {
    const ClassId c = model.class_of(word);
    ++words_[c];
    for (std::string& feature : spelling_features(model.vocabulary().word(word))) {
      auto& counts = counts_[std::move(feature)];
      const auto found =
          std::find_if(counts.begin(), counts.end(), [c](const auto& entry) { return entry.first == c; });
      if (found == counts.end()) {
        counts.emplace_back(c, 1);
      } else {
        ++found->second;
      }
    }
  }
}

Spelling::Guess Spelling::guess(std::string_view word) const {
  std::vector<double> scores(words_.size());
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] = std::log((words_[c] + 0.5) / all_words_);
  for (const std::string& feature : spelling_features(word)) {
    const auto found = counts_.find(feature);
    if (found == counts_.end()) continue;
    double total = 0;
    for (const auto& [c, count] : found->second) total += count;
    const double prior = kPrior * total / all_words_;
    for (std::size_t c = 0; c < scores.size(); ++c) scores[c] += std::log(prior / (words_[c] + kPrior));
    for (const auto& [c, count] : found->second) scores[c] += std::log((count + prior) / prior);
  }
  const auto best = std::max_element(scores.begin(), scores.end());
  const auto class_id = static_cast<ClassId>(best - scores.begin());
  const double score = std::exchange(*best, -std::numeric_limits<double>::infinity());
  const double second = *std::max_element(scores.begin(), scores.end());
  return {class_id, scores.size() > 1 ? score - second : 0};
}

}  // namespace firth::exchange

// The class that the spelling of a word speaks for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cluster/assign/class_guess.hpp"
#include "firth/clustering.hpp"

namespace firth::clusters {

/// Naive Bayes over the classes of known words: endings, beginnings, letter shape, digits. May be used from
/// several threads at once.
class SpellingClassifier {
 public:
  /// O(words log words).
  explicit SpellingClassifier(const Clustering& model)
      : SpellingClassifier(model.vocabulary(), model.classes()) {}
  /// `classes[i]` is the class of word i, or kNoClass for a word to leave out. Classes without words are never
  /// guessed.
  SpellingClassifier(const Vocabulary& words, std::span<const ClassId> classes);

  /// Needs a class with words. O(classes + words that share a feature).
  ClassGuess guess(std::string_view word) const;

 private:
  struct ClassWeight {
    ClassId class_id;
    double log_gain;  // log(1 + words with the feature / prior of the feature)
  };

  std::vector<double> log_prior_;        // of each class
  std::vector<double> log_size_;         // log(words of the class + kPrior): what each known feature costs it
  std::vector<std::uint64_t> features_;  // hashes, rising
  std::vector<std::size_t> first_;       // of each feature, in weights_; one more than features
  std::vector<ClassWeight> weights_;
};

/// The features of a word as hashes: its endings and beginnings of up to four characters, its shape ("Mc-42"
/// is "Xx-9"), and whether it has a digit.
std::vector<std::uint64_t> spelling_features(std::string_view word);

}  // namespace firth::clusters

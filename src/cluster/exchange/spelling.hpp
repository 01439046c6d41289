// Which class a word looks like.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "firth/clustering.hpp"

namespace firth::exchange {

/// Naive Bayes over the classes of known words: endings, beginnings, letter shape, digits.
class Spelling {
 public:
  explicit Spelling(const Clustering& model);

  struct Guess {
    ClassId class_id;
    double margin_nats;  ///< log probability ahead of the second best
  };
  Guess guess(std::string_view word) const;

 private:
  std::vector<double> words_;  // words of each class
  double all_words_ = 0;
  std::unordered_map<std::string, std::vector<std::pair<ClassId, double>>>
      counts_;  // feature -> words by class
};

/// The features of a word, e.g. "e:ing", "b:un", "s:Xx", "d" ("a1x": it has a digit).
std::vector<std::string> spelling_features(std::string_view word);

}  // namespace firth::exchange

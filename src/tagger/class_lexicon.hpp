// The class of every word, unknown words included, and what a class has as features.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/assign/spelling_classifier.hpp"
#include "firth/clustering.hpp"
#include "firth/features.hpp"
#include "text/unicode_words.hpp"

namespace firth::tagger {

/// Words and their classes. May be used from several threads at once.
class ClassLexicon {
 public:
  /// `spelling` is how the words of the clustered text were spelled; others are looked up likewise.
  ClassLexicon(Vocabulary words, std::vector<ClassId> classes, UnknownWordClass unknown,
               const Preprocessing& spelling = {});

  /// Its class, or kNoClass. `unicode` makes lower case.
  ClassId find(std::string_view word, text::UnicodeWords& unicode) const;

  const Vocabulary& words() const noexcept { return words_; }
  const std::vector<ClassId>& classes() const noexcept { return classes_; }
  UnknownWordClass unknown() const noexcept { return unknown_; }
  const Preprocessing& spelling() const noexcept { return spelling_; }

 private:
  Vocabulary words_;
  std::vector<ClassId> classes_;
  UnknownWordClass unknown_;
  Preprocessing spelling_;
  WordIndex index_;
  std::unique_ptr<const clusters::SpellingClassifier> classifier_;
};

/// The features of every class.
struct ClassValues {
  std::vector<std::string> names;                // "cut50", ..., "p4", ..., "bits" (or "class")
  std::vector<std::vector<std::string>> values;  // by class, then as names
  std::size_t cuts = 0;  // the first `cuts` are cuts, the others come from the bit string
};

/// Throws UsageError for options that the clustering cannot satisfy.
ClassValues class_values(const Clustering& classes, const ClassFeatureOptions& options);

}  // namespace firth::tagger

#include "tagger/class_lexicon.hpp"

#include <fmt/format.h>

#include <utility>

#include "firth/error.hpp"

namespace firth::tagger {
namespace {

constexpr int kLongestPrefix = 255;

bool has_bits(const Clustering& classes) {
  const auto& tree = classes.tree();
  return tree && tree->merges.size() + 1 == tree->leaves;
}

void add_prefixes(const Clustering& classes, const ClassFeatureOptions& options, ClassValues& result) {
  const std::vector<std::string> bits = classes.bit_strings();
  for (const int length : options.prefixes) {
    result.names.push_back(fmt::format("p{}", length));
    for (ClassId c = 0; c < classes.class_count(); ++c) {
      result.values[c].push_back(bits[c].substr(0, static_cast<std::size_t>(length)));
    }
  }
  if (!options.full) return;
  result.names.emplace_back("bits");
  for (ClassId c = 0; c < classes.class_count(); ++c) result.values[c].push_back(bits[c]);
}

void add_cut(const Clustering& classes, ClassId k, ClassValues& result) {
  const Clustering rolled = classes.cut(k);
  std::vector<ClassId> rolled_class(classes.class_count(), 0);
  for (WordId word = 0; word < classes.word_count(); ++word) {
    rolled_class[classes.class_of(word)] = rolled.class_of(word);
  }
  result.names.push_back(fmt::format("cut{}", k));
  for (ClassId c = 0; c < classes.class_count(); ++c) {
    result.values[c].push_back(std::to_string(rolled_class[c]));
  }
}

}  // namespace

ClassLexicon::ClassLexicon(Vocabulary words, std::vector<ClassId> classes, UnknownWordClass unknown,
                           const Preprocessing& spelling)
    : words_(std::move(words)),
      classes_(std::move(classes)),
      unknown_(unknown),
      spelling_(spelling),
      index_(words_) {
  if (unknown_ == UnknownWordClass::spelling && !words_.empty()) {
    classifier_ = std::make_unique<const clusters::SpellingClassifier>(words_, classes_);
  }
}

ClassId ClassLexicon::find(std::string_view word, text::UnicodeWords& unicode) const {
  if (const auto found = index_.find(word)) return classes_[*found];
  word = unicode.normalize(word, spelling_.normalize);
  if (spelling_.lowercase) word = unicode.lower(word);
  if (const auto found = index_.find(word)) return classes_[*found];
  if (unknown_ == UnknownWordClass::none) return kNoClass;
  if (!spelling_.lowercase) {  // a word that is lower case already lives in the buffer of lower()
    if (const auto found = index_.find(unicode.lower(word))) return classes_[*found];
  }
  return classifier_ ? classifier_->guess(word).class_id : kNoClass;
}

ClassValues class_values(const Clustering& classes, const ClassFeatureOptions& options) {
  validate(options);
  ClassValues result;
  result.values.resize(classes.class_count());
  for (const ClassId cut : options.cuts) add_cut(classes, cut, result);
  result.cuts = result.names.size();
  if (has_bits(classes)) {
    add_prefixes(classes, options, result);
  } else if (options.full) {
    result.names.emplace_back("class");
    for (ClassId c = 0; c < classes.class_count(); ++c) result.values[c].push_back(std::to_string(c));
  }
  if (result.names.empty()) {
    throw UsageError("these classes give no features",
                     "ask for prefixes (they need a tree), the full string or cuts");
  }
  return result;
}

}  // namespace firth::tagger

namespace firth {

void validate(const ClassFeatureOptions& options) {
  for (const int length : options.prefixes) {
    if (length < 1 || length > tagger::kLongestPrefix) {
      throw UsageError(fmt::format("a prefix of {} bits", length),
                       fmt::format("prefixes are 1 to {} bits long", tagger::kLongestPrefix),
                       "ClassFeatureOptions::prefixes");
    }
  }
  for (const ClassId cut : options.cuts) {
    if (cut == 0) {
      throw UsageError("a cut at 0 classes", "cuts are numbers of classes, from 1",
                       "ClassFeatureOptions::cuts");
    }
  }
}

}  // namespace firth

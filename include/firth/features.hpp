// Classes of words as features for taggers: bit-string prefixes, roll-ups, the classes of neighbours.
//
//   const firth::Clustering classes = firth::load_clustering("out");
//   const auto print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
//   firth::write_features(classes, "train.conll", {.window = 1}, print);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/count.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth {

/// The class of a word that was not clustered.
enum class UnknownWordClass {
  spelling,   ///< that of its lower-case form, or else by its spelling, as `firth assign` does it
  lowercase,  ///< that of its lower-case form
  none,       ///< it has none
};

/// Which features the class of a word gives.
struct ClassFeatureOptions {
  /// Lengths of bit-string prefixes, each 1..255; a shorter string is its own prefix. Ignored for classes
  /// without a tree.
  std::vector<int> prefixes = {4, 6, 10, 20};
  /// The whole bit string; for classes without a tree, the number of the class.
  bool full = true;
  /// Numbers of classes to roll the tree up to: the number of the class at each cut.
  std::vector<ClassId> cuts = {};
  /// A tagger that looks at spelling itself, as Firth's does, learns nothing new from a class guessed by it,
  /// and lost one to two points of F1 to such guesses where classes knew few words.
  UnknownWordClass unknown = UnknownWordClass::lowercase;
};

/// Throws UsageError if the options make no sense.
void validate(const ClassFeatureOptions& options);

/// A feature of a word: "p4[-1]" and "0110". Valid as long as the ClassFeatures it comes from.
struct ClassFeature {
  std::string_view name;
  std::string_view value;

  friend bool operator==(const ClassFeature&, const ClassFeature&) = default;
};

/// The features of words in memory. Remembers words that it has seen: one for each thread.
///
///   firth::ClassFeatures features(firth::load_clustering("out"), {.prefixes = {4, 8}});
///   const std::vector<std::string_view> words = {"We", "saw", "it"};
///   for (const auto& token : features.of(words)) use(token.front().name, token.front().value);
class ClassFeatures {
 public:
  /// `window` neighbours to each side, 0..5, give their features to a word, too. Throws UsageError for options that
  /// make no sense, or that the clustering cannot satisfy.
  explicit ClassFeatures(const Clustering& classes, const ClassFeatureOptions& options = {}, int window = 0);
  ~ClassFeatures();
  ClassFeatures(ClassFeatures&&) noexcept;
  ClassFeatures& operator=(ClassFeatures&&) noexcept;
  ClassFeatures(const ClassFeatures&) = delete;
  ClassFeatures& operator=(const ClassFeatures&) = delete;

  /// The name of every feature that a word can have, in the order of `of`: "p4[-1]", ..., "bits[0]", ...
  [[nodiscard]] std::span<const std::string> names() const;

  /// The class of a word as ClassFeatureOptions::unknown has it, or kNoClass.
  [[nodiscard]] ClassId class_of(std::string_view word);

  /// The features of each word of a sentence (valid UTF-8); those that a word does not have are left out.
  [[nodiscard]] std::vector<std::vector<ClassFeature>> of(std::span<const std::string_view> words);

  /// The same with all of names() for each word; values are empty where there is none.
  [[nodiscard]] std::vector<std::vector<ClassFeature>> all_of(std::span<const std::string_view> words);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What write_features() writes.
enum class FeatureFormat {
  crfsuite,  ///< tag TAB name[offset]=value TAB ...
  crfpp,     ///< the columns of the input, then one column per feature, `_` where there is none
  conllu,    ///< CoNLL-U with features in its MISC column
  jsonl,     ///< one sentence per line: {"words": [...], "features": [{...}, ...]}
};

/// What write_features() does.
struct FeatureFileOptions {
  TokenOptions tokens = {};
  /// Other taggers may not look at spelling: words that were not clustered go by it.
  ClassFeatureOptions features = {.unknown = UnknownWordClass::spelling};
  FeatureFormat format = FeatureFormat::crfsuite;
  /// Neighbours to each side whose classes are features too, 0..5.
  int window = 0;
  /// The word itself as a feature, `w` (CRFsuite and JSON lines).
  bool words = false;
  /// The kinds of its characters, runs of a kind made one, as `shape`: "Mc-42" is "Xx-9" (the same formats).
  bool shapes = false;
  /// Tags of the inputs are written, too, where there are any: TokenOptions::tag_column, by default the last
  /// column, in CoNLL-U the part of speech. CRFsuite wants them first, CRF++ last.
  bool tags = true;
};

/// Throws UsageError if the options make no sense.
void validate(const FeatureFileOptions& options);

/// Reads tokens, and gives their features to `put`, piece by piece: files of any size. Throws UsageError for
/// a cut that the tree does not reach, InputError with the line that cannot be read, IoError, Cancelled.
void write_features(const Clustering& classes, const Inputs& inputs, const FeatureFileOptions& options,
                    const std::function<void(std::string_view)>& put, const RunOptions& run = {});

}  // namespace firth

// Texts and trees drawn from a random model, so that the truth is known.
//
//   const firth::BrownModel model({.words = 1000, .classes = 20}, /*seed=*/7);
//   std::string text;
//   model.sample(100'000, [&](std::string_view line) { text += line; });
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth {

/// The distribution of the class of the first word of a sentence.
enum class FirstClass {
  stationary,  ///< the one that transitions leave unchanged
  uniform,     ///< all classes alike
};

/// A random Brown model: each word belongs to one class, p(w2|w1) = p(c2|c1) p(w2|c2).
struct BrownModelOptions {
  /// Number of words; at least as many as classes.
  std::uint32_t words = 1000;
  /// Number of classes >= 1. Memory grows with its square.
  std::uint32_t classes = 20;
  /// Within a class, the word of rank r has a weight of 1 / r^zipf; 0 = all the same.
  double zipf = 1.0;
  /// How different the classes that follow a class are: 1 = mildly, 3 = a few classes follow each class, 6 =
  /// nearly always the same one.
  double contrast = 3.0;
  /// Mean number of words in a sentence, at least 1; lengths are uniform in 1 .. 2 * mean - 1.
  std::uint32_t sentence_length = 20;
  /// Every sentence has exactly the mean length (but the last, where the words are used up).
  bool fixed_length = false;
  FirstClass first = FirstClass::stationary;
};

/// Throws UsageError if the options make no sense.
void validate(const BrownModelOptions& options);

/// A model with its parameters in the open: what tests of learners compare with. Same options and seed, same
/// model on every machine, up to rounding in std::log and std::pow.
class BrownModel {
 public:
  /// Throws UsageError for options out of range.
  BrownModel(const BrownModelOptions& options, std::uint64_t seed);

  [[nodiscard]] const BrownModelOptions& options() const noexcept { return options_; }
  [[nodiscard]] std::uint32_t word_count() const noexcept { return options_.words; }
  [[nodiscard]] std::uint32_t class_count() const noexcept { return options_.classes; }

  /// Words are made of syllables; words of one class have the same ending. Words of a class are neighbours,
  /// the likeliest first.
  [[nodiscard]] const std::string& word(std::uint32_t index) const { return words_[index]; }
  [[nodiscard]] ClassId class_of(std::uint32_t word) const { return classes_[word]; }
  /// p(word | its class).
  [[nodiscard]] double emission(std::uint32_t word) const { return emissions_[word]; }
  /// p(next class | this class), for every next class.
  [[nodiscard]] std::span<const double> transitions(ClassId from) const {
    return std::span(transitions_).subspan(std::size_t{from} * class_count(), class_count());
  }
  /// p(class): what `transitions` leaves unchanged. With FirstClass::stationary, sentences start with it
  /// too, so that it holds at every place and p(c1, c2) = p(c1) p(c2|c1).
  [[nodiscard]] std::span<const double> class_probabilities() const noexcept { return class_probabilities_; }

  /// Draws `tokens` words with run.seed and hands them on as lines, each with its newline. Throws Cancelled.
  void sample(std::uint64_t tokens, const std::function<void(std::string_view line)>& write,
              const RunOptions& run = {}) const;

 private:
  BrownModelOptions options_;
  std::vector<std::string> words_;
  std::vector<ClassId> classes_;
  std::vector<double> emissions_;
  std::vector<double> transitions_;
  std::vector<double> class_probabilities_;
};

/// What save_brown_sample did.
struct BrownSample {
  Clustering truth;          ///< the true classes, with the counts of the drawn text
  std::uint64_t lines = 0;   ///< sentences
  std::uint64_t unseen = 0;  ///< words that were not drawn: they have count 0
};

/// Draws a model with run.seed and a text of `tokens` words from it, and writes text.txt and classes.tsv
/// (word TAB class, unseen words too) into the folder, made if it is missing.
BrownSample save_brown_sample(const std::string& folder, const BrownModelOptions& options,
                              std::uint64_t tokens, const RunOptions& run = {});

/// A random L-PCFG (Cohen et al. 2012, section 4): every symbol has latent states, every state its own rules.
struct LpcfgModelOptions {
  /// Symbols that go to two symbols, and symbols that go to words.
  std::uint32_t phrases = 5;
  std::uint32_t tags = 8;
  /// At least one for each tag; every fifth word has two tags.
  std::uint32_t words = 200;
  /// Of every symbol.
  std::uint32_t states = 3;
  /// Binary rules of each phrase.
  std::uint32_t rules = 8;
  /// How different the states of a symbol are: 0 = not at all, 1 = mildly, 3 = very.
  double contrast = 2.0;
};

/// Throws UsageError if the options make no sense.
void validate(const LpcfgModelOptions& options);

/// What save_lpcfg_sample did.
struct LpcfgSample {
  std::uint64_t trees = 0;
  std::uint64_t words = 0;  ///< of all trees
  std::uint64_t rules = 0;  ///< binary rules of the grammar
};

/// Draws a grammar with run.seed and trees from it, and writes into the folder, made if it is missing:
/// trees.mrg, states.mrg (the same trees, labels with their states: S-0; cleaning takes them out as it does
/// function tags) and grammar.tsv (every parameter: root, rule or word, symbols with states, probability).
/// Throws UsageError, IoError, ResourceError, Cancelled.
LpcfgSample save_lpcfg_sample(const std::string& folder, const LpcfgModelOptions& options,
                              std::uint64_t trees, const RunOptions& run = {});

}  // namespace firth

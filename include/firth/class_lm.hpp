// Language models over words and over classes of words: train, mix, score, predict, sample, exchange.
//
//   const firth::Clustering classes = firth::load_clustering("classes.tsv");
//   const firth::LanguageModel model = firth::train_class_lm("train.txt", classes, {.order = 3}, {});
//   const firth::LmScore score = firth::score_text(model, "test.txt");
//   use(score.perplexity());
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth {

namespace detail {
struct ModelAccess;
}

namespace lm {
struct Model;
}

/// How n-gram probabilities are smoothed.
enum class LmSmoothing {
  kneser_ney,   ///< interpolated, modified (Chen & Goodman 1998), as KenLM estimates it
  witten_bell,  ///< interpolated; needs no counts of counts
  none,         ///< relative frequencies: what was not seen has probability 0
};

/// How p(word | class) is estimated.
enum class LmEmission {
  discounted,  ///< absolute discounting, shared by all words of the class: never 0
  frequency,   ///< relative frequency: 0 for words of the class that the text does not have
};

/// Everything that decides what a model becomes.
struct LmTrainOptions {
  /// Length of the n-grams, 1..6.
  int order = 3;
  LmSmoothing smoothing = LmSmoothing::kneser_ney;
  LmEmission emission = LmEmission::discounted;
  /// Sentences start with <s> and end with </s>. Without them (order 1 or 2), the first word of a sentence is
  /// context only and nothing is said about ends.
  bool boundaries = true;
  TextOptions text = {};
};

/// Throws UsageError if the options make no sense.
void validate(const LmTrainOptions& options);

/// A context: what was read so far, as much of it as the model can use.
struct LmState {
  static constexpr std::size_t kMaxParts = 8;
  std::array<std::uint32_t, kMaxParts> nodes{};

  friend bool operator==(const LmState&, const LmState&) = default;
};

/// A word and its probability.
struct LmWord {
  WordId word = 0;
  double probability = 0;
};

/// One part of a model: plain models have one, mixtures several.
struct LmPart {
  double weight = 1;
  int order = 0;
  bool classes = false;               ///< a class model, else a word model
  std::size_t symbols = 0;            ///< classes or words, with <unk>, <s>, </s>
  std::vector<std::uint64_t> ngrams;  ///< number of n-grams of each order
};

/// A language model: p(word | words before it). The probabilities of all words but <s> add up to 1 in every
/// context. Cheap to copy; safe to use from several threads.
class LanguageModel {
 public:
  /// Numbers of the special words; every other word of the vocabulary follows.
  static constexpr WordId kUnknown = 0;  ///< <unk>: all words outside the vocabulary
  static constexpr WordId kBegin = 1;    ///< <s>: context only, probability 0
  static constexpr WordId kEnd = 2;      ///< </s>

  explicit LanguageModel(std::shared_ptr<const lm::Model> model);

  /// Words with the special ones.
  [[nodiscard]] std::size_t word_count() const;
  [[nodiscard]] std::string_view word(WordId word) const;
  /// kUnknown if the model does not have the word.
  [[nodiscard]] WordId find(std::string_view word) const;

  [[nodiscard]] int order() const;
  [[nodiscard]] bool has_boundaries() const;
  [[nodiscard]] std::vector<LmPart> parts() const;

  /// What was done to the words of the training text, where it is known and the same for all parts.
  [[nodiscard]] std::optional<Preprocessing> preprocessing() const;

  /// The context of the first word of a sentence.
  [[nodiscard]] LmState begin_sentence() const;
  /// No context at all.
  [[nodiscard]] LmState no_context() const { return {}; }

  /// p(word | state); `state` then includes the word.
  double advance(LmState& state, WordId word) const;
  /// p(word | state).
  [[nodiscard]] double probability(const LmState& state, WordId word) const;
  /// p(. | state) of every word.
  [[nodiscard]] std::vector<double> distribution(const LmState& state) const;
  /// The `max_words` likeliest words but <unk>, best first; equal ones in order of their numbers.
  [[nodiscard]] std::vector<LmWord> suggest(const LmState& state, std::size_t max_words) const;

  /// The `max_words` likeliest words that begin with `prefix` (bytes), best first; equal ones in order of their numbers.
  /// With an empty prefix, what suggest() gives; else no special words.
  [[nodiscard]] std::vector<LmWord> complete(const LmState& state, std::string_view prefix,
                                             std::size_t max_words) const;

  /// Class models that are no mixture: the class of a word (numbers include <unk>, <s>, </s>) and its name.
  [[nodiscard]] bool has_classes() const;
  [[nodiscard]] ClassId class_of(WordId word) const;
  [[nodiscard]] std::string_view class_name(ClassId number) const;
  [[nodiscard]] std::size_t class_count() const;

  /// The bytes that save_lm() writes; from_bytes() reads them, and throws FormatError if they are damaged.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static LanguageModel from_bytes(std::string_view bytes);

 private:
  friend struct detail::ModelAccess;
  [[nodiscard]] const lm::Model& internals() const { return *model_; }

  std::shared_ptr<const lm::Model> model_;
};

/// p(w | c) p(c | previous classes). Words without a class are `<unk>`, a class of its own; `<unk>`, `<s>`
/// and `</s>` in the clustering are left out of their classes. Throws InputError, IoError, ResourceError,
/// UsageError.
[[nodiscard]] LanguageModel train_class_lm(const Inputs& inputs, const Clustering& classes,
                                           const LmTrainOptions& options, const RunOptions& run = {});

/// A word n-gram model. Words that `vocabulary` leaves out are `<unk>`.
[[nodiscard]] LanguageModel train_word_lm(const Inputs& inputs, const VocabularyOptions& vocabulary,
                                          const LmTrainOptions& options, const RunOptions& run = {});
/// The same with the words of a given vocabulary, seen or not.
[[nodiscard]] LanguageModel train_word_lm(const Inputs& inputs, const Vocabulary& vocabulary,
                                          const LmTrainOptions& options, const RunOptions& run = {});

/// Linear interpolation. Weights are positive and add up to 1. Where vocabularies differ, the words that a
/// model does not have share its `<unk>` equally. Throws UsageError.
[[nodiscard]] LanguageModel mix_models(std::span<const LanguageModel> models,
                                       std::span<const double> weights);

/// Weights found on held-out text, and how they were found.
struct LmMixResult {
  std::vector<double> weights;
  std::vector<double> perplexities;  ///< after each round, first with equal weights
};

/// Expectation maximisation: no round makes the held-out text less likely.
[[nodiscard]] LmMixResult tune_weights(std::span<const LanguageModel> models, const Inputs& held_out,
                                       const TextOptions& text, const RunOptions& run = {});

/// How to score.
struct LmScoreOptions {
  TextOptions text = {};
  /// Also find out how often the likeliest class (Ciosici 2015, eq. 6.2) and words are right; slower.
  bool accuracy = false;
};

/// Sums over sentences, as SRILM and KenLM report them.
struct LmScore {
  std::uint64_t sentences = 0;
  std::uint64_t words = 0;                    ///< without </s>
  std::uint64_t unknown = 0;                  ///< words outside the vocabulary
  std::uint64_t impossible = 0;               ///< words or </s> of probability 0; in no sum
  double log10_known = 0;                     ///< log10 probability of known words and </s>
  double log10_unknown = 0;                   ///< log10 probability of unknown words, each as <unk>
  std::uint64_t ends = 0;                     ///< </s> that were scored
  std::uint64_t contexts_only = 0;            ///< first words that a model without boundaries does not score
  std::uint64_t predictions = 0;              ///< known words and </s> that were guessed
  std::uint64_t right_class = 0;              ///< of these, where the likeliest class was right
  std::array<std::uint64_t, 3> right_word{};  ///< of these, where the word was among the best 1, 5, 10

  /// Known words and </s>: SRILM's ppl, KenLM's "excluding OOVs".
  [[nodiscard]] double perplexity() const;
  /// With <unk>: KenLM's "including OOVs".
  [[nodiscard]] double perplexity_with_unknown() const;
  /// Known words, without counting ends (SRILM's ppl1).
  [[nodiscard]] double perplexity_per_word() const;

  LmScore& operator+=(const LmScore& other);
};

inline constexpr std::array<std::size_t, 3> kAccuracyDepths = {1, 5, 10};

/// Scores every sentence; `each`, if given, gets every line's own score in order (blank lines too, as zeros), always on
/// the calling thread. Sentences are shared among the threads; the sums are the same for any number of them.
[[nodiscard]] LmScore score_text(const LanguageModel& model, const Inputs& inputs,
                                 const LmScoreOptions& options = {},
                                 const std::function<void(const LmScore&)>& each = {},
                                 const RunOptions& run = {});

/// Draws a sentence, without <s>, </s> and <unk>; cut after `max_words`.
class LmSampler {
 public:
  LmSampler(const LanguageModel& model, std::uint64_t seed);
  ~LmSampler();
  LmSampler(LmSampler&&) noexcept;
  LmSampler& operator=(LmSampler&&) noexcept;
  LmSampler(const LmSampler&) = delete;
  LmSampler& operator=(const LmSampler&) = delete;

  [[nodiscard]] std::vector<WordId> sentence(std::size_t max_words);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes a model; mapped into memory by load_lm.
void save_lm(const std::string& path, const LanguageModel& model);

/// Reads a model of Firth or an ARPA file (plain or compressed). With `classes_path`, an ARPA file is over
/// classes that this file in SRILM's classes-format defines. Throws FormatError, InputError (file and line),
/// IoError.
[[nodiscard]] LanguageModel load_lm(const std::string& path, const std::string& classes_path = "",
                                    const RunOptions& run = {});

/// The n-grams of a plain model as ARPA: of classes if it is a class model. Throws UsageError for mixtures.
void save_arpa(const std::string& path, const LanguageModel& model);
/// The classes of a class model in SRILM's classes-format: CLASS probability word.
void save_srilm_classes(const std::string& path, const LanguageModel& model);

/// How a model becomes one plain model of words.
struct LmExpandOptions {
  /// Class models: word n-grams whose weight p(context) p(word | context) |log p / p_shorter| is below this are
  /// left to the shorter ones; 0 keeps all of order 2 exactly.
  double threshold = 1e-8;
  /// Then n-grams go whose loss raises the perplexity by less than this share (relative entropy, Stolcke 1998);
  /// 0 = none.
  double prune = 0;
  /// Maximum number of n-grams: those of the smallest loss go; 0 = any number. Words always stay.
  std::uint64_t max_ngrams = 0;
};

/// Throws UsageError if the options make no sense.
void validate(const LmExpandOptions& options);

/// Any model, also a mixture, as one n-gram model of words, which save_arpa() writes. The n-grams are those of
/// all parts, each with the probability that the model gives it (static interpolation); what is left out is left
/// to shorter contexts, and every context adds up to 1. Throws UsageError, ResourceError if it gets too large.
[[nodiscard]] LanguageModel expand_lm(const LanguageModel& model, const LmExpandOptions& options,
                                      const RunOptions& run = {});

/// A smaller model of the same n-grams: the probability of an n-gram of two words (classes) or more is one of 256 values,
/// chosen so that running text loses least, and takes a byte in the place of eight. Probabilities of single words
/// stay as they are; back-off weights are such that every context adds up to 1 (to seven digits). Throws Cancelled.
[[nodiscard]] LanguageModel quantize_lm(const LanguageModel& model, const RunOptions& run = {});

/// The size of the file that save_arpa() writes.
[[nodiscard]] std::uint64_t arpa_bytes(const LanguageModel& model);

/// A word that a class model does not have.
struct LmNewWord {
  std::string word;
  std::string like;        ///< a word of the class that it joins, or the name of the class
  double probability = 0;  ///< p(word | class), below 1; 0 = that of the least likely word of the class
  SourceLocation where =
      {};  ///< the line of the list that has it, for messages; without a path it came from a program
};

/// New words from a list: a word, what it is like and, if given, its probability, separated by tabs or blanks, on
/// each line. Throws InputError (file and line), IoError, Cancelled.
[[nodiscard]] std::vector<LmNewWord> load_new_words(const Inputs& list, const RunOptions& run = {});

/// The model with more words; the other words of their classes become less likely in proportion. In a mixture
/// they join the classes of every class model, and share `<unk>` in the others. Throws UsageError if there is no
/// class model, a word is there already, or what it is like is not; of words from a list, InputError with their line.
[[nodiscard]] LanguageModel add_words(const LanguageModel& model, std::span<const LmNewWord> words);

/// A class model as an ARPA file over words: expand_lm() with `threshold`. Throws UsageError unless it is a
/// class model.
void save_expanded_arpa(const std::string& path, const LanguageModel& model, double threshold,
                        const RunOptions& run = {});

/// Writes the text with every word replaced by its class, line by line: what `lmplz` and others train on.
void map_text(const std::string& path, const Inputs& inputs, const LanguageModel& model,
              const TextOptions& text, const RunOptions& run = {});

}  // namespace firth

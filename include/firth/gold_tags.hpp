// Classes of words, or of the words of a text one by one, against tags that people gave.
//
//   const firth::GoldText gold = firth::read_tagged_text("en_ewt-ud-test.conllu", {.lowercase = true});
//   const firth::GoldReport report = firth::score_against_gold(gold, firth::load_clustering("out"), {}, {});
//   use(report.tokens.many_to_one);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"
#include "firth/evaluate.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"

namespace firth {

struct GoldTextOptions {
  TagColumn tag = TagColumn::upos;
  /// Words (never tags) in Unicode lower case.
  bool lowercase = false;
  Normalization normalize = Normalization::none;
  InvalidUtf8 invalid_utf8 = InvalidUtf8::error;
};

/// Words in the order of the text, each with a tag.
struct GoldText {
  Vocabulary vocabulary;              ///< the words and how often they occur in the text
  std::vector<std::string> tags;      ///< names of the tags, most frequent first, equal counts by bytes
  std::vector<WordId> words;          ///< word of each token
  std::vector<std::uint32_t> tag_of;  ///< tag of each token
  std::vector<std::uint64_t> ends;    ///< one behind the last token of each sentence

  [[nodiscard]] std::size_t tokens() const noexcept { return words.size(); }
};

/// Reads CoNLL-U (ten columns), or columns of which the first is the word and the last the tag; a blank line
/// ends a sentence. White space within a word becomes `_`, multiword tokens and empty nodes are left out, as in
/// count_text(). Throws InputError with the line (also when there are no words), IoError, Cancelled.
[[nodiscard]] GoldText read_tagged_text(const Inputs& inputs, const GoldTextOptions& options,
                                        const RunOptions& run = {});

/// The scores of one table of classes and tags. Logarithms are binary.
struct TagAgreement {
  double many_to_one = 0;        ///< accuracy when each class is given its most frequent tag
  double one_to_one_greedy = 0;  ///< pairs of a class and a tag by falling count, each used once
  double one_to_one = 0;         ///< the best assignment of classes to tags
  double vi_bits = 0;            ///< variation of information H(C|T) + H(T|C) (Meila 2003)
  double nvi = 0;                ///< VI / H(T), H(C) where H(T) = 0 (Reichart & Rappoport 2009)
  double v_measure = 0;          ///< harmonic mean of the next two (Rosenberg & Hirschberg 2007)
  double homogeneity = 0;        ///< 1 - H(T|C) / H(T), 1 where H(T) = 0
  double completeness = 0;       ///< 1 - H(C|T) / H(C), 1 where H(C) = 0
  double prototype = 0;          ///< accuracy when each class has the main tag of its most frequent word
};

/// A range that holds a score with 95 % confidence.
struct ScoreIntervals {
  TagAgreement low;
  TagAgreement high;
};

/// How well one tag is found, each class having its most frequent tag.
struct TagRow {
  std::string tag;
  Count tokens = 0;     ///< in the gold text
  Count predicted = 0;  ///< tokens in classes of this tag
  Count correct = 0;
  std::uint64_t classes = 0;  ///< classes whose tag it is

  [[nodiscard]] double recall() const { return ratio(correct, tokens); }
  [[nodiscard]] double precision() const { return ratio(correct, predicted); }
  [[nodiscard]] double f1() const { return ratio(2 * correct, tokens + predicted); }

 private:
  [[nodiscard]] static double ratio(Count a, Count b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
  }
};

/// What is in one class.
struct ClassTags {
  std::string name;  ///< number of the class, or its name in the tagged file; "-" = words without class
  Count tokens = 0;
  std::string prototype;  ///< its most frequent word
  std::string prototype_tag;
  std::vector<std::pair<std::string, Count>> tags;  ///< its tags, most frequent first
};

struct GoldOptions {
  /// Words without a class: in the class of `<unk>`, or together in a class of their own.
  UnknownWords unknown = UnknownWords::as_unk;
  /// Resamples for the intervals; 0 = no intervals. Sentences are drawn for the scores over tokens, words for
  /// those over types.
  std::uint32_t resamples = 0;
  /// Classes to list, largest first.
  std::size_t classes = 10;
  /// Tags to list of each.
  std::size_t tags = 6;
};

/// Everything that can be said about classes and tags. Large because it has one field per figure.
struct GoldReport {
  Count token_count = 0;
  Count type_count = 0;
  Count known_tokens = 0;  ///< tokens that have a class of their own
  std::uint64_t class_count = 0;
  std::uint64_t tag_count = 0;
  TagAgreement tokens;
  TagAgreement types;  ///< each word once, with its main tag and its main class
  /// Over tokens, each word in its main class: only where classes were given token by token.
  std::optional<TagAgreement> collapsed;
  std::optional<ScoreIntervals> token_intervals;
  std::optional<ScoreIntervals> type_intervals;
  /// Share of tokens whose tag is the main tag of their word: no classes of words can do better.
  double upper_bound = 0;
  std::vector<TagRow> tags;
  std::vector<ClassTags> largest;
};

/// Scores classes of words. Equal counts are decided for the smaller class number and the more frequent tag.
/// Intervals depend on run.seed, never on threads. Throws UsageError for a text without words, Cancelled.
[[nodiscard]] GoldReport score_against_gold(const GoldText& gold, const Clustering& clustering,
                                            const GoldOptions& options, const RunOptions& run = {});

/// Scores classes given token by token: `predicted` must hold the same words in the same order (spelling is
/// compared), else InputError says which token differs.
[[nodiscard]] GoldReport score_against_gold(const GoldText& gold, const GoldText& predicted,
                                            const GoldOptions& options, const RunOptions& run = {});

/// One line of the paper's Figure 1 (Lamar et al. 2010).
struct SweepPoint {
  ClassId classes = 0;
  double many_to_one = 0;
  double prototype = 0;
  double upper_bound = 0;
};

/// The points as a table with a header line. curves_svg() draws them.
[[nodiscard]] std::string sweep_tsv(std::span<const SweepPoint> points);

}  // namespace firth

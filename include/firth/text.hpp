// How text becomes words: formats, boundaries, spelling, and which words count.
//
//   const firth::TextOptions options = {.lowercase = true, .tokenize = true};
//   for (const std::string& word : firth::line_words("Don't panic!", options)) use(word);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/types.hpp"

namespace firth {

/// What the input looks like. docs/formats.md has the rules of each format.
enum class InputFormat {
  automatic,  ///< by the end of the name (.conllu, .conll, .jsonl, .csv, .tsv) or by the first lines; else text
  text,       ///< words between ASCII white space
  conllu,     ///< CoNLL-U: a word per line, a blank line after each sentence
  columns,    ///< CoNLL columns: a word per line with tabs or blanks between columns, a blank line after each
              ///< sentence
  jsonl,      ///< JSON lines: an object per line; a string in it is text, a list of strings are tokens
  csv,        ///< records with commas between fields, quotes as in RFC 4180; a field is text
  tsv,        ///< the same with tabs
  ids,        ///< token ids: whole numbers between white space
  ids16,      ///< token ids: little-endian numbers of 16 bits
  ids32,      ///< token ids: little-endian numbers of 32 bits
  counts,     ///< a table of `left right count`
};

/// What separates sequences: no pair crosses a boundary.
enum class TextBoundaries {
  lines,   ///< a line (CoNLL-U, columns: a sentence; in records, a line of their text) is a sequence
  stream,  ///< a file is one sequence
};

/// What to do with bytes that are not UTF-8.
enum class InvalidUtf8 {
  error,    ///< stop, and say where
  replace,  ///< put U+FFFD in their place
};

/// Which spellings of a character are one.
enum class Normalization {
  none,  ///< words stay as they are
  nfc,   ///< composed: e and an accent become one character
  nfkc,  ///< also ligatures, full-width and other variants; soft hyphens, zero-width spaces, word joiners and
         ///< byte-order marks go, all other spaces end a word
};

/// How text becomes words.
struct TextOptions {
  InputFormat format = InputFormat::text;
  /// The column to read: a number from 1 (columns: or negative from the last, -1) or a name (CoNLL-U: form,
  /// lemma, upos, xpos; CSV and TSV: as in the first record, which is then no text). Empty = form; the first
  /// of the columns; in CSV and TSV the one named "text".
  std::string column = {};
  /// JSON lines: the key of the text; dots lead into objects ("document.body").
  std::string field = "text";
  /// Token ids: this one ends a sequence, and is no word.
  std::optional<std::uint32_t> sequence_end = {};
  /// Token ids: a file with their names, id 0 in the first line (text after a tab is ignored); empty = the
  /// decimal number is the word.
  std::string id_names = {};
  TextBoundaries boundaries = TextBoundaries::lines;
  /// Unicode normalisation (ICU), before anything else is done to a word.
  Normalization normalize = Normalization::none;
  /// Unicode lower case (ICU, root locale).
  bool lowercase = false;
  /// Split at Unicode word boundaries (ICU) instead of at white space; punctuation marks become words.
  bool tokenize = false;
  /// A word that follows itself is left out: "a a b a" is "a b a" (units of speech). Counts of distance 1 only.
  bool squeeze = false;
  InvalidUtf8 invalid_utf8 = InvalidUtf8::error;
};

/// What was done to the words of a text: models keep it, because it must be done to every text they read.
struct Preprocessing {
  TextBoundaries boundaries = TextBoundaries::lines;
  Normalization normalize = Normalization::none;
  bool lowercase = false;
  bool tokenize = false;

  friend bool operator==(const Preprocessing&, const Preprocessing&) = default;
};

/// The part of the options that models keep.
[[nodiscard]] Preprocessing preprocessing_of(const TextOptions& options);

/// What a file of tokens looks like.
enum class TokenFormat {
  automatic,  ///< by the first sentence, and a name that ends in .conll; ten columns with tabs are CoNLL-U
  text,       ///< a sentence per line, words between ASCII white space
  columns,    ///< CoNLL: a word per line, columns with tabs or blanks, a blank line after a sentence
  conllu,     ///< CoNLL-U
};

/// The column of CoNLL-U that holds the tag.
enum class TagColumn {
  upos,  ///< the universal part of speech; where that is `_`, the language's own
  xpos,  ///< the language's own part of speech
};

/// Where the words and tags are in a file. Columns count from 1; negative numbers count from the last, -1.
/// White space within a word becomes `_`.
struct TokenOptions {
  TokenFormat format = TokenFormat::automatic;
  int word_column = 0;  ///< 0 = the first; in CoNLL-U 2, the form
  int tag_column = 0;   ///< 0 = the last; in CoNLL-U that of `conllu_tag`
  InvalidUtf8 invalid_utf8 = InvalidUtf8::error;
  TagColumn conllu_tag = TagColumn::upos;
};

/// Throws UsageError for options that contradict each other.
void validate(const TextOptions& options);

/// What becomes of words outside the vocabulary.
enum class RarePolicy {
  unk,       ///< they are one word, `<unk>`
  no_pairs,  ///< they keep their place but make no pairs
  drop,      ///< they vanish: their neighbours touch
};

/// Which words are words of the vocabulary: those that all of these let pass.
struct VocabularyOptions {
  /// Words that occur fewer times are left out; >= 1.
  Count min_count = 1;
  /// Of the words that may stay, keep only the N most frequent, besides `<unk>`; 0 = all.
  std::uint64_t max_vocab = 0;
  /// A file with the words that may stay, one per line (text after a tab is ignored); empty = all.
  std::string vocab_file = {};
  RarePolicy rare = RarePolicy::unk;

  [[nodiscard]] bool restricts() const { return min_count > 1 || max_vocab > 0 || !vocab_file.empty(); }
};

/// Throws UsageError if the options make no sense.
void validate(const VocabularyOptions& options);

/// The word that stands for all words outside the vocabulary.
inline constexpr const char* kUnknownWord = "<unk>";

/// The words of one line, as `options.lowercase` and `options.tokenize` make them: the words that a text with
/// this line has. Broken UTF-8 becomes U+FFFD.
[[nodiscard]] std::vector<std::string> line_words(std::string_view line, const TextOptions& options);

}  // namespace firth

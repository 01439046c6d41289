// How text becomes words: formats, boundaries, spelling, and which words count.
//
//   const firth::TextOptions options = {.lowercase = true, .tokenize = true};
//   for (const std::string& word : firth::line_words("Don't panic!", options)) use(word);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/types.hpp"

namespace firth {

/// What the input looks like.
enum class InputFormat {
  text,    ///< words between ASCII white space
  conllu,  ///< CoNLL-U: a word a line, a blank line after each sentence
  counts,  ///< a table of `left right count`
};

/// Column of a CoNLL-U file that is read as the word.
enum class ConlluColumn { form, lemma, upos, xpos };

/// What separates sequences: no pair crosses a boundary.
enum class Boundaries {
  lines,   ///< a line (CoNLL-U: a sentence) is a sequence
  stream,  ///< a file is one sequence
};

/// What to do with bytes that are not UTF-8.
enum class InvalidUtf8 {
  error,    ///< stop, and say where
  replace,  ///< put U+FFFD in their place
};

/// How text becomes words.
struct TextOptions {
  InputFormat format = InputFormat::text;
  ConlluColumn column = ConlluColumn::form;
  Boundaries boundaries = Boundaries::lines;
  /// Unicode lower case (ICU, root locale).
  bool lowercase = false;
  /// Split at Unicode word boundaries (ICU) instead of at white space; punctuation become words.
  bool tokenize = false;
  InvalidUtf8 invalid_utf8 = InvalidUtf8::error;
};

/// What becomes of words outside the vocabulary.
enum class RarePolicy {
  unk,       ///< they are one word, `<unk>`
  no_pairs,  ///< they keep their place but make no pairs
  drop,      ///< they vanish: their neighbours touch
};

/// Which words count as words.
struct VocabularyOptions {
  /// Words seen less often are left out; >= 1.
  Count min_count = 1;
  /// Keep the most frequent so many words, besides `<unk>`; 0 = all.
  std::uint64_t max_vocab = 0;
  /// A file with the words to keep, one a line (text after a tab is ignored); empty = all.
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

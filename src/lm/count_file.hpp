// Files of n-grams: all words of a text with their counts, and its n-grams of one order.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "firth/lm_counts.hpp"
#include "lm/names.hpp"
#include "lm/ngram_counts.hpp"
#include "text/word_order.hpp"

namespace firth::lm {

/// One file. Symbols are <unk>, <s>, </s>, then the words by falling count; text positions near the start of a sentence
/// are filled up with <s>, so that every position of the text is one n-gram.
struct CountFile {
  std::string path;
  LmCountsInfo info;
  Names words;  ///< of all symbols
  /// Of all symbols. That of <unk> is how often the text has one of the three special words.
  std::span<const Count> counts;
  std::span<const std::byte> ngrams;  ///< as ngram_code.hpp has it
  std::shared_ptr<const void> owner;
};

/// Files that were counted with the same options.
struct CountFiles {
  std::vector<CountFile> files;
  LmCountsInfo total;

  /// The words of all files but the special ones, by falling sum of their counts; spellings belong to the files.
  std::vector<text::CountedWord> ranked_words() const;
};

/// The word of `names` for every symbol of the file: LanguageModel::kUnknown if `names` does not have it.
std::vector<WordId> words_of(const CountFile& file, const Names& names);

/// Calls `visit` with every n-gram, rising. Throws FormatError if they make no sense, Cancelled.
void for_each_ngram(const CountFile& file, const NgramVisitor& visit, const RunOptions& run);

/// What is written besides the n-grams.
struct CountFileHead {
  LmCountsInfo info;  ///< without the number of words and n-grams
  Names words;
  std::vector<Count> counts;
};

/// Writes the n-grams of the counter, which has `head.words` as symbols. Throws IoError.
LmCountsInfo write_count_file(const std::string& path, CountFileHead head, NgramCounter& counter,
                              const RunOptions& run);

}  // namespace firth::lm

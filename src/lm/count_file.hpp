// Files of n-grams: all words of a text with their counts, and its n-grams of one order.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/temp_file.hpp"
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

/// What was counted with these options, before anything was; `text` has the format that was found.
LmCountsInfo describe(const LmCountOptions& options, const TextOptions& text);

/// A head without n-grams: special words of the text, of which there are `special`, are <unk>. Throws UsageError if n-grams
/// of that order do not fit (check_key_bits).
CountFileHead make_head(std::span<const text::CountedWord> ranked, LmCountsInfo info, Count special);

/// Throws UsageError if n-grams of that order over `symbols` symbols do not fit a key.
void check_key_bits(int order, std::size_t symbols);

/// N-grams on their way into a file, encoded.
struct EncodedNgrams {
  std::unique_ptr<base::TempFile> file;
  std::uint64_t bytes = 0;
  std::uint64_t ngrams = 0;
};

/// Those of the counter, which stand behind `before` (empty: nothing) in the file.
EncodedNgrams encode(NgramCounter& counter, int order, std::span<const Symbol> before, const RunOptions& run);

/// Writes the n-grams, which have `head.words` as symbols. Throws IoError.
LmCountsInfo write_count_file(const std::string& path, CountFileHead head, const EncodedNgrams& encoded);

}  // namespace firth::lm

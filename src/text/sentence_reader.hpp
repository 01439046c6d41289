// Sentences in the order of the text, for those who need more than counts.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "firth/run.hpp"
#include "firth/text.hpp"
#include "firth/types.hpp"
#include "text/inputs.hpp"
#include "text/word_order.hpp"

namespace firth::text {

/// Reads sentence after sentence. Words are numbered in order of their first appearance: these numbers are
/// the reader's own. Text is read a line at a time, blank lines are sentences without words; other formats have no
/// empty sentences. With TextBoundaries::stream a file is one sentence.
class SentenceReader {
 public:
  /// Throws UsageError for InputFormat::counts, and as validate() and expand_inputs() do.
  SentenceReader(std::vector<InputFile> files, const TextOptions& options, const RunOptions& run);
  ~SentenceReader();
  SentenceReader(const SentenceReader&) = delete;
  SentenceReader& operator=(const SentenceReader&) = delete;

  /// The next sentence; false at the end. The view is valid until the next call. Throws InputError, IoError,
  /// Cancelled.
  bool next(std::span<const WordId>& sentence);

  /// Different words so far.
  std::size_t word_count() const;
  std::string_view word(WordId id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads to the end; how often each word was there, by the reader's numbers. The spellings belong to the
/// reader.
std::vector<CountedWord> count_words(SentenceReader& reader);

}  // namespace firth::text

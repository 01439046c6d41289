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

namespace firth::text {

/// Reads sentence after sentence. Words are numbered in order of their first appearance: these numbers are
/// the reader's own. Text is read a line at a time, blank lines are sentences without words; CoNLL-U has no
/// empty sentences. With Boundaries::stream a file is one sentence.
class SentenceReader {
 public:
  /// Throws UsageError for InputFormat::counts. `run` must outlive the reader.
  SentenceReader(std::vector<InputFile> files, const TextOptions& options, const RunOptions& run);
  ~SentenceReader();
  SentenceReader(const SentenceReader&) = delete;
  SentenceReader& operator=(const SentenceReader&) = delete;

  /// The next sentence; false at the end. The view is good until the next call. Throws InputError, IoError,
  /// Cancelled.
  bool next(std::span<const WordId>& sentence);

  /// Different words so far.
  std::size_t word_count() const;
  std::string_view word(WordId id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace firth::text

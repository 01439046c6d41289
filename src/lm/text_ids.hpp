// Text as words of a model.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/class_lm.hpp"
#include "lm/names.hpp"
#include "text/inputs.hpp"
#include "text/sentence_reader.hpp"

namespace firth::lm {

using SentenceVisitor = std::function<void(std::span<const WordId> words)>;

/// A text to read.
struct SentenceSource {
  std::vector<text::InputFile> files;
  const TextOptions& text;
  bool blank_lines = false;  ///< whether blank lines are sentences without words, or left out
};

/// Gives sentence after sentence.
class IdReader {
 public:
  /// `names` and `run` must outlive the reader, and so must the options of the source.
  IdReader(SentenceSource source, const Names& names, const RunOptions& run);

  /// The next sentence; false at the end. Words that `names` does not have are LanguageModel::kUnknown; so are
  /// <unk>, <s> and </s> themselves. Throws as reading does.
  bool next(std::vector<WordId>& words);

 private:
  /// Warns at the first <s> or </s>.
  WordId word_for(std::string_view spelling);

  bool blank_lines_;
  bool warned_ = false;
  const Names& names_;
  const RunOptions& run_;
  text::SentenceReader reader_;
  std::vector<WordId> known_;  // word of the model for each word of the reader, found once
};

/// Calls `visit` with every sentence in order, words that `names` does not have as LanguageModel::kUnknown;
/// so are <unk>, <s> and </s> themselves.
void visit_sentences(SentenceSource source, const Names& names, const SentenceVisitor& visit,
                     const RunOptions& run);

/// The same for inputs as a user names them, with the words of a model, without blank lines.
void for_each_sentence(const Inputs& inputs, const TextOptions& text, const LanguageModel& model,
                       const SentenceVisitor& visit, const RunOptions& run);

}  // namespace firth::lm

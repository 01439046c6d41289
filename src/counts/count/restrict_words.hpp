// Which words of a vocabulary stay, and what becomes of the others.
#pragma once

#include <vector>

#include "counts/pairs/pair_source.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"

namespace firth::counts {

/// A vocabulary without some words of another.
struct RestrictedWords {
  Vocabulary vocabulary;
  std::vector<WordId> new_ids;  ///< by old word: its own, that of `<unk>`, or kNoWord
  WordId unknown = kNoWord;     ///< that of `<unk>`, if some words became it
};

/// Leaves out what the options, which must restrict and not drop, do not let pass. Reads the vocabulary file; throws what
/// reading throws.
RestrictedWords restrict_words(const Vocabulary& old, const VocabularyOptions& options,
                               const RunOptions& run);

}  // namespace firth::counts

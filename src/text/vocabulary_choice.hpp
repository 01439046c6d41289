// Which words of a text are words of its vocabulary.
#pragma once

#include <span>
#include <vector>

#include "firth/run.hpp"
#include "firth/text.hpp"
#include "text/word_order.hpp"

namespace firth::text {

/// Whether each of the words, which are in frequency_order(), stays: it must be frequent enough, be listed in
/// the vocabulary file if there is one, and be among the first max_vocab words of which both is true. With
/// RarePolicy::unk, `<unk>` always stays, and does not count against max_vocab. Reads the vocabulary file;
/// throws what reading throws.
std::vector<bool> choose_words(std::span<const CountedWord> ranked, const VocabularyOptions& options,
                               const RunOptions& run);

}  // namespace firth::text

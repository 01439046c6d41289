// Which words stay in the vocabulary.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "firth/count.hpp"

namespace firth::counts {

/// selected[id]: the word stays. With RarePolicy::unk the word `<unk>` always stays, and does not count
/// against max_vocab. Reads the vocabulary file; throws what reading throws.
std::vector<bool> select_words(const Vocabulary& vocabulary, const VocabularyOptions& options);

/// The words of a file, one a line: up to a tab, without white space around them.
std::unordered_set<std::string> read_word_list(const std::string& path);

}  // namespace firth::counts

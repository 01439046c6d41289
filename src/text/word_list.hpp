// Files with a word per line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth::text {

/// A word of a list and its line.
struct ListedWord {
  std::string word;
  std::uint64_t line = 0;
};

/// The words of a list in their order: the first field of each line, so that a lexicon or a list with counts will
/// do; in a file where every line is a number, a word and a number (GIZA++), the second. Blank lines are left out.
/// Throws InputError, IoError, Cancelled.
std::vector<ListedWord> read_word_list(const Inputs& list, const RunOptions& run);

}  // namespace firth::text

// Whether arrays that come from a file are a trie.
#pragma once

#include <cstddef>

#include "lm/trie.hpp"

namespace firth::lm {

/// What is wrong with the arrays of a trie over `symbols` symbols; null if nothing is. All walks then stay inside of
/// the arrays and end. Every pass reads in order and without branches: a model of gigabytes is checked as fast as
/// memory is read.
const char* problem_of(const TrieArrays& arrays, std::size_t symbols);

}  // namespace firth::lm

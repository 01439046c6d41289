// ARPA files for others.
#pragma once

#include <string>

#include "lm/names.hpp"
#include "lm/trie.hpp"

namespace firth::lm {

/// Writes the n-grams of a trie with the names of its symbols; complete or not at all.
void write_arpa(const std::string& path, const Trie& trie, const Names& names);

}  // namespace firth::lm

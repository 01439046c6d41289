// Tries in less room.
#pragma once

#include "firth/run.hpp"
#include "lm/trie.hpp"

namespace firth::lm {

/// The trie with the probabilities of n-grams of two symbols or more as one of 256 values, and with back-off weights in
/// single precision that make every context add up to 1 again. The same trie if there are no such n-grams, or they
/// are quantised already. It keeps the arrays that it shares with the old one.
Trie quantized(const Trie& trie, const RunOptions& run);

}  // namespace firth::lm

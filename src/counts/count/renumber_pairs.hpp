// Pairs of a vocabulary from which words were left out.
#pragma once

#include <cstdint>

#include "counts/count/restrict_words.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth::counts {

/// Whether renumber_pairs() may be called: words that stay keep their order, and the result fits; 0 = no limit.
bool can_renumber(const PairCounts& pairs, const RestrictedWords& words, std::uint64_t max_bytes);

/// The pairs with new ids; those of words that are left out are, too. Rows are gone through as they are, and nothing is
/// sorted: beside the result, which takes 12 bytes per pair, this needs next to nothing.
PairCounts renumber_pairs(const PairCounts& pairs, const RestrictedWords& words, const RunOptions& run);

}  // namespace firth::counts

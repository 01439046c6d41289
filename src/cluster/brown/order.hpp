// The order in which words enter the window.
#pragma once

#include <span>
#include <vector>

#include "cluster/brown/options_names.hpp"
#include "firth/counts.hpp"

namespace firth::brown {

/// Throws UsageError if a word is listed twice, or is not below `words`.
void require_order(std::span<const WordId> order, std::size_t words);

/// Every word once: those of the options first, the others by frequency. Throws UsageError (unknown or repeated
/// words).
std::vector<WordId> entry_order(const Counts& counts, const BrownOptions& options);

}  // namespace firth::brown

// Counts of a text without words that follow themselves.
#pragma once

#include "firth/count.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

/// Throws UsageError where the squeezed counts could not be told from the counts of the text: other distances than
/// 1, words that are dropped, count tables.
void check_squeeze(const CountOptions& options);

/// The counts that the same text has without its repetitions. A word that follows itself makes one pair N(a,a), so these
/// pairs say how often each word was repeated, and no other pair changes.
Counts squeezed(const Counts& counts, const RunOptions& run);

}  // namespace firth::counts

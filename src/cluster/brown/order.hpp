// The order in which words enter the window.
#pragma once

#include <vector>

#include "firth/brown.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth::brown {

/// Every word once: those of the options first, the others by frequency. Throws InputError (order file with
/// an unknown or repeated word), UsageError (bad ids, both ways at once).
std::vector<WordId> entry_order(const Counts& counts, const BrownOptions& options,
                                const RunOptions& run = {});

}  // namespace firth::brown

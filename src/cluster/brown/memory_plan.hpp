// How large the engines of a run are, and whether they fit the memory limit.
#pragma once

#include <cstdint>
#include <span>

#include "cluster/brown/groups/group_engine.hpp"
#include "cluster/brown/objective_terms.hpp"
#include "cluster/brown/options_names.hpp"
#include "cluster/brown/window/window_engine.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth::brown {

struct EngineSizes {
  WindowShape window;  ///< of ALLSAME: of the first group if it has more words than classes, else nothing
  GroupShape groups;   ///< ALLSAME only; nothing if all words are in the window
};

/// Throws ResourceError if the run may not take as much memory as it needs.
EngineSizes plan_memory(const Counts& counts, const BrownOptions& options, std::span<const WordId> order,
                        const ObjectiveTerms& terms, const RunOptions& run);

}  // namespace firth::brown

// Fewer classes: greedy merges between passes.
#pragma once

#include <vector>

#include "base/ranks.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/state.hpp"
#include "firth/run.hpp"

namespace firth::exchange {

/// Pairs of classes that must not become one; empty = no such pairs.
using Conflicts = std::vector<std::vector<bool>>;

/// Merges the pair of classes that costs the least of F until `target` are left; returns the class of every
/// unit, numbered without gaps. All losses are screened once in single precision; a loss is
/// computed again, exactly, before its pair is merged, and those of a merged class are computed anew. Losses
/// that other merges have lowered since may be missed: passes follow. (The tree of the result is made by
/// build_tree, which is exact.) The state is used up: its matrices are reused. Throws UsageError when conflicts
/// leave no pair to merge.
std::vector<ClassId> merge_classes(State state, ClassId target, const Conflicts& conflicts,
                                   base::WorkerTeam& team, const RunOptions& run);

}  // namespace firth::exchange

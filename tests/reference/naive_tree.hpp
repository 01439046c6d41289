// Greedy merges of classes by brute force: every pair of every step is merged on paper and scored anew.
#pragma once

#include <span>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"

namespace firth::reference {

/// What build_tree() promises, with the objective recomputed from the words for every candidate.
MergeTree naive_tree(const Counts& counts, std::span<const ClassId> classes);

}  // namespace firth::reference

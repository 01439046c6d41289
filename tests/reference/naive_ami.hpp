// Average mutual information straight from its definition: maps of probabilities, one logarithm a class pair.
#pragma once

#include <span>

#include "firth/counts.hpp"
#include "firth/evaluate.hpp"

namespace firth::reference {

double naive_ami(const Counts& counts, std::span<const ClassId> classes, AmiNorm norm);

/// The same clustering by brute force: class labels after the first `merges` merges of a tree over its
/// leaves, found by really merging sets.
std::vector<std::vector<std::uint32_t>> naive_merge_sets(const MergeTree& tree, std::size_t merges);

}  // namespace firth::reference

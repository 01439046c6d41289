// AMI after each of the last merges of a tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"

namespace firth::spectral {

/// Sets ami_bits of the merges of a tree over classes; returns AMI before the first. `classes` are the leaves
/// that words belong to. Memory: leaves^2 counts; cost: the distinct pairs and leaves^2.
double score_merges(const PairCounts& bigrams, std::span<const ClassId> classes, MergeTree& tree);

/// Bytes that score_merges() takes for this many leaves.
std::uint64_t score_bytes(std::uint64_t leaves);

}  // namespace firth::spectral

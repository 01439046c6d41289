// Trees that say which nodes belong together, but not in which order they were merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "firth/clustering.hpp"

namespace firth::clusters {

/// Two children: leaves below `leaves`, or leaves + the place of another fork in the list, in any order.
struct Fork {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// A merge tree from forks that form one or more trees. Other tools' files do not tell the order of merges,
/// so Firth takes the deepest fork first; among equally deep ones, the one whose most frequent word is the
/// rarest. `leaf_ranks`: rank of the most frequent word of each leaf, all different. AMI is not known.
MergeTree deepest_first(std::span<const Fork> forks, std::span<const std::uint32_t> leaf_ranks);

/// Number of characters that two paths begin with in common.
std::size_t common_prefix(std::string_view a, std::string_view b);

/// The forks of distinct paths that are prefix-free and sorted; path i is leaf i. A node with one child only
/// is no fork.
std::vector<Fork> forks_of_paths(std::span<const std::string_view> paths);

}  // namespace firth::clusters

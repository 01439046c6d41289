// Work on merge trees that never recurses: a tree may be a chain of hundreds of thousands of merges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firth/clustering.hpp"

namespace firth::clusters {

/// A node or leaf that is not there.
inline constexpr std::uint32_t kNoNode = static_cast<std::uint32_t>(-1);

/// Throws UsageError unless every merge joins two different nodes that exist by then and are still free.
void check_tree(const MergeTree& tree);

/// The node that each leaf belongs to after the first `merges` merges.
std::vector<std::uint32_t> nodes_after(const MergeTree& tree, std::size_t merges);

/// The classes of the leaves after the first `merges` merges, numbered 0.. in order of their first leaves.
std::vector<ClassId> classes_after(const MergeTree& tree, std::size_t merges);

/// The tree with leaf i renamed to new_leaf[i], leaves renamed to kNoNode taken out along with the merges
/// that they were part of. The new names are 0..leaves-1.
MergeTree rename_leaves(const MergeTree& tree, std::span<const std::uint32_t> new_leaf, std::uint32_t leaves);

/// Makes the child whose best leaf has the smaller rank the left one, in every merge. Ranks are distinct.
void order_children(MergeTree& tree, std::span<const std::uint32_t> leaf_ranks);

/// What is left of the tree above the nodes of `top_of_leaf` = nodes_after(tree, merges): these nodes become
/// leaves, the node of leaf i under the name name_of_leaf[i] (0..leaves - merges - 1).
MergeTree upper_part(const MergeTree& tree, std::size_t merges, std::span<const std::uint32_t> top_of_leaf,
                     std::span<const std::uint32_t> name_of_leaf);

/// Path from the root to each leaf of a complete tree; "0" if the only leaf is the root.
std::vector<std::string> leaf_paths(const MergeTree& tree);

}  // namespace firth::clusters

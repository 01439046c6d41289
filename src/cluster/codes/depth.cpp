#include <fmt/format.h>

#include <utility>

#include "cluster/merge_tree.hpp"
#include "firth/codes.hpp"
#include "firth/error.hpp"

namespace firth {
namespace codes {
namespace {

/// For each leaf its ancestor at `depth`, or itself if it is higher than that. Parents come after their children.
std::vector<std::uint32_t> ancestors(const MergeTree& tree, std::uint32_t depth) {
  const std::size_t nodes = tree.leaves + tree.merges.size();
  std::vector<std::uint32_t> top(nodes);
  std::vector<std::uint32_t> depth_of(nodes, 0);
  for (std::size_t node = nodes; node-- > 0;) {
    if (node + 1 == nodes || depth_of[node] == depth) top[node] = static_cast<std::uint32_t>(node);
    if (node < tree.leaves) continue;
    const TreeMerge& merge = tree.merges[node - tree.leaves];
    for (const std::uint32_t child : {merge.left, merge.right}) {
      depth_of[child] = depth_of[node] + 1;
      // Below the depth everything belongs to the node at it; above it, to itself.
      top[child] = depth_of[node] >= depth ? top[node] : child;
    }
  }
  top.resize(tree.leaves);
  return top;
}

/// The tree above the classes: merges that join nodes above the depth, between new leaves.
MergeTree tree_above(const MergeTree& tree, std::span<const std::uint32_t> top,
                     std::span<const ClassId> class_of_leaf, ClassId classes) {
  std::vector<std::uint32_t> name(tree.leaves + tree.merges.size(), clusters::kNoNode);
  for (std::uint32_t leaf = 0; leaf < tree.leaves; ++leaf) name[top[leaf]] = class_of_leaf[leaf];
  MergeTree result{TreeLeaves::classes, classes, {}};
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    const TreeMerge& merge = tree.merges[i];
    const std::uint32_t node = tree.leaves + static_cast<std::uint32_t>(i);
    if (name[node] != clusters::kNoNode) continue;
    if (name[merge.left] == clusters::kNoNode || name[merge.right] == clusters::kNoNode) continue;
    name[node] = classes + static_cast<std::uint32_t>(result.merges.size());
    result.merges.push_back({name[merge.left], name[merge.right], merge.ami_bits});
  }
  return result;
}

}  // namespace
}  // namespace codes

Clustering cut_at_depth(const Clustering& clustering, std::uint32_t depth) {
  const auto& tree = clustering.tree();
  if (!tree || tree->merges.size() + 1 != tree->leaves) {
    throw UsageError(tree ? "the tree is not complete" : "there is no tree",
                     "only classes with a whole tree can be cut at a depth");
  }
  const std::vector<std::uint32_t> top = codes::ancestors(*tree, depth);
  std::vector<ClassId> number(tree->leaves + tree->merges.size(), clusters::kNoNode);
  std::vector<ClassId> class_of_leaf(tree->leaves);
  ClassId count = 0;
  for (std::uint32_t leaf = 0; leaf < tree->leaves; ++leaf) {
    if (number[top[leaf]] == clusters::kNoNode) number[top[leaf]] = count++;
    class_of_leaf[leaf] = number[top[leaf]];
  }
  std::vector<ClassId> classes(clustering.word_count());
  for (WordId word = 0; word < classes.size(); ++word)
    classes[word] = class_of_leaf[tree->kind == TreeLeaves::words ? word : clustering.class_of(word)];
  return Clustering(clustering.vocabulary(), classes, codes::tree_above(*tree, top, class_of_leaf, count));
}

}  // namespace firth

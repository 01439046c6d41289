#include "cluster/merge_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "firth/error.hpp"

namespace firth::clusters {
namespace {

// Beyond this the strings are of no use to anybody, and their making would look like a hang.
constexpr std::uint64_t kMaxPathBytes = std::uint64_t{4} << 30;

std::uint64_t total_path_bytes(const MergeTree& tree) {
  std::vector<std::uint64_t> depths(tree.leaves + tree.merges.size());
  for (std::size_t i = tree.merges.size(); i-- > 0;) {
    const std::uint64_t depth = depths[tree.leaves + i] + 1;
    depths[tree.merges[i].left] = depth;
    depths[tree.merges[i].right] = depth;
  }
  std::uint64_t total = 0;
  for (std::uint32_t leaf = 0; leaf < tree.leaves; ++leaf) total += depths[leaf];
  return total;
}

}  // namespace

void check_tree(const MergeTree& tree) {
  if (tree.merges.size() >= std::max<std::size_t>(tree.leaves, 1)) {
    throw UsageError(
        fmt::format("a tree of {} leaves cannot have {} merges", tree.leaves, tree.merges.size()));
  }
  if (tree.leaves > kNoNode / 2)
    throw UsageError(fmt::format("a tree of {} leaves is too large", tree.leaves));
  std::vector<bool> used(tree.leaves + tree.merges.size());
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    for (const std::uint32_t child : {tree.merges[i].left, tree.merges[i].right}) {
      if (child >= tree.leaves + i) {
        throw UsageError(fmt::format("merge {} of the tree uses node {}, which is not made yet", i, child));
      }
      if (used[child]) {
        throw UsageError(fmt::format("merge {} of the tree uses node {}, which is merged already", i, child));
      }
      used[child] = true;
    }
  }
}

std::vector<std::uint32_t> nodes_after(const MergeTree& tree, std::size_t merges) {
  std::vector<std::uint32_t> top(tree.leaves + merges);
  for (std::uint32_t node = 0; node < top.size(); ++node) top[node] = node;
  // Parents have larger numbers than their children: one pass downwards settles every node.
  for (std::size_t i = merges; i-- > 0;) {
    top[tree.merges[i].left] = top[tree.leaves + i];
    top[tree.merges[i].right] = top[tree.leaves + i];
  }
  top.resize(tree.leaves);
  return top;
}

std::vector<ClassId> classes_after(const MergeTree& tree, std::size_t merges) {
  const std::vector<std::uint32_t> nodes = nodes_after(tree, merges);
  std::vector<ClassId> number(tree.leaves + merges, kNoNode);
  std::vector<ClassId> classes(nodes.size());
  ClassId count = 0;
  for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf) {
    if (number[nodes[leaf]] == kNoNode) number[nodes[leaf]] = count++;
    classes[leaf] = number[nodes[leaf]];
  }
  return classes;
}

MergeTree rename_leaves(const MergeTree& tree, std::span<const std::uint32_t> new_leaf,
                        std::uint32_t leaves) {
  MergeTree result{.kind = tree.kind, .leaves = leaves, .merges = {}};
  result.merges.reserve(tree.merges.size());
  std::vector<std::uint32_t> name(new_leaf.begin(), new_leaf.end());
  name.reserve(tree.leaves + tree.merges.size());
  for (const TreeMerge& merge : tree.merges) {
    const std::uint32_t left = name[merge.left];
    const std::uint32_t right = name[merge.right];
    if (left == kNoNode || right == kNoNode) {
      name.push_back(left == kNoNode ? right : left);
      continue;
    }
    name.push_back(leaves + static_cast<std::uint32_t>(result.merges.size()));
    result.merges.push_back({left, right, merge.ami_bits});
  }
  return result;
}

void order_children(MergeTree& tree, std::span<const std::uint32_t> leaf_ranks) {
  std::vector<std::uint32_t> best(leaf_ranks.begin(), leaf_ranks.end());
  best.reserve(tree.leaves + tree.merges.size());
  for (TreeMerge& merge : tree.merges) {
    if (best[merge.right] < best[merge.left]) std::swap(merge.left, merge.right);
    best.push_back(best[merge.left]);
  }
}

MergeTree upper_part(const MergeTree& tree, std::size_t merges, std::span<const std::uint32_t> top_of_leaf,
                     std::span<const std::uint32_t> name_of_leaf) {
  const auto leaves = static_cast<std::uint32_t>(tree.leaves - merges);
  const auto first_kept = static_cast<std::uint32_t>(tree.leaves + merges);
  std::vector<std::uint32_t> name(first_kept, kNoNode);
  for (std::uint32_t leaf = 0; leaf < tree.leaves; ++leaf) name[top_of_leaf[leaf]] = name_of_leaf[leaf];
  const auto rename = [&](std::uint32_t node) {
    return node < first_kept ? name[node] : leaves + (node - first_kept);
  };
  MergeTree result{.kind = TreeLeaves::classes, .leaves = leaves, .merges = {}};
  result.merges.reserve(tree.merges.size() - merges);
  for (std::size_t i = merges; i < tree.merges.size(); ++i) {
    const TreeMerge& merge = tree.merges[i];
    result.merges.push_back({rename(merge.left), rename(merge.right), merge.ami_bits});
  }
  return result;
}

std::vector<std::string> leaf_paths(const MergeTree& tree) {
  if (tree.leaves == 1) return {"0"};
  const std::uint64_t bytes = total_path_bytes(tree);
  if (bytes > kMaxPathBytes) {
    throw ResourceError(fmt::format("the bit strings of this tree would be {} bytes long", bytes),
                        "cut the tree at fewer classes");
  }
  std::vector<std::string> paths(tree.leaves + tree.merges.size());
  for (std::size_t i = tree.merges.size(); i-- > 0;) {
    // The parent's string moves into a child, so that only one front of the tree is in memory.
    std::string path = std::move(paths[tree.leaves + i]);
    paths[tree.merges[i].right] = path + '1';
    path += '0';
    paths[tree.merges[i].left] = std::move(path);
  }
  paths.resize(tree.leaves);
  return paths;
}

}  // namespace firth::clusters

#include "cluster/io/fork_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cluster/merge_tree.hpp"

namespace firth::clusters {
namespace {

/// Forks with parents before children.
std::vector<std::uint32_t> parents_first(std::span<const Fork> forks, std::uint32_t leaves) {
  std::vector<bool> has_parent(forks.size());
  for (const Fork& fork : forks) {
    for (const std::uint32_t child : {fork.left, fork.right}) {
      if (child >= leaves) has_parent[child - leaves] = true;
    }
  }
  std::vector<std::uint32_t> order;
  order.reserve(forks.size());
  for (std::uint32_t i = 0; i < forks.size(); ++i) {
    if (!has_parent[i]) order.push_back(i);
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    for (const std::uint32_t child : {forks[order[done]].left, forks[order[done]].right}) {
      if (child >= leaves) order.push_back(child - leaves);
    }
  }
  return order;
}

}  // namespace

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

MergeTree deepest_first(std::span<const Fork> forks, std::span<const std::uint32_t> leaf_ranks) {
  const auto leaves = static_cast<std::uint32_t>(leaf_ranks.size());
  const std::vector<std::uint32_t> order = parents_first(forks, leaves);
  std::vector<std::uint32_t> depth(forks.size());
  for (const std::uint32_t i : order) {
    for (const std::uint32_t child : {forks[i].left, forks[i].right}) {
      if (child >= leaves) depth[child - leaves] = depth[i] + 1;
    }
  }
  std::vector<std::uint32_t> best(leaf_ranks.begin(), leaf_ranks.end());
  best.resize(leaf_ranks.size() + forks.size());
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    best[leaves + *i] = std::min(best[forks[*i].left], best[forks[*i].right]);
  }
  std::vector<std::uint32_t> by_depth = order;
  std::sort(by_depth.begin(), by_depth.end(), [&](std::uint32_t a, std::uint32_t b) {
    return depth[a] != depth[b] ? depth[a] > depth[b] : best[leaves + a] > best[leaves + b];
  });
  std::vector<std::uint32_t> node(leaves + forks.size());
  std::iota(node.begin(), node.begin() + leaves, 0u);
  MergeTree tree{.kind = TreeLeaves::classes, .leaves = leaves, .merges = {}};
  for (const std::uint32_t i : by_depth) {
    node[leaves + i] = leaves + static_cast<std::uint32_t>(tree.merges.size());
    tree.merges.push_back(
        {node[forks[i].left], node[forks[i].right], std::numeric_limits<double>::quiet_NaN()});
  }
  return tree;
}

std::vector<Fork> forks_of_paths(std::span<const std::string_view> paths) {
  // Neighbours in sorted order part at some depth, each fork parts exactly one pair of neighbours: the tree
  // is the Cartesian tree of these depths. `spine` holds the forks on the way from the root to the newest
  // leaf.
  const auto leaves = static_cast<std::uint32_t>(paths.size());
  std::vector<Fork> forks;
  std::vector<std::size_t> depths;
  std::vector<std::uint32_t> spine;
  for (std::uint32_t i = 0; i + 1 < leaves; ++i) {
    const std::size_t depth = common_prefix(paths[i], paths[i + 1]);
    std::uint32_t left = i;
    while (!spine.empty() && depths[spine.back()] > depth) {
      left = leaves + spine.back();
      spine.pop_back();
    }
    forks.push_back({left, i + 1});
    depths.push_back(depth);
    if (!spine.empty()) forks[spine.back()].right = leaves + i;
    spine.push_back(i);
  }
  return forks;
}

}  // namespace firth::clusters

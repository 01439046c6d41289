#include "cluster/codes/leaf_order.hpp"

#include <algorithm>

namespace firth::codes {
namespace {

struct Visit {
  std::uint32_t node;
  std::uint32_t depth;
  std::uint32_t gap;  ///< before its first leaf
};

/// Visits the nodes of a tree from left to right without recursion: a tree may be a long chain.
class Walk {
 public:
  Walk(const Clustering& clustering, LeafOrder& order)
      : clustering_(clustering), members_(clustering.members()), order_(order) {}

  void run() {
    const auto& tree = clustering_.tree();
    if (!tree) {
      for (const auto& words : members_) add(words, 0);
      return;
    }
    for (const std::uint32_t root : roots(*tree)) stack_.push_back({root, 1, 0});
    // One whole tree has its root at depth 0.
    if (stack_.size() == 1) stack_.front().depth = 0;
    std::reverse(stack_.begin(), stack_.end());
    while (!stack_.empty()) step(*tree);
  }

 private:
  static std::vector<std::uint32_t> roots(const MergeTree& tree) {
    std::vector<char> has_parent(tree.leaves + tree.merges.size(), 0);
    for (const TreeMerge& merge : tree.merges) has_parent[merge.left] = has_parent[merge.right] = 1;
    std::vector<std::uint32_t> result;
    for (std::uint32_t node = 0; node < has_parent.size(); ++node)
      if (has_parent[node] == 0) result.push_back(node);
    return result;
  }

  void step(const MergeTree& tree) {
    const Visit at = stack_.back();
    stack_.pop_back();
    if (at.node >= tree.leaves) {
      const TreeMerge& merge = tree.merges[at.node - tree.leaves];
      stack_.push_back({merge.right, at.depth + 1, at.depth});
      stack_.push_back({merge.left, at.depth + 1, at.gap});
    } else if (tree.kind == TreeLeaves::words) {
      add({at.node}, at.gap);
    } else {
      add(members_[at.node], at.gap);
    }
  }

  void add(const std::vector<WordId>& words, std::uint32_t gap) {
    for (const WordId word : words) {
      order_.words.push_back(word);
      order_.gaps.push_back(gap);
      gap = kSameLeaf;
    }
  }

  const Clustering& clustering_;
  std::vector<std::vector<WordId>> members_;
  LeafOrder& order_;
  std::vector<Visit> stack_;
};

}  // namespace

LeafOrder leaf_order(const Clustering& clustering) {
  LeafOrder order;
  Walk(clustering, order).run();
  return order;
}

}  // namespace firth::codes

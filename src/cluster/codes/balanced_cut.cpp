// Cuts of a tree by the sizes of classes instead of the order of merges.
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <vector>

#include "cluster/codes/leaf_order.hpp"
#include "cluster/merge_tree.hpp"
#include "firth/codes.hpp"
#include "firth/error.hpp"

namespace firth {
namespace codes {
namespace {

std::uint64_t size_of(const Clustering& clustering, WordId word, SizeUnit unit) {
  return unit == SizeUnit::words ? 1 : clustering.vocabulary().count(word);
}

/// Size of every node of the tree.
std::vector<std::uint64_t> node_sizes(const Clustering& clustering, const MergeTree& tree, SizeUnit unit) {
  std::vector<std::uint64_t> sizes(tree.leaves + tree.merges.size(), 0);
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    const std::uint32_t leaf = tree.kind == TreeLeaves::words ? word : clustering.class_of(word);
    sizes[leaf] += size_of(clustering, word, unit);
  }
  for (std::size_t i = 0; i < tree.merges.size(); ++i)
    sizes[tree.leaves + i] = sizes[tree.merges[i].left] + sizes[tree.merges[i].right];
  return sizes;
}

/// Nodes of the tree from the root down, the largest one split first.
class LargestFirst {
 public:
  LargestFirst(const MergeTree& tree, std::vector<std::uint64_t> sizes)
      : tree_(tree), sizes_(std::move(sizes)) {
    add(static_cast<std::uint32_t>(sizes_.size() - 1));
  }

  [[nodiscard]] std::size_t classes() const { return leaves_.size() + open_.size(); }
  [[nodiscard]] bool can_split() const { return !open_.empty(); }
  [[nodiscard]] std::uint64_t largest() const {
    const std::uint64_t open = open_.empty() ? 0 : open_.top().first;
    return std::max(open, largest_leaf_);
  }
  [[nodiscard]] std::uint64_t largest_leaf() const { return largest_leaf_; }

  void split() {
    const TreeMerge& merge = tree_.merges[node_of(open_.top()) - tree_.leaves];
    open_.pop();
    add(merge.left);
    add(merge.right);
  }

  /// The nodes that are classes now.
  std::vector<std::uint32_t> take() {
    std::vector<std::uint32_t> nodes = std::move(leaves_);
    for (; !open_.empty(); open_.pop()) nodes.push_back(node_of(open_.top()));
    return nodes;
  }

 private:
  // Of equally large nodes the one with the larger number, which was made later, comes first.
  using Entry = std::pair<std::uint64_t, std::uint32_t>;
  static std::uint32_t node_of(const Entry& entry) { return entry.second; }

  void add(std::uint32_t node) {
    if (node >= tree_.leaves) {
      open_.push({sizes_[node], node});
    } else {
      leaves_.push_back(node);
      largest_leaf_ = std::max(largest_leaf_, sizes_[node]);
    }
  }

  const MergeTree& tree_;
  std::vector<std::uint64_t> sizes_;
  std::priority_queue<Entry> open_;
  std::vector<std::uint32_t> leaves_;
  std::uint64_t largest_leaf_ = 0;
};

/// The classes whose tops are `nodes`.
Clustering below(const Clustering& clustering, const MergeTree& tree,
                 const std::vector<std::uint32_t>& nodes) {
  std::vector<ClassId> class_of(tree.leaves + tree.merges.size(), kNoClass);
  for (ClassId c = 0; c < nodes.size(); ++c) class_of[nodes[c]] = c;
  MergeTree upper{TreeLeaves::classes, static_cast<std::uint32_t>(nodes.size()), {}};
  for (std::size_t i = tree.merges.size(); i-- > 0;) {
    const ClassId c = class_of[tree.leaves + i];
    if (c == kNoClass) continue;
    class_of[tree.merges[i].left] = class_of[tree.merges[i].right] = c;
  }
  std::vector<std::uint32_t> name(class_of.begin(), class_of.end());
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    if (class_of[tree.leaves + i] != kNoClass) continue;
    const TreeMerge& merge = tree.merges[i];
    name[tree.leaves + i] = upper.leaves + static_cast<std::uint32_t>(upper.merges.size());
    upper.merges.push_back({name[merge.left], name[merge.right], merge.ami_bits});
  }
  std::vector<ClassId> classes;
  for (WordId word = 0; word < clustering.word_count(); ++word)
    classes.push_back(class_of[tree.kind == TreeLeaves::words ? word : clustering.class_of(word)]);
  return Clustering(clustering.vocabulary(), classes, std::move(upper));
}

const MergeTree& whole_tree(const Clustering& clustering) {
  const auto& tree = clustering.tree();
  if (!tree || tree->merges.size() + 1 != tree->leaves) {
    throw UsageError(tree ? "the tree is not complete" : "there is no tree",
                     "only classes with a whole tree can be cut by size");
  }
  return *tree;
}

Clustering cut_largest_first(const Clustering& clustering, ClassId classes, const ClassSizes& sizes) {
  const MergeTree& tree = whole_tree(clustering);
  LargestFirst nodes(tree, node_sizes(clustering, tree, sizes.unit));
  while (nodes.can_split() && (nodes.classes() < classes || (classes == 0 && nodes.largest() > sizes.max)))
    nodes.split();
  if (nodes.largest() > sizes.max) {
    const bool leaf = nodes.largest_leaf() > sizes.max;
    throw UsageError(fmt::format("a class has {} members, {} are allowed", nodes.largest(), sizes.max),
                     leaf ? "the tree ends there: allow larger classes, or make the tree from more classes"
                          : "ask for more classes, or leave their number open",
                     "ClassSizes::max");
  }
  return below(clustering, tree, nodes.take());
}

/// Ranges of the leaves from left to right, whose sizes differ as little as single words allow.
Clustering cut_evenly(const Clustering& clustering, ClassId classes, SizeUnit unit) {
  static_cast<void>(whole_tree(clustering));
  if (classes == 0 || classes > clustering.word_count()) {
    throw UsageError(fmt::format("{} classes of {} words", classes, clustering.word_count()),
                     "give a number of classes, at most that of words");
  }
  const LeafOrder order = leaf_order(clustering);
  std::uint64_t total = 0;
  for (const WordId word : order.words) total += size_of(clustering, word, unit);
  std::vector<ClassId> class_of(clustering.word_count());
  std::uint64_t left = total;
  std::size_t next = 0;
  for (ClassId c = 0; c < classes; ++c) {
    const std::uint64_t share = (left + (classes - c) / 2) / (classes - c);
    const std::size_t last = order.words.size() - (classes - c - 1);  // every later class gets a word
    std::uint64_t size = 0;
    do {
      size += size_of(clustering, order.words[next], unit);
      class_of[order.words[next++]] = c;
      if (c + 1 == classes) continue;
      if (next == last || size + size_of(clustering, order.words[next], unit) / 2 >= share) break;
    } while (next < order.words.size());
    left -= size;
  }
  return Clustering(clustering.vocabulary(), class_of);
}

}  // namespace
}  // namespace codes

Clustering cut_by_size(const Clustering& clustering, ClassId classes, const ClassSizes& sizes) {
  validate(sizes);
  if (sizes.equal) return codes::cut_evenly(clustering, classes, sizes.unit);
  return codes::cut_largest_first(clustering, classes, sizes);
}

}  // namespace firth

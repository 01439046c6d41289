#include "grammar/training_nodes.hpp"

#include "base/rng.hpp"

namespace firth::grammar {
namespace {

/// Nodes of one tree, the root last: the order of BinaryTree turned round.
void append_tree(const treebank::BinaryTree& tree, TrainingNodes& to) {
  const auto base = static_cast<std::uint32_t>(to.nodes.size());
  const auto last = static_cast<std::uint32_t>(tree.nodes.size()) - 1;
  const auto first_word = static_cast<std::uint32_t>(to.leaves.size());
  const auto turned = [&](std::uint32_t id) { return id == treebank::kNoNode ? kNoNode : base + last - id; };
  to.leaves.resize(to.leaves.size() + tree.word_count());
  for (std::uint32_t i = last + 1; i-- > 0;) {
    const treebank::BinaryNode& node = tree.nodes[i];
    if (node.is_leaf()) to.leaves[first_word + node.begin] = turned(i);
    to.nodes.push_back({.symbol = node.symbol,
                        .left = turned(node.left),
                        .right = turned(node.right),
                        .parent = turned(node.parent),
                        .rule = node.rule,
                        .begin = first_word + node.begin,
                        .end = first_word + node.end});
  }
  to.tree_ends.push_back(static_cast<std::uint32_t>(to.nodes.size()));
}

}  // namespace

TrainingNodes flatten_trees(const RuleCounts& rules, std::span<const treebank::BinaryTree> trees) {
  TrainingNodes result;
  result.symbols = static_cast<std::uint32_t>(rules.symbols.size());
  result.rules = rules.rules;
  result.lexical_rules = rules.lexical;
  for (const treebank::BinaryTree& tree : trees) append_tree(tree, result);
  return result;
}

TrainingNodes flatten_trees(const TrainingSet& set) {
  TrainingNodes result = flatten_trees(set.rules, set.trees);
  for (const auto& sentence : set.sentences)
    result.spellings.insert(result.spellings.end(), sentence.begin(), sentence.end());
  return result;
}

void sample_one_node_per_tree(TrainingNodes& trees, std::uint64_t seed) {
  base::Rng rng(seed);
  trees.sampled.assign(trees.nodes.size(), false);
  std::uint32_t begin = 0;
  for (const std::uint32_t end : trees.tree_ends) {
    trees.sampled[begin + rng.below(end - begin)] = true;
    begin = end;
  }
}

NodesBySymbol nodes_by_symbol(const TrainingNodes& trees) {
  NodesBySymbol result;
  result.offsets.assign(trees.symbols + std::size_t{1}, 0);
  for (const TrainingNode& node : trees.nodes) ++result.offsets[node.symbol + std::size_t{1}];
  for (std::size_t i = 0; i < trees.symbols; ++i) result.offsets[i + 1] += result.offsets[i];
  result.nodes.resize(trees.nodes.size());
  std::vector<std::uint32_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::uint32_t id = 0; id < trees.nodes.size(); ++id) result.nodes[next[trees.nodes[id].symbol]++] = id;
  return result;
}

}  // namespace firth::grammar

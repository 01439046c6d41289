// All nodes of all training trees in flat tables: what every learner of latent grammars reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/latent_grammar.hpp"
#include "grammar/training_set.hpp"
#include "treebank/binary_tree.hpp"

namespace firth::grammar {

using treebank::kNoNode;

/// A node of a binarised tree. A leaf is a preterminal over one terminal; every other node has two children.
struct TrainingNode {
  std::uint32_t symbol = 0;
  std::uint32_t left = kNoNode;    ///< kNoNode for a leaf
  std::uint32_t right = kNoNode;   ///< kNoNode for a leaf
  std::uint32_t parent = kNoNode;  ///< kNoNode for a root
  std::uint32_t rule = 0;          ///< a binary rule, or for a leaf a lexical rule
  std::uint32_t begin = 0;         ///< first word of the span, counted over the whole treebank
  std::uint32_t end = 0;           ///< one past the last

  bool leaf() const noexcept { return left == kNoNode; }
};

struct TrainingNodes {
  std::uint32_t symbols = 0;
  std::vector<BinaryRule> rules;
  std::vector<LexicalRule> lexical_rules;
  std::vector<TrainingNode> nodes;       ///< tree after tree, children before their parents
  std::vector<std::uint32_t> tree_ends;  ///< one past the root of each tree
  std::vector<std::uint32_t> leaves;     ///< the leaf over each word of the treebank
  std::vector<std::uint32_t> spellings;  ///< a number for each word's spelling, rare words too; may be empty
  std::vector<bool> sampled;             ///< nodes that the spectral learner learns from; empty: all

  std::size_t trees() const noexcept { return tree_ends.size(); }
  std::uint32_t root(std::size_t tree) const { return tree_ends[tree] - 1; }
  bool is_sampled(std::uint32_t node) const { return sampled.empty() || sampled[node]; }
};

/// All trees of a training set, without the spellings in the first form.
TrainingNodes flatten_trees(const RuleCounts& rules, std::span<const treebank::BinaryTree> trees);
TrainingNodes flatten_trees(const TrainingSet& set);

/// Marks one random node of each tree as sampled.
void sample_one_node_per_tree(TrainingNodes& trees, std::uint64_t seed);

/// The nodes of each symbol, in order.
struct NodesBySymbol {
  std::vector<std::uint32_t> offsets;  ///< one more than there are symbols
  std::vector<std::uint32_t> nodes;

  std::span<const std::uint32_t> of(std::size_t symbol) const {
    return std::span(nodes).subspan(offsets[symbol], offsets[symbol + 1] - offsets[symbol]);
  }
};

NodesBySymbol nodes_by_symbol(const TrainingNodes& trees);

}  // namespace firth::grammar

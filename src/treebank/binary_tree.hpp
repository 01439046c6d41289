// Binary trees over numbered symbols, as grammars use them.
#pragma once

#include <cstdint>
#include <vector>

#include "firth/treebank.hpp"
#include "treebank/interner.hpp"
#include "treebank/symbols.hpp"

namespace firth::treebank {

inline constexpr std::uint32_t kNoNode = static_cast<std::uint32_t>(-1);

/// A node: two nodes below it, or a word.
struct BinaryNode {
  SymbolId symbol = 0;
  std::uint32_t parent = kNoNode;  ///< kNoNode at the root
  std::uint32_t left = kNoNode;    ///< kNoNode above a word
  std::uint32_t right = kNoNode;
  std::uint32_t begin = 0;  ///< the words it covers: [begin, end)
  std::uint32_t end = 0;
  std::uint32_t word = 0;  ///< above a word: its number
  std::uint32_t rule = 0;  ///< its rule, where a grammar has numbered them: binary and lexical rules apart

  bool is_leaf() const noexcept { return left == kNoNode; }
  std::uint32_t width() const noexcept { return end - begin; }
  friend bool operator==(const BinaryNode&, const BinaryNode&) = default;
};

/// Nodes with parents before children, left before right: the root is node 0, and a loop from the back meets
/// children before parents.
struct BinaryTree {
  std::vector<BinaryNode> nodes = {};

  std::uint32_t word_count() const noexcept { return nodes.empty() ? 0 : nodes.front().end; }
  friend bool operator==(const BinaryTree&, const BinaryTree&) = default;
};

/// Makes trees binary and numbers their symbols and words.
class Binarizer {
 public:
  /// `symbols` and `words` must outlive it. Throws UsageError.
  Binarizer(const BinarizeOptions& options, SymbolTable& symbols, Interner& words);

  /// Labels and words are taken as they are: clean_tree() comes before. `tree` must not be empty.
  BinaryTree operator()(const Tree& tree);

 private:
  struct Piece;
  class Walk;

  BinarizeOptions options_;
  SymbolTable& symbols_;
  Interner& words_;
};

/// The tree that was made binary; `words[i]` is the word at place i. O(nodes).
Tree unbinarize(const BinaryTree& tree, const SymbolTable& symbols, const std::vector<std::string>& words);

}  // namespace firth::treebank

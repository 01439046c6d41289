// Trees of phrases: reading and writing brackets, cleaning, and the binary form that grammars learn from.
//
//   firth::TreeReader reader("wsj.mrg", firth::TreeLayout::free, run);
//   for (firth::Tree tree; reader.next(tree);) {
//     firth::clean_tree(tree);
//     use(tree);
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "firth/error.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth {

/// A node: a phrase with nodes below it, or a tag with its word.
struct TreeNode {
  std::string label = {};
  std::string word = {};   ///< empty above the tags
  std::uint32_t size = 1;  ///< nodes of its subtree, itself included

  [[nodiscard]] bool is_leaf() const noexcept { return !word.empty(); }
  friend bool operator==(const TreeNode&, const TreeNode&) = default;
};

/// A tree as the list of its nodes, parents before children, from left to right: the first child of node i
/// is i + 1, the next sibling of node i is i + size. No nodes: no tree (a sentence that was not parsed).
struct Tree {
  std::vector<TreeNode> nodes = {};

  [[nodiscard]] bool empty() const noexcept { return nodes.empty(); }
  /// The numbers of the leaves.
  [[nodiscard]] std::vector<std::uint32_t> leaves() const;
  friend bool operator==(const Tree&, const Tree&) = default;
};

/// How trees are written in a file.
enum class TreeLayout {
  free,   ///< one tree per line or spread over lines, any number of them; trees without words are left out
  lines,  ///< an empty line, or a tree without words, is a sentence without a tree and gives an empty one
};

/// Reads bracketed trees in UTF-8. Throws InputError with the line of what cannot be read: brackets that do not match,
/// words without a tag, brackets without words.
class TreeReader {
 public:
  TreeReader(const Inputs& inputs, TreeLayout layout, const RunOptions& run = {});
  ~TreeReader();
  TreeReader(TreeReader&&) noexcept;
  TreeReader& operator=(TreeReader&&) noexcept;
  TreeReader(const TreeReader&) = delete;
  TreeReader& operator=(const TreeReader&) = delete;

  /// The next tree; false at the end.
  [[nodiscard]] bool next(Tree& tree);
  /// Where the last tree began.
  [[nodiscard]] const SourceLocation& where() const;
  /// Trees without words that were left out.
  [[nodiscard]] std::uint64_t left_out() const;

  /// Calls `action` whenever next() has to wait for a pipe or a terminal: its writer may want an answer to what is there.
  void before_waiting(std::function<void()> action);

  /// From now on trees that cannot be read are left out; reading goes on at the next line that begins with a
  /// bracket in its first column.
  void skip_bad();
  /// How many were left out because of that, and what was wrong with the first.
  [[nodiscard]] std::uint64_t bad() const;
  [[nodiscard]] const std::string& first_problem() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// All trees of a text; `name` stands for it in messages.
[[nodiscard]] std::vector<Tree> parse_trees(std::string_view text, const std::string& name,
                                            TreeLayout layout = TreeLayout::free);

/// Takes out traces (-NONE-, or words like *con* and *T*-1), (CODE ...) and (ID ...), with the phrases that have
/// no other words; function tags and indices of labels (everything from the first -, = or |, but not in -LRB-); and
/// roots without content: empty label, ROOT, TOP or S1 above a single child.
void clean_tree(Tree& tree);

/// One line without its end: "( (S (NP (PRP We)) (VP (VBD saw))))"; "()" for an empty tree. With `root`, a
/// bracket without label is put around a tree that has a label at its root.
[[nodiscard]] std::string format_tree(const Tree& tree, bool root = true);

/// A word as brackets can hold it: ( and ) become -LRB- and -RRB-.
[[nodiscard]] std::string escape_brackets(std::string_view word);

/// Which side of a phrase is put together first.
enum class TreeBranching { left, right };

/// How trees become binary. Chains of phrases with a single child become one symbol, S|VP; phrases with more
/// than two children get symbols such as @NP in between. All of it can be undone exactly.
struct BinarizeOptions {
  /// left: ((a b) c) d; right: a (b (c d)).
  TreeBranching branching = TreeBranching::left;
  /// How many of the children that a symbol in between stands for are part of its name, nearest to the cut:
  /// 0 gives @NP; kAllSiblings keeps the rules of the treebank.
  std::uint32_t horizontal = 0;
  /// How many phrases above are part of a phrase's symbol, with itself: 1 = none, 2 = the parent (NP^S).
  std::uint32_t vertical = 1;
  /// Whether tags carry the phrases above too, when vertical > 1.
  bool annotate_tags = false;
  /// Whether symbols in between (@NP) carry the phrases above too, when vertical > 1.
  bool annotate_between = true;
};

inline constexpr std::uint32_t kAllSiblings = static_cast<std::uint32_t>(-1);

/// Throws UsageError for options out of range (horizontal up to 5 or all, vertical 1 to 4).
void validate(const BinarizeOptions& options);

}  // namespace firth

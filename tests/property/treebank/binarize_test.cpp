// Making trees binary can be undone, whatever is in them.
#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "treebank/binary_tree.hpp"

namespace firth {
namespace {

using treebank::BinaryNode;
using treebank::BinaryTree;

// Labels with everything that names of symbols use.
std::string random_label(base::Rng& rng) {
  static const std::vector<std::string> kLabels = {"S",    "NP", "VP", "@NP", "A|B",   "x^y", "->",  "\\",
                                                   "A\\|", "@",  "|",  "^",   "NP>NP", ">",   "\\@", "-LRB-"};
  return kLabels[rng.below(kLabels.size())];
}

void grow(base::Rng& rng, Tree& tree, std::size_t depth) {
  const std::size_t at = tree.nodes.size();
  tree.nodes.push_back({random_label(rng), {}, 1});
  if (depth == 0 || rng.below(3) == 0) {
    tree.nodes[at].word = "w" + std::to_string(rng.below(20));
  } else {
    const std::size_t children = 1 + rng.below(5);
    for (std::size_t i = 0; i < children; ++i) grow(rng, tree, depth - 1);
  }
  tree.nodes[at].size = static_cast<std::uint32_t>(tree.nodes.size() - at);
}

std::vector<std::string> words_of(const Tree& tree) {
  std::vector<std::string> words;
  for (const std::uint32_t leaf : tree.leaves()) words.push_back(tree.nodes[leaf].word);
  return words;
}

void check_shape(const BinaryTree& tree, const treebank::SymbolTable& symbols) {
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const BinaryNode& node = tree.nodes[i];
    ASSERT_EQ(symbols.is_tag(node.symbol), node.is_leaf());
    if (node.is_leaf()) {
      ASSERT_EQ(node.width(), 1U);
      continue;
    }
    const BinaryNode& left = tree.nodes[node.left];
    const BinaryNode& right = tree.nodes[node.right];
    ASSERT_EQ(node.left, i + 1);
    ASSERT_GT(node.right, node.left);
    ASSERT_EQ(left.parent, i);
    ASSERT_EQ(right.parent, i);
    ASSERT_EQ(node.begin, left.begin);
    ASSERT_EQ(left.end, right.begin);
    ASSERT_EQ(node.end, right.end);
  }
}

TEST(Binarize, CanBeUndone) {
  base::Rng rng(7);
  for (int round = 0; round < 3000; ++round) {
    BinarizeOptions options;
    options.branching = rng.below(2) == 0 ? TreeBranching::left : TreeBranching::right;
    options.horizontal = rng.below(5) == 0 ? kAllSiblings : static_cast<std::uint32_t>(rng.below(4));
    options.vertical = 1 + static_cast<std::uint32_t>(rng.below(3));
    options.annotate_tags = rng.below(2) == 1;
    treebank::SymbolTable symbols;
    treebank::Interner words;
    treebank::Binarizer binarizer(options, symbols, words);
    Tree tree;
    grow(rng, tree, 5);
    const BinaryTree binary = binarizer(tree);
    check_shape(binary, symbols);
    ASSERT_EQ(treebank::unbinarize(binary, symbols, words_of(tree)), tree) << format_tree(tree, false);
  }
}

std::vector<std::string> names(const std::string& text, const BinarizeOptions& options) {
  treebank::SymbolTable symbols;
  treebank::Interner words;
  treebank::Binarizer binarizer(options, symbols, words);
  std::vector<std::string> result;
  for (const BinaryNode& node : binarizer(parse_trees(text, "t").front()).nodes) {
    result.emplace_back(symbols.name(node.symbol));
  }
  return result;
}

TEST(Binarize, NamesOfSymbols) {
  const std::string text = "(S (NP (D d) (J j) (N n)) (VP (S (V v))))";
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(text, {}), (Names{"S", "NP", "@NP", "D", "J", "N", "VP|S|V"}));
  EXPECT_EQ(names(text, {.branching = TreeBranching::right, .horizontal = 1}),
            (Names{"S", "NP", "D", "@NP>J", "J", "N", "VP|S|V"}));
  EXPECT_EQ(names(text, {.horizontal = 2, .vertical = 2}),
            (Names{"S", "NP^S", "@NP^S>J>D", "D", "J", "N", "VP|S|V"}));
  EXPECT_EQ(names(text, {.vertical = 3, .annotate_tags = true}),
            (Names{"S", "NP^S", "@NP^S", "D^NP^S", "J^NP^S", "N^NP^S", "VP|S|V^S"}));
}

TEST(Binarize, RefusesOptionsOutOfRange) {
  EXPECT_THROW(validate(BinarizeOptions{.horizontal = 6}), UsageError);
  EXPECT_THROW(validate(BinarizeOptions{.vertical = 0}), UsageError);
  EXPECT_THROW(validate(BinarizeOptions{.vertical = 5}), UsageError);
}

TEST(Symbols, PlainSymbol) {
  EXPECT_EQ(treebank::plain_symbol("@NP^S>J>D"), "@NP");
  EXPECT_EQ(treebank::plain_symbol("S|VP^NP"), "S|VP");
  EXPECT_EQ(treebank::plain_symbol("a\\^b^c"), "a\\^b");
  EXPECT_EQ(treebank::chain_of("a\\|b|c^d"), (std::vector<std::string>{"a|b", "c"}));
}

}  // namespace
}  // namespace firth

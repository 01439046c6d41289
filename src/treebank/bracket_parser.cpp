#include "treebank/bracket_parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/characters.hpp"
#include "text/line_walk.hpp"

namespace firth {
namespace treebank {
namespace {

constexpr std::size_t kMaxNodes = std::size_t{1} << 28;

bool ends_text(char c) {
  return c == '(' || c == ')' || text::is_space(c);
}

/// "3=Haus": a word with its place, as discontinuous trees are written.
bool is_numbered(std::string_view word) {
  const std::size_t digits = word.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && word[digits] == '=' && digits + 1 < word.size();
}

bool has_only_numbered_words(const Tree& tree) {
  return std::all_of(tree.nodes.begin(), tree.nodes.end(),
                     [](const TreeNode& node) { return !node.is_leaf() || is_numbered(node.word); });
}

/// A word that is nothing but a number: the place of a word that stands behind the tree.
bool is_place(const TreeNode& node) {
  return !node.is_leaf() || node.word.find_first_not_of("0123456789") == std::string::npos;
}

/// Lines between trees that are no trees: "%% Sent 12" of NEGRA and TIGER, "<S ID=12>" of the Chinese Treebank.
bool is_remark(std::string_view line) {
  while (!line.empty() && text::is_space(line.back())) line.remove_suffix(1);
  while (!line.empty() && text::is_space(line.front())) line.remove_prefix(1);
  return line.starts_with("%%") ||
         (line.starts_with('<') && line.ends_with('>') && !line.starts_with("<?xml"));
}

}  // namespace

void BracketParser::add_line(std::string_view line, const SourceLocation& where) {
  where_ = where;
  if (open_.empty() && is_remark(line)) return;
  bool blank = true;
  for (std::size_t i = 0; i < line.size();) {
    if (text::is_space(line[i])) {
      ++i;
      continue;
    }
    blank = false;
    where_.column = i + 1;
    if (line[i] == '(') {
      open();
      ++i;
    } else if (line[i] == ')') {
      close();
      ++i;
    } else {
      std::size_t end = i;
      while (end < line.size() && !ends_text(line[end])) ++end;
      add_text(line.substr(i, end - i));
      i = end;
    }
  }
  if (blank && layout_ == TreeLayout::lines && open_.empty()) ready_.emplace_back(Tree{}, where_);
}

void BracketParser::end_file() {
  if (open_.empty()) return;
  where_ = begin_;
  const bool one = open_.size() == 1;
  fail(fmt::format("the tree that begins here is not complete: {} open",
                   one ? "1 bracket is" : fmt::format("{} brackets are", open_.size())),
       one ? "close it" : "close them");
}

void BracketParser::drop() {
  tree_ = {};
  open_.clear();
  expects_label_ = false;
}

bool BracketParser::take(Tree& tree, SourceLocation& where) {
  if (ready_.empty()) return false;
  tree = std::move(ready_.front().first);
  where = std::move(ready_.front().second);
  ready_.pop_front();
  return true;
}

void BracketParser::open() {
  if (open_.empty()) {
    begin_ = where_;
  } else if (const TreeNode& top = tree_.nodes[open_.back()]; top.is_leaf()) {
    fail(fmt::format("the word '{}' has no tag of its own", top.word), "write (TAG word)");
  }
  if (tree_.nodes.size() >= kMaxNodes) fail("the tree is too large", "is a bracket missing?");
  open_.push_back(static_cast<std::uint32_t>(tree_.nodes.size()));
  tree_.nodes.push_back({});
  expects_label_ = true;
}

void BracketParser::add_text(std::string_view text) {
  if (open_.empty() && (text == "#FORMAT" || text == "#BOS")) {
    fail("this is the export format of NEGRA, not brackets",
         "convert it, e.g. with treetools, after removing discontinuities");
  }
  if (open_.empty() && text == "#") {
    fail("this looks like CoNLL-U, which has no phrases",
         "learn a tagger from it (LpcfgTrainOptions::sequences), or name a file of bracketed trees");
  }
  if (open_.empty() && text.starts_with("<?xml")) {
    fail("this is XML, not brackets",
         "if it is TIGER-XML, convert it, e.g. with treetools, after removing discontinuities");
  }
  if (open_.empty() && is_behind_places()) {
    where_ = begin_;
    fail("the words stand behind this tree, as those of discontinuous trees",
         "remove discontinuities and numbers first, e.g. with treetools or discodop");
  }
  if (open_.empty()) fail(fmt::format("'{}' stands outside of all brackets", text), "is this a treebank?");
  TreeNode& top = tree_.nodes[open_.back()];
  if (expects_label_) {
    top.label = text;
    expects_label_ = false;
  } else if (top.is_leaf() || open_.back() + 1 < tree_.nodes.size() || top.label.empty()) {
    fail(fmt::format("the word '{}' has no tag of its own", text), "write (TAG word)");
  } else {
    top.word = text;
  }
}

// Whether a tree of this line has numbers for words.
bool BracketParser::is_behind_places() const {
  if (ready_.empty() || ready_.back().second.line != where_.line) return false;
  const std::vector<TreeNode>& nodes = ready_.back().first.nodes;
  return !nodes.empty() && std::all_of(nodes.begin(), nodes.end(), is_place);
}

void BracketParser::close() {
  if (open_.empty()) fail("unmatched closing bracket", "take it away, or open one before it");
  expects_label_ = false;
  const std::uint32_t node = open_.back();
  open_.pop_back();
  const bool has_nothing = node + 1 == tree_.nodes.size() && !tree_.nodes[node].is_leaf();
  if (has_nothing) {
    if (!open_.empty() && !tree_.nodes[node].label.empty()) {
      fail(fmt::format("the bracket '{}' has no words", tree_.nodes[node].label),
           "is its word or tag missing?");
    }
    tree_.nodes.pop_back();
  } else {
    tree_.nodes[node].size = static_cast<std::uint32_t>(tree_.nodes.size()) - node;
  }
  if (open_.empty()) finish_tree();
}

void BracketParser::finish_tree() {
  if (tree_.nodes.empty() && layout_ == TreeLayout::free) {
    ++left_out_;
    return;
  }
  if (!tree_.nodes.empty() && has_only_numbered_words(tree_)) {
    where_ = begin_;
    fail("the words of this tree are numbered, as those of discontinuous trees",
         "remove discontinuities and numbers first, e.g. with treetools or discodop");
  }
  ready_.emplace_back(std::move(tree_), begin_);
  tree_ = {};
}

void BracketParser::fail(std::string_view problem, std::string_view hint) const {
  throw InputError(where_, problem, hint);
}

}  // namespace treebank

std::vector<Tree> parse_trees(std::string_view text, const std::string& name, TreeLayout layout) {
  treebank::BracketParser parser(layout);
  std::uint64_t line_number = 0;
  text::for_each_line(text, [&](std::string_view line) { parser.add_line(line, {name, ++line_number, 0}); });
  parser.end_file();
  std::vector<Tree> trees;
  SourceLocation where;
  for (Tree tree; parser.take(tree, where);) trees.push_back(std::move(tree));
  return trees;
}

}  // namespace firth

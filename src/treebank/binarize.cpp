#include <algorithm>

#include "firth/error.hpp"
#include "treebank/binary_tree.hpp"

namespace firth {

void validate(const BinarizeOptions& options) {
  constexpr std::uint32_t kMaxSiblings = 5;
  constexpr std::uint32_t kMaxAncestors = 4;
  if (options.horizontal > kMaxSiblings && options.horizontal != kAllSiblings) {
    throw UsageError("horizontal Markovisation keeps at most 5 siblings", "or all of them");
  }
  if (options.vertical < 1 || options.vertical > kMaxAncestors) {
    throw UsageError("vertical Markovisation is 1 to 4", "1 adds no phrases above");
  }
}

namespace treebank {

/// What is still to be made: the subtree at a node, or some of the children of a phrase.
struct Binarizer::Piece {
  std::uint32_t parent = kNoNode;  // node of the binary tree
  bool is_right = false;
  std::uint32_t source = 0;      // a node of the tree, if not between
  std::uint32_t first = 0;       // between: children [first, last) of children_
  std::uint32_t last = 0;        // 0 = not between
  std::uint32_t above = 0;       // annotation: index into annotations_
  std::uint32_t base_label = 0;  // between: the phrase, index into bases_
};

/// The making of one tree. Pieces wait on a stack, so that any depth of tree is possible.
class Binarizer::Walk {
 public:
  Walk(Binarizer& binarizer, const Tree& tree) : binarizer_(binarizer), tree_(tree) {}

  BinaryTree run() {
    above_.emplace_back();
    stack_.emplace_back();
    while (!stack_.empty()) {
      const Piece piece = stack_.back();
      stack_.pop_back();
      if (piece.last != 0) {
        add_between(piece);
      } else {
        add_subtree(piece);
      }
    }
    set_spans();
    return std::move(result_);
  }

 private:
  using Labels = std::vector<std::string>;  // phrases above, nearest first

  std::uint32_t add_node(const Piece& piece, const std::string& name, bool is_tag) {
    const auto number = static_cast<std::uint32_t>(result_.nodes.size());
    BinaryNode node;
    node.symbol = binarizer_.symbols_.intern(name, is_tag);
    node.parent = piece.parent;
    result_.nodes.push_back(node);
    if (piece.parent != kNoNode) {
      BinaryNode& parent = result_.nodes[piece.parent];
      (piece.is_right ? parent.right : parent.left) = number;
    }
    return number;
  }

  static std::string annotation(const Labels& above) {
    std::string text;
    for (const std::string& label : above) text.append(1, '^').append(escape_label(label));
    return text;
  }

  void add_subtree(const Piece& piece) {
    std::uint32_t at = piece.source;
    std::string name = escape_label(tree_.nodes[at].label);
    std::vector<std::uint32_t> chain = {at};
    while (!tree_.nodes[at].is_leaf() && tree_.nodes[at + 1].size + 1 == tree_.nodes[at].size) {
      chain.push_back(++at);
      name.append(1, '|').append(escape_label(tree_.nodes[at].label));
    }
    const bool is_tag = tree_.nodes[at].is_leaf();
    if (!is_tag || binarizer_.options_.annotate_tags) name += annotation(above_[piece.above]);
    const std::uint32_t node = add_node(piece, name, is_tag);
    if (is_tag) {
      result_.nodes[node].word = binarizer_.words_.intern(tree_.nodes[at].word);
    } else {
      split(node, add_children(at), new_phrase(piece.above, chain));
    }
  }

  // The phrase at the end of the chain is parent to what follows; returns the number of its name.
  std::uint32_t new_phrase(std::uint32_t above, const std::vector<std::uint32_t>& chain) {
    Labels labels = above_[above];
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) labels.insert(labels.begin(), label(chain[i]));
    const std::size_t max = binarizer_.options_.vertical - 1;
    labels.resize(std::min(labels.size(), max));
    bases_.emplace_back(1, '@').append(escape_label(label(chain.back())));
    if (binarizer_.options_.annotate_between) bases_.back() += annotation(labels);
    labels.insert(labels.begin(), label(chain.back()));
    labels.resize(std::min(labels.size(), max));
    above_.push_back(std::move(labels));
    return static_cast<std::uint32_t>(bases_.size() - 1);
  }

  const std::string& label(std::uint32_t node) const { return tree_.nodes[node].label; }

  Piece add_children(std::uint32_t node) {
    Piece range;
    range.first = static_cast<std::uint32_t>(children_.size());
    const std::uint32_t end = node + tree_.nodes[node].size;
    for (std::uint32_t child = node + 1; child < end; child += tree_.nodes[child].size) {
      children_.push_back(child);
    }
    range.last = static_cast<std::uint32_t>(children_.size());
    return range;
  }

  void add_between(const Piece& piece) {
    std::string name = bases_[piece.base_label];
    const std::uint32_t named = std::min(binarizer_.options_.horizontal, piece.last - piece.first);
    for (std::uint32_t i = 0; i < named; ++i) {
      const std::uint32_t child = is_left() ? piece.last - 1 - i : piece.first + i;
      name.append(1, '>').append(escape_label(label(children_[child])));
    }
    split(add_node(piece, name, false), piece, piece.base_label);
  }

  bool is_left() const { return binarizer_.options_.branching == TreeBranching::left; }

  // Two or more children below `node`: one of them and the rest.
  void split(std::uint32_t node, const Piece& range, std::uint32_t base) {
    const std::uint32_t cut = is_left() ? range.last - 1 : range.first + 1;
    stack_.push_back(piece_of(node, true, {cut, range.last}, base));
    stack_.push_back(piece_of(node, false, {range.first, cut}, base));
  }

  Piece piece_of(std::uint32_t node, bool is_right, std::pair<std::uint32_t, std::uint32_t> range,
                 std::uint32_t base) const {
    Piece piece;
    piece.parent = node;
    piece.is_right = is_right;
    if (range.second - range.first == 1) {
      piece.source = children_[range.first];
      piece.above = base + 1;  // above_ has one entry more at its front, for the root
    } else {
      piece.first = range.first;
      piece.last = range.second;
      piece.base_label = base;
    }
    return piece;
  }

  void set_spans() {
    std::uint32_t words = 0;
    for (BinaryNode& node : result_.nodes) {
      node.begin = words;
      if (node.is_leaf()) node.end = ++words;
    }
    for (std::size_t i = result_.nodes.size(); i-- > 0;) {
      BinaryNode& node = result_.nodes[i];
      if (!node.is_leaf()) node.end = result_.nodes[node.right].end;
    }
  }

  Binarizer& binarizer_;
  const Tree& tree_;
  BinaryTree result_;
  std::vector<Piece> stack_;
  std::vector<std::uint32_t> children_;
  std::vector<std::string> bases_;
  std::vector<Labels> above_;
};

Binarizer::Binarizer(const BinarizeOptions& options, SymbolTable& symbols, Interner& words)
    : options_(options), symbols_(symbols), words_(words) {
  validate(options);
}

BinaryTree Binarizer::operator()(const Tree& tree) {
  return Walk(*this, tree).run();
}

namespace {

/// A tree that is written from left to right.
class TreeWriter {
 public:
  /// Opens phrases, each within the one before.
  void open(const std::vector<std::string>& labels) {
    for (const std::string& label : labels) {
      open_.push_back(size());
      tree_.nodes.push_back({label, {}, 1});
    }
  }
  void set_word(const std::string& word) { tree_.nodes.back().word = word; }
  void close(std::size_t phrases) {
    for (; phrases > 0; --phrases) {
      tree_.nodes[open_.back()].size = size() - open_.back();
      open_.pop_back();
    }
  }
  Tree finish() { return std::move(tree_); }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(tree_.nodes.size()); }

  Tree tree_;
  std::vector<std::uint32_t> open_;  // phrases that are not yet complete
};

}  // namespace

Tree unbinarize(const BinaryTree& tree, const SymbolTable& symbols, const std::vector<std::string>& words) {
  struct Step {
    std::uint32_t node;
    std::size_t closes;  // phrases to close afterwards, if node == kNoNode
  };
  TreeWriter writer;
  std::vector<Step> stack;
  if (!tree.nodes.empty()) stack.push_back({0, 0});
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    if (step.node == kNoNode) {
      writer.close(step.closes);
      continue;
    }
    const BinaryNode& node = tree.nodes[step.node];
    const std::string_view name = symbols.name(node.symbol);
    if (node.is_leaf() || !is_between(name)) {
      const std::vector<std::string> chain = chain_of(name);
      writer.open(chain);
      stack.push_back({kNoNode, chain.size()});
    }
    if (node.is_leaf()) {
      writer.set_word(words[node.begin]);
    } else {
      stack.push_back({node.right, 0});
      stack.push_back({node.left, 0});
    }
  }
  return writer.finish();
}

}  // namespace treebank
}  // namespace firth

#include <algorithm>
#include <array>

#include "firth/treebank.hpp"
#include "treebank/words.hpp"

namespace firth {
namespace {

constexpr std::string_view kTraceTag = "-NONE-";

/// Treebanks in the style of the Penn-Helsinki corpora (Icelandic, Old English) have traces as words of
/// phrases, (NP-SBJ *con*), often with an index, *T*-1, or a case, *con*-D.
bool is_trace_word(std::string_view word) {
  constexpr std::array<std::string_view, 9> kTraces = {"*",     "*T*",   "*ICH*", "*con*", "*exp*",
                                                       "*pro*", "*PRO*", "*arb*", "*RNR*"};
  const std::size_t star = word.rfind('*');
  if (star == std::string_view::npos) return false;
  const std::string_view name = word.substr(0, star + 1);
  const std::string_view rest = word.substr(star + 1);
  const bool has_suffix = rest.size() > 1 && rest.front() == '-';
  if (!rest.empty() && !has_suffix) return false;
  const bool has_index = has_suffix && rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (name == "*" && !has_index) return false;  // an asterisk
  return std::find(kTraces.begin(), kTraces.end(), name) != kTraces.end();
}

/// Words of those corpora that are not said: (C 0), (P 0), (WNP-1 0). Elsewhere a 0 is a number.
bool is_silent(const TreeNode& leaf) {
  if (leaf.word != "0") return false;
  const std::string_view tag = std::string_view(leaf.label).substr(0, leaf.label.find('-'));
  return tag == "C" || tag == "P" || tag == "WNP" || tag == "WPP" || tag == "WADVP" || tag == "WADJP" ||
         tag == "WQP";
}

std::string clean_label(const std::string& label) {
  if (label.empty() || label.front() == '-') return label;  // -LRB-, -NONE-
  // Treebanks of the SPMRL tasks have features in labels, NN##lem=der|case=nom##.
  const std::size_t cut = std::min(label.find_first_of("-=|"), label.find("##", 1));
  return cut == 0 ? label : label.substr(0, cut);
}

bool is_root_label(std::string_view label) {
  constexpr std::array<std::string_view, 4> kRoots = {"", "ROOT", "TOP", "S1"};
  return std::find(kRoots.begin(), kRoots.end(), label) != kRoots.end();
}

// Phrases without words disappear. A node's end is where its subtree ended before anything moved.
void drop_traces(std::vector<TreeNode>& nodes) {
  std::vector<bool> keep(nodes.size(), false);
  std::vector<std::uint32_t> kept_from(nodes.size() + 1, 0);  // nodes kept at or after a place
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const bool has_words = kept_from[i + 1] > kept_from[i + nodes[i].size];
    keep[i] = nodes[i].is_leaf() ? treebank::is_word(nodes[i]) : has_words;
    kept_from[i] = kept_from[i + 1] + (keep[i] ? 1 : 0);
  }
  std::size_t to = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!keep[i]) continue;
    const std::uint32_t size = kept_from[i] - kept_from[i + nodes[i].size];
    if (to != i) nodes[to] = std::move(nodes[i]);
    nodes[to++].size = size;
  }
  nodes.resize(to);
}

}  // namespace

bool treebank::is_word(const TreeNode& leaf) {
  return leaf.label != kTraceTag && leaf.label != "CODE" && leaf.label != "ID" && !is_trace_word(leaf.word) &&
         !is_silent(leaf);
}

std::vector<std::uint32_t> Tree::leaves() const {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is_leaf()) result.push_back(i);
  }
  return result;
}

void clean_tree(Tree& tree) {
  drop_traces(tree.nodes);
  for (TreeNode& node : tree.nodes) node.label = clean_label(node.label);
  std::size_t roots = 0;
  while (roots + 1 < tree.nodes.size() && is_root_label(tree.nodes[roots].label) &&
         tree.nodes[roots].size == tree.nodes[roots + 1].size + 1) {
    ++roots;
  }
  tree.nodes.erase(tree.nodes.begin(), tree.nodes.begin() + static_cast<std::ptrdiff_t>(roots));
}

std::string format_tree(const Tree& tree, bool root) {
  if (tree.empty()) return "()";
  std::string text;
  const bool wrap = root && !tree.nodes.front().label.empty();
  if (wrap) text += "( ";
  std::vector<std::size_t> ends;  // of the phrases that are open
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    if (i > 0) text += ' ';
    text += '(';
    text += node.label;
    if (node.is_leaf()) {
      text += ' ';
      text += node.word;
      text += ')';
    } else {
      ends.push_back(i + node.size);
    }
    while (!ends.empty() && ends.back() == i + 1) {
      text += ')';
      ends.pop_back();
    }
  }
  if (wrap) text += ')';
  return text;
}

std::string escape_brackets(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (c == '(') {
      result += "-LRB-";
    } else if (c == ')') {
      result += "-RRB-";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace firth

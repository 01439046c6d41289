// The best tree over a chart.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "parser/pair_index.hpp"
#include "parser/span_table.hpp"
#include "treebank/binary_tree.hpp"

namespace firth::parser {

/// The gain of what a tree cannot have.
inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

inline double log_or_impossible(float value) {
  return value > 0 ? std::log(static_cast<double>(value)) : kImpossible;
}

/// A symbol over a span and what it adds to the score of a tree that has it.
struct ScoredItem {
  SymbolId symbol = 0;
  double gain = 0;
};

/// Everything there is to choose from: items by span.
struct ScoredChart {
  SpanTable spans;
  std::vector<std::uint32_t> begin;  ///< of each span in `items`, and the end
  std::vector<ScoredItem> items;

  void start(const SpanTable& table) {
    spans = table;
    begin.assign(1, 0);
    items.clear();
  }
  void end_span() { begin.push_back(static_cast<std::uint32_t>(items.size())); }
};

/// Where a node of a tree stands.
struct NodePlace {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t parent = treebank::kNoNode;
  bool is_right = false;
};

/// Adds a node below its parent, which must be there already, and returns its number.
std::uint32_t append_node(treebank::BinaryTree& tree, SymbolId symbol, const NodePlace& place);

/// Finds the tree with the largest sum of gains of items, rules and root, by dynamic programming over the
/// rules of a grammar. Ties go to the first found: a fixed order.
class Decoder {
 public:
  /// `rule_gains` may be empty: all zero. -infinity excludes a rule or a root.
  Decoder(const PairIndex& pairs, std::span<const BinaryRule> rules, std::span<const double> rule_gains,
          std::span<const double> root_gains);

  /// False if no tree covers all words. The tree has symbols and spans only.
  bool run(const ScoredChart& chart, treebank::BinaryTree& tree);

 private:
  struct Best {
    double score = 0;
    std::uint32_t middle = 0;
    std::uint32_t left = 0;  // item
    std::uint32_t right = 0;
  };

  void fill_span(const ScoredChart& chart, std::size_t begin, std::size_t end);
  void try_cut(const ScoredChart& chart, std::size_t begin, std::size_t middle, std::size_t end);
  void build(const ScoredChart& chart, std::uint32_t root, treebank::BinaryTree& tree) const;

  const PairIndex& pairs_;
  std::span<const BinaryRule> rules_;
  std::span<const double> rule_gains_;
  std::span<const double> root_gains_;
  std::vector<Best> best_;
  std::vector<std::uint32_t> item_of_;  // by symbol, in the span being filled, plus 1
};

}  // namespace firth::parser

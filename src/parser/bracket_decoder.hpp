// The tree whose brackets are right as often as possible.
//
// All symbols that contain a label vote for it: NP^S, NP^VP and S|NP are three ways to have an NP over a
// span. With P(label) the sum of their marginals, the tree has the largest sum of P(label) - cost over its
// labelled phrases, whatever rules that takes (Goodman 1996 without the grammar, and with a price on phrases:
// the tree of the largest expected F1 = 2 E[right] / (guessed + gold) has the largest
// E[right] - F1 / 2 * guessed).
#pragma once

#include <cstdint>
#include <vector>

#include "parser/decoder.hpp"
#include "parser/span_table.hpp"
#include "treebank/binary_tree.hpp"
#include "treebank/symbols.hpp"

namespace firth::parser {

class BracketDecoder {
 public:
  /// `no_label` is the symbol that stands for no phrase in the trees that are found.
  BracketDecoder(const treebank::SymbolTable& symbols, SymbolId no_label);

  /// Gains of items are marginals. False if a word or the whole sentence has no symbol.
  bool run(const ScoredChart& chart, treebank::BinaryTree& tree);

 private:
  struct Best {
    double score = 0;
    SymbolId symbol = 0;
    std::uint32_t middle = 0;
  };

  bool choose_symbol(const ScoredChart& chart, std::size_t span, bool must, Best& best);
  double gain_of(SymbolId symbol) const;
  void build(const SpanTable& spans, treebank::BinaryTree& tree) const;

  SymbolId no_label_;
  std::vector<std::uint32_t> label_begin_;  // of each symbol in labels_, and the end
  std::vector<std::uint32_t> labels_;       // tags come last, and are free: every word has one
  std::vector<bool> is_tag_;                // by symbol
  std::vector<double> shares_;              // by label: its votes over the present span
  std::vector<Best> best_;                  // by span
};

}  // namespace firth::parser

// Figure 3 of Cohen et al. 2012 as it stands: every symbol, every span, in double precision. O(n^3 rules
// m^3); parsing is done in parser/fine_chart.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/latent_grammar.hpp"
#include "grammar/signed_log.hpp"
#include "treebank/binary_tree.hpp"

namespace firth::reference {

using grammar::LatentGrammar;
using grammar::SignedLog;
using grammar::SymbolId;
using grammar::TerminalId;

/// Inside and outside terms of a sentence.
class ExactChart {
 public:
  /// `grammar` must outlive the chart; `sentence` must not be empty.
  ExactChart(const LatentGrammar& grammar, std::span<const TerminalId> sentence);

  /// p(x) = sum over a of mu(a, 0, n).
  SignedLog sentence_probability() const;

  /// mu(a, i, j) / p(x): the share of the trees that have `symbol` over the words [begin, end).
  double marginal(SymbolId symbol, std::size_t begin, std::size_t end) const;

 private:
  // Terms of all symbols over one span: values * 2^exponent.
  struct Cell {
    std::vector<double> inside;
    std::vector<double> outside;
    std::int64_t inside_exponent = 0;
    std::int64_t outside_exponent = 0;
    bool is_reached = false;  // by outside terms
  };

  Cell& cell(std::size_t begin, std::size_t end) { return cells_[begin * (length_ + 1) + end]; }
  const Cell& cell(std::size_t begin, std::size_t end) const { return cells_[begin * (length_ + 1) + end]; }
  void add_words(std::span<const TerminalId> sentence);
  void add_inside(std::size_t begin, std::size_t end);
  void add_outside(std::size_t begin, std::size_t end);
  void push_outside(std::size_t begin, std::size_t middle, std::size_t end);
  double reach(Cell& target, std::int64_t exponent) const;
  std::ptrdiff_t offset(SymbolId symbol) const {
    return static_cast<std::ptrdiff_t>(grammar_.root_begin[symbol]);
  }

  const LatentGrammar& grammar_;
  std::size_t length_;
  std::size_t width_;  // all states of all symbols
  std::vector<Cell> cells_;
};

/// Figure 2 for a tree whose nodes have the numbers of the grammar's rules.
SignedLog tree_probability(const LatentGrammar& grammar, const treebank::BinaryTree& tree);

}  // namespace firth::reference

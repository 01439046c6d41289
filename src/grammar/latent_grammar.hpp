// One kind of grammar for every way of training: the tensors of Cohen et al. 2012.
//
// A symbol a has m_a states. With row vectors alpha of inside terms (figures 2 and 3):
//
//   alpha_a(h) = sum over g, k of T[h][g][k] alpha_b(g) alpha_c(k)       for a rule a -> b c  (C^{a->bc})
//   alpha_a(h) = q[h]                                                   for a rule a -> x    (c^inf_{a->x})
//   p(tree)    = sum over h of r[h] alpha_a(h)                          at the root a        (c^1_a)
//
// A plain PCFG has one state everywhere, and T, q, r are probabilities; a proper L-PCFG has p(rule, g, k | h)
// in T; spectral parameters are these up to an invertible change of basis, so entries may be negative.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/lexicon.hpp"
#include "treebank/symbols.hpp"

namespace firth::grammar {

using treebank::SymbolId;

/// a -> b c
struct BinaryRule {
  SymbolId parent = 0;
  SymbolId left = 0;
  SymbolId right = 0;
  friend bool operator==(const BinaryRule&, const BinaryRule&) = default;
};

/// a -> x
struct LexicalRule {
  SymbolId tag = 0;
  TerminalId terminal = 0;
  friend bool operator==(const LexicalRule&, const LexicalRule&) = default;
};

/// Item `item` of `values`, where `begin` says where items begin.
template <typename Values>
auto slice(Values& values, const std::vector<std::uint64_t>& begin, std::size_t item) {
  return std::span(values).subspan(begin[item], begin[item + 1] - begin[item]);
}

/// Arrays of parameters; `begin` arrays have one entry more than there are items.
struct LatentGrammar {
  std::vector<std::uint32_t> states;        ///< of each symbol, at least 1
  std::vector<BinaryRule> rules;            ///< by left, right, parent
  std::vector<std::uint64_t> tensor_begin;  ///< of each rule in `tensors`
  std::vector<double> tensors;              ///< T[h_a][h_b][h_c], the last index fastest
  std::vector<LexicalRule> lexical;         ///< by terminal, tag
  std::vector<std::uint64_t> vector_begin;  ///< of each lexical rule in `vectors`
  std::vector<double> vectors;              ///< q[h_a]
  std::vector<std::uint64_t> root_begin;    ///< of each symbol in `roots`
  std::vector<double> roots;  ///< r[h_a]; zero for symbols that are no roots. Tags may be roots.

  std::span<const double> tensor(std::size_t rule) const { return slice(tensors, tensor_begin, rule); }
  std::span<double> tensor(std::size_t rule) { return slice(tensors, tensor_begin, rule); }
  std::span<const double> vector(std::size_t rule) const { return slice(vectors, vector_begin, rule); }
  std::span<double> vector(std::size_t rule) { return slice(vectors, vector_begin, rule); }
  std::span<const double> root(SymbolId symbol) const { return slice(roots, root_begin, symbol); }
  std::span<double> root(SymbolId symbol) { return slice(roots, root_begin, symbol); }

  /// Makes room for all parameters, zero, from `states`, `rules` and `lexical`.
  void allocate();
};

}  // namespace firth::grammar

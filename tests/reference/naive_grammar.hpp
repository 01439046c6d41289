// Grammars by enumeration: every tree of a sentence, its probability, and marginals by summing over trees.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "base/rng.hpp"
#include "grammar/latent_grammar.hpp"
#include "treebank/symbols.hpp"

namespace firth::reference {

/// A tree with the numbers of its rules.
struct NaiveTree {
  grammar::SymbolId symbol = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t rule = 0;
  std::shared_ptr<const NaiveTree> left = nullptr;
  std::shared_ptr<const NaiveTree> right = nullptr;
};

/// A symbol over words [begin, end).
using NaiveSpan = std::tuple<grammar::SymbolId, std::size_t, std::size_t>;

/// All trees of a sentence, whatever is at the root.
std::vector<std::shared_ptr<const NaiveTree>> enumerate_trees(const grammar::LatentGrammar& grammar,
                                                              std::span<const grammar::TerminalId> sentence);

/// Figure 2 without scaling.
double naive_probability(const grammar::LatentGrammar& grammar, const NaiveTree& tree);

/// Sums over all trees.
struct NaiveMarginals {
  double sentence = 0;
  std::map<NaiveSpan, double> spans;  ///< mu(a, i, j), not divided
};
NaiveMarginals naive_marginals(const grammar::LatentGrammar& grammar,
                               std::span<const grammar::TerminalId> sentence);

/// What a random grammar is like.
struct RandomGrammarOptions {
  std::size_t phrases = 3;
  std::size_t tags = 3;
  std::size_t terminals = 3;
  std::uint32_t max_states = 4;
  double density = 0.5;   ///< share of all possible rules
  bool negative = false;  ///< entries of both signs
};

/// Symbols 0..phrases-1 are phrases, the others tags. Every terminal has at least one tag.
grammar::LatentGrammar random_grammar(base::Rng& rng, const RandomGrammarOptions& options);

/// Names P0, P1, ... and T0, T1, ... for such a grammar.
treebank::SymbolTable random_grammar_symbols(const RandomGrammarOptions& options);

}  // namespace firth::reference

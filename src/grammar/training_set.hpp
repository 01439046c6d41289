// Everything that training needs from a treebank: binary trees over terminals, and the rules with counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firth/lpcfg.hpp"
#include "firth/types.hpp"
#include "grammar/latent_grammar.hpp"
#include "grammar/lexicon.hpp"
#include "treebank/binary_tree.hpp"

namespace firth::grammar {

/// The rules that occur, sorted as in LatentGrammar, and how often.
struct RuleCounts {
  std::vector<BinaryRule> rules;
  std::vector<Count> rule_counts;
  std::vector<LexicalRule> lexical;
  std::vector<Count> lexical_counts;
  std::vector<Count> symbols;  ///< nodes of each symbol
  std::vector<Count> roots;    ///< trees with each symbol at the root
};

/// A treebank ready to learn from.
struct TrainingSet {
  BinarizeOptions binarize;
  treebank::SymbolTable symbols;
  treebank::Interner words;                           ///< all words of the trees
  Lexicon lexicon;                                    ///< terminals
  std::vector<treebank::BinaryTree> trees;            ///< `word` is a terminal, `rule` an index into `rules`
  std::vector<std::vector<std::uint32_t>> sentences;  ///< words of each tree, as numbers of `words`
  RuleCounts rules;
  Preprocessing spelling = {};  ///< of the words

  Count tree_count() const noexcept { return trees.size(); }
};

/// Reads, cleans and binarises trees; words become terminals; rules are numbered. Throws InputError if there
/// is no tree.
TrainingSet read_training_set(const Inputs& inputs, const LpcfgTrainOptions& options, const RunOptions& run);

/// Counts the rules of trees whose words are terminals, and sets `rule` in every node.
RuleCounts count_rules(std::vector<treebank::BinaryTree>& trees, std::size_t symbol_count);

/// A grammar of the rules that were seen, with the given numbers of states and all parameters zero.
LatentGrammar empty_grammar(const RuleCounts& rules, std::vector<std::uint32_t> states);

/// The plain PCFG: relative frequencies, one state each.
LatentGrammar train_pcfg(const RuleCounts& rules);

}  // namespace firth::grammar

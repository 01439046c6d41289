// A grammar as the parser uses it and as it is in a file: single precision, mapped into memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/lpcfg.hpp"
#include "grammar/checkpoint.hpp"
#include "grammar/latent_grammar.hpp"
#include "grammar/lexicon.hpp"
#include "grammar/training_set.hpp"
#include "treebank/interner.hpp"
#include "treebank/symbols.hpp"

namespace firth::grammar {

/// A tag that a word may have: the vector of the lexical rule, times a weight.
struct WordTag {
  std::uint32_t lexical = 0;
  float weight = 0;
  friend bool operator==(const WordTag&, const WordTag&) = default;
};

/// A plain PCFG.
struct PlainArrays {
  std::span<const BinaryRule> rules;     ///< by left, right, parent
  std::span<const float> probabilities;  ///< of rules
  std::span<const float> roots;          ///< of symbols
  std::span<const float> priors;         ///< share of each symbol among all nodes
  std::span<const float> lexical;        ///< of each lexical rule of the model: p(word | tag)
};

/// A latent grammar, as LatentGrammar has it, in the mapped file or in memory.
struct LatentArrays {
  std::span<const std::uint32_t> states;
  std::span<const BinaryRule> rules;
  std::span<const std::uint64_t> tensor_begin;
  std::span<const float> tensors;
  std::span<const LexicalRule> lexical;  ///< terminals: of the lexicon, any word, then clusters
  std::span<const std::uint64_t> vector_begin;
  std::span<const float> vectors;
  std::span<const std::uint64_t> root_begin;
  std::span<const float> roots;

  std::size_t symbol_count() const noexcept { return states.size(); }
  std::span<const float> tensor(std::size_t rule) const { return part(tensors, tensor_begin, rule); }
  std::span<const float> vector(std::size_t rule) const { return part(vectors, vector_begin, rule); }
  std::span<const float> root(SymbolId symbol) const { return part(roots, root_begin, symbol); }

 private:
  static std::span<const float> part(std::span<const float> all, std::span<const std::uint64_t> begin,
                                     std::size_t i) {
    return all.subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

/// The numbers of a model. Large because it has one array per section.
struct ModelArrays : LatentArrays {
  std::span<const std::uint64_t> word_begin;  ///< of each word in `word_tags`
  std::span<const WordTag> word_tags;         ///< of words seen in training
  std::span<const std::uint32_t> cluster_of;  ///< terminal of each word of the clusters; empty without
  std::span<const std::uint32_t> coarse_of;   ///< symbol of the coarse grammar for each symbol
  PlainArrays coarse;                         ///< over symbols without annotations
  PlainArrays plain;                          ///< over the symbols of the grammar; its rules are `rules`
};

/// Everything that parsing needs. What the plain PCFGs find unlikely, the latent grammar does not look at.
struct ParserModel {
  BinarizeOptions binarize;
  treebank::SymbolTable symbols;
  Lexicon lexicon;
  treebank::Interner words;             ///< seen in training; numbers as in word_begin
  treebank::Interner cluster_words;     ///< numbers as in cluster_of
  Preprocessing spelling = {};          ///< of the words
  Preprocessing cluster_spelling = {};  ///< of the words of the clusters
  ModelArrays arrays;
  /// Latent grammars over the same rules besides that of `arrays`; parsing takes the mean of their marginals.
  std::vector<LatentArrays> more_grammars;
  std::shared_ptr<const void> owner;  ///< keeps all arrays

  std::size_t symbol_count() const noexcept { return arrays.symbol_count(); }
  std::size_t coarse_count() const noexcept { return arrays.coarse.roots.size(); }
  /// The terminal that stands for any word: every tag has a rule for it.
  TerminalId any_word() const noexcept { return static_cast<TerminalId>(lexicon.size()); }
  /// Rules of a terminal: [first, second).
  std::pair<std::uint32_t, std::uint32_t> rules_of(TerminalId terminal) const;
};

/// Puts together what was learned. `clusters` may be null: words that were not seen then have only their
/// shape.
/// The first of `grammars`, at least one, is the model's own.
std::shared_ptr<const ParserModel> make_parser_model(const TrainingSet& set,
                                                     std::span<const LatentGrammar> grammars,
                                                     const Clustering* clusters, const RunOptions& run);

/// A way to train: what each algorithm provides.
LatentGrammar train_grammar(const TrainingSet& set, const LpcfgTrainOptions& options,
                            const GrammarPlace& place, const RunOptions& run);

}  // namespace firth::grammar

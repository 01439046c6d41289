// From the words of a sentence to its tree.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "firth/parser.hpp"
#include "parser/bracket_decoder.hpp"
#include "parser/decoder.hpp"
#include "parser/grammar_charts.hpp"

namespace firth::parser {

/// What all threads share.
class ParserTables {
 public:
  /// At least one model. Throws UsageError for Viterbi decoding with latent states, and for decoding other
  /// than by brackets with several models.
  ParserTables(std::vector<Lpcfg> models, const ParseOptions& parse_options);

  const GrammarTables& first() const { return *grammars.front(); }

  ParseOptions options;
  std::vector<std::unique_ptr<GrammarTables>> grammars;
  std::vector<std::size_t> by_size;  ///< models, fewest symbols first: those forbid least
  std::vector<double> rule_gains;    ///< Viterbi: logarithms; else empty
  std::vector<double> root_gains;
  treebank::SymbolTable unannotated_symbols;          ///< of all models, without annotations, and `no_label`
  std::vector<std::vector<SymbolId>> unannotated_of;  ///< by model: of each symbol
  SymbolId no_label = 0;                              ///< no phrase, in the trees of BracketDecoder
};

/// The charts of one thread.
class SentenceParser {
 public:
  explicit SentenceParser(const ParserTables& tables);

  /// The charts are of no use any more after Cancelled.
  ParseResult parse(std::span<const ParserToken> sentence, std::uint64_t memory_bytes,
                    const std::stop_token& stop);

 private:
  void run_models(std::span<const ParserToken> sentence, std::uint64_t memory_bytes);
  void set_guide(std::size_t model);
  bool try_latent(ParseResult& result);
  bool try_plain(ParseResult& result);
  void score_latent();
  void remove_annotations(std::size_t model, std::size_t first);
  bool decode(ParseResult& result);
  void list_marginals(ParseResult& result);
  double grammars_with_parse() const;
  Tree flat_tree() const;

  const ParserTables& tables_;
  std::vector<GrammarCharts> charts_;
  PhraseGuide guide_;
  std::vector<std::size_t> models_with_parse_;  // models with a probability, by number
  std::size_t candidates_ = 0;                  // the first model that has a tree for the words
  Decoder decoder_;
  BracketDecoder bracket_decoder_;
  std::vector<std::string> words_;
  ScoredChart scored_;
};

}  // namespace firth::parser

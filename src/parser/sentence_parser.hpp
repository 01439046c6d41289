// From the words of a sentence to its tree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firth/parser.hpp"
#include "grammar/parser_model.hpp"
#include "parser/bracket_decoder.hpp"
#include "parser/decoder.hpp"
#include "parser/fine_chart.hpp"
#include "parser/plain_chart.hpp"
#include "parser/token_tags.hpp"

namespace firth::parser {

/// What all threads share.
class ParserTables {
 public:
  /// Throws UsageError for Viterbi decoding with latent states.
  ParserTables(Lpcfg grammar_model, const ParseOptions& parse_options);

  Lpcfg lpcfg;
  ParseOptions options;
  const ParserModel& model;
  bool is_annotated;  ///< two plain passes; else coarse and plain grammar are the same
  PlainGrammar coarse;
  PlainGrammar plain;
  FineGrammar fine;
  std::vector<FineGrammar> other_fines;  ///< of further grammars
  TokenTagger tagger;
  std::vector<double> rule_gains;  ///< Viterbi: logarithms; else empty
  std::vector<double> root_gains;
  treebank::SymbolTable symbols;  ///< the model's, and `nothing`
  SymbolId nothing = 0;           ///< no phrase, in the trees of BracketDecoder
};

/// The charts of one thread.
class SentenceParser {
 public:
  explicit SentenceParser(const ParserTables& tables);

  ParseResult parse(std::span<const ParserToken> sentence, std::uint64_t memory_bytes);

 private:
  using PlainTags = std::vector<std::vector<std::pair<SymbolId, float>>>;

  void look_up(std::span<const ParserToken> sentence);
  bool run_plain(float beam, float threshold);
  bool find_candidates(std::uint64_t memory_bytes);
  const PlainChart& candidates() const { return tables_.is_annotated ? plain_ : coarse_; }
  bool try_latent(ParseResult& result, std::uint64_t memory_bytes);
  bool try_plain(ParseResult& result);
  bool run_fine(std::uint64_t memory_bytes);
  bool decode(ParseResult& result);
  Tree flat_tree() const;
  void score_marginals();
  void score_viterbi();

  const ParserTables& tables_;
  PlainChart coarse_;
  PlainChart plain_;
  FineChart fine_;
  std::vector<FineChart> other_fines_;
  std::vector<const FineChart*> voters_;  ///< charts with a positive probability
  Decoder decoder_;
  BracketDecoder bracket_decoder_;
  std::vector<std::string> words_;
  std::vector<std::vector<WordTag>> tags_;
  PlainTags coarse_tags_;
  PlainTags plain_tags_;
  ScoredChart scored_;
};

}  // namespace firth::parser

// From the words of a sentence to its tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firth/parser.hpp"
#include "grammar/parser_model.hpp"
#include "parser/coarse_chart.hpp"
#include "parser/decoder.hpp"
#include "parser/fine_chart.hpp"
#include "parser/label_gains.hpp"
#include "parser/token_tags.hpp"

namespace firth::parser {

/// What all threads share.
class ParserTables {
 public:
  /// Throws UsageError for Viterbi decoding with latent states.
  ParserTables(Lpcfg model, const ParseOptions& parse_options);

  Lpcfg lpcfg;
  ParseOptions options;
  const ParserModel& model;
  CoarseGrammar coarse;
  FineGrammar fine;
  TokenTagger tagger;
  LabelGains fine_labels;
  LabelGains coarse_labels;
  std::vector<double> rule_gains;  ///< Viterbi: logarithms; else empty
  std::vector<double> fine_roots;
  std::vector<double> coarse_roots;
  std::vector<SymbolId> coarse_names;  ///< a symbol of the grammar with the labels of each coarse symbol
  std::string flat_label = "X";
};

/// The charts of one thread.
class SentenceParser {
 public:
  explicit SentenceParser(const ParserTables& tables);

  ParseResult parse(std::span<const ParserToken> sentence, std::uint64_t memory_bytes);

 private:
  void look_up(std::span<const ParserToken> sentence);
  bool run_coarse(std::uint64_t memory_bytes);
  bool try_latent(ParseResult& result, std::uint64_t memory_bytes);
  bool try_coarse(ParseResult& result);
  Tree flat_tree() const;
  Tree finish(treebank::BinaryTree& binary) const;
  void score_marginals();
  void score_viterbi();

  const ParserTables& tables_;
  CoarseChart coarse_;
  FineChart fine_;
  Decoder fine_decoder_;
  Decoder coarse_decoder_;
  std::vector<std::string> words_;
  std::vector<std::vector<WordTag>> tags_;
  std::vector<std::vector<std::pair<SymbolId, float>>> coarse_tags_;
  ScoredChart scored_;
  std::vector<LabelGains::Marginal> marginals_;
  std::vector<double> label_sums_;
};

}  // namespace firth::parser

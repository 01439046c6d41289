// The charts of one model: from the words of a sentence to the marginals of symbols over spans.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "firth/parser.hpp"
#include "grammar/parser_model.hpp"
#include "parser/decoder.hpp"
#include "parser/fine_chart.hpp"
#include "parser/plain_chart.hpp"
#include "parser/token_tags.hpp"

namespace firth::parser {

/// A model, ready for use; shared by all threads.
class GrammarTables {
 public:
  explicit GrammarTables(Lpcfg grammar_model);

  Lpcfg lpcfg;
  const ParserModel& model;
  bool is_annotated;  ///< two plain passes; else coarse and plain grammar are the same
  PlainGrammar coarse;
  PlainGrammar plain;
  FineGrammar fine;
  std::vector<FineGrammar> more_fines;  ///< of further grammars
  TokenTagger tagger;
};

/// A guide, and its symbols for those of the model.
struct GuideLimits {
  PhraseGuide* guide = nullptr;
  std::span<const SymbolId> symbol_of = {};
};

/// The charts of one thread.
class GrammarCharts {
 public:
  GrammarCharts(const GrammarTables& tables, double prune);

  /// What follows throws Cancelled soon after a stop was requested; the charts are of no use any more then.
  void watch(const std::stop_token& stop);

  /// Looks the words up and finds out what is worth looking at. False if no tree covers the words, or if
  /// there is no memory; 0 = no limit. With a guide only what it allows is tried, unless no tree is left.
  bool find_candidates(std::span<const ParserToken> sentence, std::uint64_t memory_bytes,
                       const GuideLimits& guide = {});

  /// All latent grammars, after find_candidates(). False if the first gives no probability, or if there is
  /// no memory.
  bool run_latent(std::uint64_t memory_bytes);

  /// Grammars with a probability.
  std::size_t parse_count() const noexcept { return charts_with_parse_.size(); }
  /// After run_latent(): appends the sum of all grammars' marginals, cut to [0, 1] each, times `share`, for
  /// the symbols over a span.
  void add_marginals(std::size_t span, double share, std::vector<ScoredItem>& to) const;
  /// The same for all symbols, and as they are: spectral ones may be negative.
  void add_signed_marginals(std::size_t span, double share, std::vector<ScoredItem>& to) const;
  /// After find_candidates(): those of the plain PCFG.
  void add_plain_marginals(std::size_t span, std::vector<ScoredItem>& to) const;
  /// After run_latent(), for plain PCFGs: tags with the logarithms of their probabilities, phrases with 0.
  void add_viterbi(std::size_t span, std::vector<ScoredItem>& to) const;

  const SpanTable& spans() const noexcept { return candidates().spans(); }
  double log_probability() const noexcept { return fine_.log_probability(); }
  /// What the passes over a number of words take at most, without the latent grammars.
  std::uint64_t max_bytes(std::size_t words) const;
  /// The likeliest tag of a word of the sentence, regardless of its neighbours.
  SymbolId likeliest_tag(std::size_t word) const;

 private:
  using PlainTags = std::vector<std::vector<std::pair<SymbolId, float>>>;

  void look_up(std::span<const ParserToken> sentence);
  bool run_plain(float beam, float threshold);
  bool run_guided(const GuideLimits& guide);
  const PlainChart& candidates() const { return tables_.is_annotated ? plain_ : coarse_; }

  const GrammarTables& tables_;
  float prune_;
  PlainChart coarse_;
  PlainChart plain_;
  FineChart fine_;
  std::vector<FineChart> more_fines_;
  std::vector<const FineChart*> charts_with_parse_;
  std::vector<std::vector<WordTag>> tags_;
  PlainTags coarse_tags_;
  PlainTags plain_tags_;
};

}  // namespace firth::parser

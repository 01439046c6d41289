#include "parser/sentence_parser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "firth/error.hpp"

namespace firth::parser {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
// Marginals below this share of the pruning threshold are not followed further down the fine chart, and not
// considered for the tree.
constexpr float kFollowShare = 0.01F;
// The beam within a span, as a share of the pruning threshold.
constexpr float kBeamShare = 0.1F;
// Places in the fine chart are 32-bit numbers.
constexpr std::uint64_t kMostChartBytes = std::uint64_t{8} << 30;
constexpr const char* kFlatLabel = "X";
constexpr const char* kNothing = "@";  // stands between, and has no label

double log_or_impossible(float value) {
  return value > 0 ? std::log(static_cast<double>(value)) : kImpossible;
}

bool has_states(const ParserModel& model) {
  const auto states = model.arrays.states;
  return std::any_of(states.begin(), states.end(), [](std::uint32_t count) { return count > 1; });
}

bool has_annotations(const ParserModel& model) {
  if (model.coarse_count() != model.symbol_count()) return true;
  for (SymbolId symbol = 0; symbol < model.symbol_count(); ++symbol) {
    if (model.arrays.coarse_of[symbol] != symbol) return true;
  }
  return false;
}

}  // namespace

ParserTables::ParserTables(Lpcfg grammar_model, const ParseOptions& parse_options)
    : lpcfg(std::move(grammar_model)),
      options(parse_options),
      model(lpcfg.internals()),
      is_annotated(has_annotations(model)),
      coarse(model.arrays.coarse),
      plain(model.arrays.plain),
      fine(model),
      tagger(model) {
  symbols = model.symbols;
  nothing = symbols.intern(kNothing, false);
  other_fines.reserve(model.others.size());
  for (const auto& other : model.others) other_fines.emplace_back(*other);
  for (SymbolId symbol = 0; symbol < model.symbol_count(); ++symbol) {
    const auto root = model.root(symbol);
    const bool is_root = std::any_of(root.begin(), root.end(), [](float value) { return value != 0; });
    root_gains.push_back(is_root ? 0 : kImpossible);
  }
  if (options.decoding != ParseDecoding::viterbi) return;
  if (has_states(model)) {
    throw UsageError("Viterbi decoding needs a plain PCFG, and this grammar has latent states",
                     "use maximum-marginal decoding");
  }
  for (const float value : model.arrays.tensors) rule_gains.push_back(log_or_impossible(value));
  for (std::size_t i = 0; i < root_gains.size(); ++i)
    root_gains[i] = log_or_impossible(model.arrays.roots[i]);
}

SentenceParser::SentenceParser(const ParserTables& tables)
    : tables_(tables),
      coarse_(tables.coarse),
      plain_(tables.plain),
      fine_(tables.fine),
      decoder_(tables.fine.pairs, tables.model.arrays.rules, tables.rule_gains, tables.root_gains),
      bracket_decoder_(tables.symbols, tables.nothing) {
  for (const FineGrammar& grammar : tables.other_fines) other_fines_.emplace_back(grammar);
}

ParseResult SentenceParser::parse(std::span<const ParserToken> sentence, std::uint64_t memory_bytes) {
  ParseResult result;
  result.log_probability = std::numeric_limits<double>::quiet_NaN();
  if (sentence.empty()) return result;
  look_up(sentence);
  if (find_candidates(memory_bytes) && (try_latent(result, memory_bytes) || try_plain(result))) return result;
  result.status = ParseStatus::flat;
  result.tree = flat_tree();
  return result;
}

void SentenceParser::look_up(std::span<const ParserToken> sentence) {
  const grammar::ModelArrays& arrays = tables_.model.arrays;
  words_.clear();
  tags_.clear();
  coarse_tags_.assign(sentence.size(), {});
  plain_tags_.assign(sentence.size(), {});
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    words_.push_back(escape_brackets(sentence[i].word));
    tags_.push_back(tables_.tagger.tags_of({words_.back(), sentence[i].tag}, i == 0));
    for (const WordTag& tag : tags_.back()) {
      const SymbolId symbol = arrays.lexical[tag.lexical].tag;
      coarse_tags_[i].emplace_back(arrays.coarse_of[symbol], tag.weight * arrays.coarse.lexical[tag.lexical]);
      plain_tags_[i].emplace_back(symbol, tag.weight * arrays.plain.lexical[tag.lexical]);
    }
  }
}

bool SentenceParser::run_plain(float beam, float threshold) {
  if (!coarse_.run(coarse_tags_, {beam, threshold})) return false;
  if (!tables_.is_annotated) return true;
  return plain_.run(plain_tags_, {beam, threshold}, {&coarse_, tables_.model.arrays.coarse_of});
}

// Pruning is given up if it left no tree.
bool SentenceParser::find_candidates(std::uint64_t memory_bytes) {
  const std::uint64_t bytes =
      coarse_.most_bytes(words_.size()) + (tables_.is_annotated ? plain_.most_bytes(words_.size()) : 0);
  if (memory_bytes > 0 && bytes > memory_bytes) return false;
  const auto threshold = static_cast<float>(tables_.options.prune);
  return run_plain(threshold * kBeamShare, threshold) || (threshold > 0 && run_plain(0, 0));
}

// All grammars; those that give no positive probability do not vote, but the first must.
bool SentenceParser::run_fine(std::uint64_t memory_bytes) {
  std::uint64_t bytes = fine_.bytes_needed(candidates());
  for (const FineChart& chart : other_fines_) bytes += chart.bytes_needed(candidates());
  if (bytes > kMostChartBytes || (memory_bytes > 0 && bytes > memory_bytes)) return false;
  const float threshold = static_cast<float>(tables_.options.prune) * kFollowShare;
  if (!fine_.run(candidates(), tags_, threshold)) return false;
  voters_.assign(1, &fine_);
  for (FineChart& chart : other_fines_) {
    if (chart.run(candidates(), tags_, threshold)) voters_.push_back(&chart);
  }
  return true;
}

bool SentenceParser::try_latent(ParseResult& result, std::uint64_t memory_bytes) {
  if (!run_fine(memory_bytes)) return false;
  if (tables_.options.decoding == ParseDecoding::viterbi) {
    score_viterbi();
  } else {
    score_marginals();
  }
  if (!decode(result)) return false;
  result.status = ParseStatus::parsed;
  result.log_probability = fine_.log_probability();
  return true;
}

// Spectral parameters give marginals that are a little off: they are cut to [0, 1]. All charts have the same
// items, those of the candidates.
void SentenceParser::score_marginals() {
  const auto least = static_cast<float>(tables_.options.prune) * kFollowShare;
  scored_.start(fine_.spans());
  for (std::size_t span = 0; span < fine_.spans().size(); ++span) {
    const auto items = fine_.items(span);
    for (std::size_t i = 0; i < items.size(); ++i) {
      float marginal = 0;
      for (const FineChart* chart : voters_)
        marginal += std::min(std::abs(chart->items(span)[i].marginal), 1.0F);
      marginal /= static_cast<float>(voters_.size());
      if (marginal > least) scored_.items.push_back({items[i].symbol, static_cast<double>(marginal)});
    }
    scored_.end_span();
  }
}

void SentenceParser::score_viterbi() {
  scored_.start(fine_.spans());
  for (std::size_t span = 0; span < fine_.spans().size(); ++span) {
    for (const FineItem& item : fine_.items(span)) {
      const bool is_tag = tables_.model.symbols.is_tag(item.symbol);
      scored_.items.push_back({item.symbol, is_tag ? log_or_impossible(fine_.inside(item)[0]) : 0});
    }
    scored_.end_span();
  }
}

bool SentenceParser::try_plain(ParseResult& result) {
  scored_.start(candidates().spans());
  for (std::size_t span = 0; span < candidates().spans().size(); ++span) {
    for (const PlainItem& item : candidates().items(span)) {
      scored_.items.push_back({item.symbol, static_cast<double>(std::min(item.marginal(), 1.0F))});
    }
    scored_.end_span();
  }
  result.status = ParseStatus::coarse;
  return decode(result);
}

bool SentenceParser::decode(ParseResult& result) {
  treebank::BinaryTree binary;
  const bool brackets = tables_.options.decoding == ParseDecoding::brackets;
  if (!(brackets ? bracket_decoder_.run(scored_, binary) : decoder_.run(scored_, binary))) return false;
  result.tree = treebank::unbinarize(binary, tables_.symbols, words_);
  return true;
}

// Every word with its likeliest tag, all under one phrase.
Tree SentenceParser::flat_tree() const {
  Tree tree;
  tree.nodes.push_back({kFlatLabel, {}, static_cast<std::uint32_t>(words_.size() + 1)});
  const grammar::ModelArrays& arrays = tables_.model.arrays;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    double best = -1;
    SymbolId symbol = 0;
    for (const auto& [tag, probability] : plain_tags_[i]) {
      const double score = static_cast<double>(probability) * static_cast<double>(arrays.plain.priors[tag]);
      if (score > best) {
        best = score;
        symbol = tag;
      }
    }
    tree.nodes.push_back({treebank::chain_of(tables_.model.symbols.name(symbol)).back(), words_[i], 1});
  }
  return tree;
}

}  // namespace firth::parser

#include "parser/sentence_parser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "firth/error.hpp"

namespace firth::parser {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
// Marginals below these shares of the pruning threshold are not followed further down the fine chart, and
// not considered for the tree: they cannot change it.
constexpr float kFollowShare = 0.01F;
constexpr float kBeamShare = 0.1F;
// Places in the fine chart are 32-bit numbers.
constexpr std::uint64_t kMostChartBytes = std::uint64_t{8} << 30;

double log_or_impossible(float value) {
  return value > 0 ? std::log(static_cast<double>(value)) : kImpossible;
}

bool has_states(const ParserModel& model) {
  const auto states = model.arrays.states;
  return std::any_of(states.begin(), states.end(), [](std::uint32_t count) { return count > 1; });
}

}  // namespace

ParserTables::ParserTables(Lpcfg grammar_model, const ParseOptions& parse_options)
    : lpcfg(std::move(grammar_model)),
      options(parse_options),
      model(lpcfg.internals()),
      coarse(model),
      fine(model),
      tagger(model) {
  for (SymbolId symbol = 0; symbol < model.symbol_count(); ++symbol) {
    fine_labels.add_symbol(model.symbols.name(symbol), model.symbols.is_tag(symbol));
    const auto root = model.root(symbol);
    const bool is_root = std::any_of(root.begin(), root.end(), [](float value) { return value != 0; });
    fine_roots.push_back(is_root ? 0 : kImpossible);
  }
  for (SymbolId symbol = 0; symbol < model.coarse_count(); ++symbol) {
    const std::uint32_t first = fine.refined_begin[symbol];
    const bool is_used = first < fine.refined_begin[symbol + 1];
    coarse_names.push_back(is_used ? fine.refined[first] : 0);
    coarse_labels.add_symbol(model.symbols.name(coarse_names.back()),
                             model.symbols.is_tag(coarse_names.back()));
    coarse_roots.push_back(is_used && model.arrays.coarse_roots[symbol] > 0 ? 0 : kImpossible);
  }
  if (options.decoding != ParseDecoding::viterbi) return;
  if (has_states(model)) {
    throw UsageError("Viterbi decoding needs a plain PCFG, and this grammar has latent states",
                     "use maximum-marginal decoding");
  }
  for (const float value : model.arrays.tensors) rule_gains.push_back(log_or_impossible(value));
  for (std::size_t i = 0; i < fine_roots.size(); ++i)
    fine_roots[i] = log_or_impossible(model.arrays.roots[i]);
}

SentenceParser::SentenceParser(const ParserTables& tables)
    : tables_(tables),
      coarse_(tables.coarse),
      fine_(tables.fine),
      fine_decoder_(tables.fine.pairs, tables.model.arrays.rules, tables.rule_gains, tables.fine_roots),
      coarse_decoder_(tables.coarse.pairs, tables.coarse.rules, {}, tables.coarse_roots) {}

ParseResult SentenceParser::parse(std::span<const ParserToken> sentence, std::uint64_t memory_bytes) {
  ParseResult result;
  result.log_probability = std::numeric_limits<double>::quiet_NaN();
  if (sentence.empty()) return result;
  look_up(sentence);
  if (run_coarse(memory_bytes)) {
    if (try_latent(result, memory_bytes) || try_coarse(result)) return result;
  }
  result.status = ParseStatus::flat;
  result.tree = flat_tree();
  return result;
}

void SentenceParser::look_up(std::span<const ParserToken> sentence) {
  words_.clear();
  tags_.clear();
  coarse_tags_.clear();
  const grammar::ModelArrays& arrays = tables_.model.arrays;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    words_.push_back(escape_brackets(sentence[i].word));
    tags_.push_back(tables_.tagger.tags_of({words_.back(), sentence[i].tag}, i == 0));
    std::vector<std::pair<SymbolId, float>> coarse;
    for (const WordTag& tag : tags_.back()) {
      const SymbolId symbol = arrays.coarse_of[arrays.lexical[tag.lexical].tag];
      coarse.emplace_back(symbol, tag.weight * arrays.coarse_lexical[tag.lexical]);
    }
    coarse_tags_.push_back(std::move(coarse));
  }
}

// The beam is given up if it left no tree.
bool SentenceParser::run_coarse(std::uint64_t memory_bytes) {
  if (memory_bytes > 0 && coarse_.most_bytes(words_.size()) > memory_bytes) return false;
  const auto threshold = static_cast<float>(tables_.options.prune);
  const float beam = threshold * kBeamShare;
  if (coarse_.run(coarse_tags_, {beam, threshold})) return true;
  return beam > 0 && coarse_.run(coarse_tags_, {0, threshold});
}

bool SentenceParser::try_latent(ParseResult& result, std::uint64_t memory_bytes) {
  const std::uint64_t bytes = fine_.bytes_needed(coarse_);
  if (bytes > kMostChartBytes || (memory_bytes > 0 && bytes > memory_bytes)) return false;
  const auto threshold = static_cast<float>(tables_.options.prune);
  if (!fine_.run(coarse_, tags_, threshold * kFollowShare)) return false;
  if (tables_.options.decoding == ParseDecoding::viterbi) {
    score_viterbi();
  } else {
    score_marginals();
  }
  treebank::BinaryTree binary;
  if (!fine_decoder_.run(scored_, binary)) return false;
  result.tree = finish(binary);
  result.status = ParseStatus::parsed;
  result.log_probability = fine_.log_probability();
  return true;
}

void SentenceParser::score_marginals() {
  scored_.start(fine_.spans());
  const auto least = static_cast<float>(tables_.options.prune) * kFollowShare;
  for (std::size_t span = 0; span < fine_.spans().size(); ++span) {
    marginals_.clear();
    for (const FineItem& item : fine_.items(span)) {
      if (item.marginal > least) marginals_.push_back({item.symbol, item.marginal});
    }
    tables_.fine_labels.add_span(marginals_, label_sums_, scored_);
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

bool SentenceParser::try_coarse(ParseResult& result) {
  scored_.start(coarse_.spans());
  for (std::size_t span = 0; span < coarse_.spans().size(); ++span) {
    marginals_.clear();
    for (const CoarseItem& item : coarse_.items(span)) marginals_.push_back({item.symbol, item.marginal()});
    tables_.coarse_labels.add_span(marginals_, label_sums_, scored_);
  }
  treebank::BinaryTree binary;
  if (!coarse_decoder_.run(scored_, binary)) return false;
  for (treebank::BinaryNode& node : binary.nodes) node.symbol = tables_.coarse_names[node.symbol];
  result.tree = finish(binary);
  result.status = ParseStatus::coarse;
  return true;
}

Tree SentenceParser::finish(treebank::BinaryTree& binary) const {
  return treebank::unbinarize(binary, tables_.model.symbols, words_);
}

// Every word with its likeliest tag, all under one phrase.
Tree SentenceParser::flat_tree() const {
  Tree tree;
  tree.nodes.push_back({tables_.flat_label, {}, static_cast<std::uint32_t>(words_.size() + 1)});
  const grammar::ModelArrays& arrays = tables_.model.arrays;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    double best = -1;
    SymbolId symbol = 0;
    for (std::size_t t = 0; t < tags_[i].size(); ++t) {
      const double score = static_cast<double>(coarse_tags_[i][t].second) *
                           static_cast<double>(arrays.coarse_priors[coarse_tags_[i][t].first]);
      if (score <= best) continue;
      best = score;
      symbol = arrays.lexical[tags_[i][t].lexical].tag;
    }
    tree.nodes.push_back({treebank::chain_of(tables_.model.symbols.name(symbol)).back(), words_[i], 1});
  }
  return tree;
}

}  // namespace firth::parser

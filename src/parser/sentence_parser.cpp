#include "parser/sentence_parser.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "firth/error.hpp"
#include "parser/marginal_list.hpp"

namespace firth::parser {
namespace {

constexpr const char* kFlatLabel = "X";
constexpr const char* kNoLabel = "@";  // stands between, and has no label

// What has a marginal below this share of the pruning threshold in the first model, the others leave out.
constexpr double kGuideShare = 1;

bool has_states(const ParserModel& model) {
  const auto states = model.arrays.states;
  return std::any_of(states.begin(), states.end(), [](std::uint32_t count) { return count > 1; });
}

}  // namespace

ParserTables::ParserTables(std::vector<Lpcfg> models, const ParseOptions& parse_options)
    : options(parse_options) {
  if (models.size() > 1 && options.decoding != ParseDecoding::brackets) {
    throw UsageError("several models can only vote on brackets",
                     "use the decoding of brackets, or one model");
  }
  no_label = unannotated_symbols.intern(kNoLabel, false);
  for (Lpcfg& model : models) {
    grammars.push_back(std::make_unique<GrammarTables>(std::move(model)));
    const treebank::SymbolTable& symbols = grammars.back()->model.symbols;
    unannotated_of.emplace_back();
    for (SymbolId symbol = 0; symbol < symbols.size(); ++symbol) {
      const std::string name = treebank::plain_symbol(symbols.name(symbol));
      unannotated_of.back().push_back(unannotated_symbols.intern(name, symbols.is_tag(symbol)));
    }
  }
  by_size.resize(grammars.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return grammars[a]->model.symbol_count() < grammars[b]->model.symbol_count();
  });
  const ParserModel& model = first().model;
  for (SymbolId symbol = 0; symbol < model.symbol_count(); ++symbol) {
    const auto root = model.arrays.root(symbol);
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
      guide_(tables.unannotated_symbols),
      decoder_(tables.first().fine.pairs, tables.first().model.arrays.rules, tables.rule_gains,
               tables.root_gains),
      bracket_decoder_(tables.unannotated_symbols, tables.no_label) {
  for (const auto& grammar : tables.grammars) charts_.emplace_back(*grammar, tables.options.prune);
}

ParseResult SentenceParser::parse(std::span<const ParserToken> sentence, std::uint64_t memory_bytes,
                                  const std::stop_token& stop) {
  ParseResult result;
  result.log_probability = std::numeric_limits<double>::quiet_NaN();
  if (sentence.empty()) return result;
  words_.clear();
  for (const ParserToken& token : sentence) words_.push_back(escape_brackets(token.word));
  for (GrammarCharts& charts : charts_) charts.watch(stop);
  run_models(sentence, memory_bytes);
  if (try_latent(result) || try_plain(result)) return result;
  result.status = ParseStatus::flat;
  result.tree = flat_tree();
  return result;
}

// The first that has a probability is the guide of the others. It is the one with the fewest symbols: what it cannot
// make, the others hardly ever want.
void SentenceParser::run_models(std::span<const ParserToken> sentence, std::uint64_t memory_bytes) {
  models_with_parse_.clear();
  candidates_ = charts_.size();
  const std::uint64_t share =
      memory_bytes == 0 ? 0 : std::max<std::uint64_t>(1, memory_bytes / charts_.size());
  for (const std::size_t i : tables_.by_size) {
    const bool has_guide = !models_with_parse_.empty() && tables_.options.prune > 0;
    const GuideLimits limits = {has_guide ? &guide_ : nullptr, tables_.unannotated_of[i]};
    if (!charts_[i].find_candidates(sentence, share, limits)) continue;
    candidates_ = std::min(candidates_, i);
    if (!charts_[i].run_latent(share)) continue;
    models_with_parse_.push_back(i);
    if (!has_guide && charts_.size() > 1) set_guide(i);
  }
  std::sort(models_with_parse_.begin(), models_with_parse_.end());
}

void SentenceParser::set_guide(std::size_t model) {
  const GrammarCharts& charts = charts_[model];
  const std::vector<SymbolId>& unannotated = tables_.unannotated_of[model];
  const double share = 1 / static_cast<double>(charts.parse_count());
  const double least = tables_.options.prune * kGuideShare;
  guide_.start(charts.spans(), unannotated);
  std::vector<ScoredItem> items;
  for (std::size_t span = 0; span < charts.spans().size(); ++span) {
    items.clear();
    charts.add_marginals(span, share, items);
    for (const ScoredItem& item : items) {
      if (item.gain >= least) guide_.add(span, unannotated[item.symbol]);
    }
  }
}

bool SentenceParser::try_latent(ParseResult& result) {
  if (models_with_parse_.empty()) return false;
  score_latent();
  if (!decode(result)) return false;
  result.status = ParseStatus::parsed;
  if (models_with_parse_.front() == 0) result.log_probability = charts_.front().log_probability();
  list_marginals(result);
  return true;
}

double SentenceParser::grammars_with_parse() const {
  double grammars = 0;
  for (const std::size_t i : models_with_parse_) grammars += static_cast<double>(charts_[i].parse_count());
  return grammars;
}

void SentenceParser::score_latent() {
  const double grammars = grammars_with_parse();
  const SpanTable& spans = charts_[models_with_parse_.front()].spans();
  scored_.start(spans);
  for (std::size_t span = 0; span < spans.size(); ++span) {
    for (const std::size_t i : models_with_parse_) {
      const std::size_t first = scored_.items.size();
      if (tables_.options.decoding == ParseDecoding::viterbi) {
        charts_[i].add_viterbi(span, scored_.items);
      } else {
        charts_[i].add_marginals(span, 1 / grammars, scored_.items);
      }
      remove_annotations(i, first);
    }
    scored_.end_span();
  }
}

bool SentenceParser::try_plain(ParseResult& result) {
  if (candidates_ == charts_.size()) return false;
  const GrammarCharts& charts = charts_[candidates_];
  scored_.start(charts.spans());
  for (std::size_t span = 0; span < charts.spans().size(); ++span) {
    const std::size_t first = scored_.items.size();
    charts.add_plain_marginals(span, scored_.items);
    remove_annotations(candidates_, first);
    scored_.end_span();
  }
  result.status = ParseStatus::coarse;
  if (!decode(result)) return false;
  list_marginals(result);
  return true;
}

void SentenceParser::list_marginals(ParseResult& result) {
  if (tables_.options.marginals == ParseMarginals::none) return;
  const bool is_latent = result.status == ParseStatus::parsed;
  const std::vector<std::size_t> models = is_latent ? models_with_parse_ : std::vector{candidates_};
  const double share = is_latent ? 1 / grammars_with_parse() : 1;
  MarginalList list(tables_.options);
  std::vector<ScoredItem> items;
  for (std::uint32_t begin = 0; begin < words_.size(); ++begin) {
    for (auto end = begin + 1; end <= words_.size(); ++end) {
      for (const std::size_t model : models) {
        const std::size_t span = charts_[model].spans()(begin, end);
        items.clear();
        is_latent ? charts_[model].add_signed_marginals(span, share, items)
                  : charts_[model].add_plain_marginals(span, items);
        list.add(items, tables_.grammars[model]->model.symbols);
      }
      list.end_span(begin, end, result.marginals);
    }
  }
}

// Models have symbols of their own; what they vote on is common to all.
void SentenceParser::remove_annotations(std::size_t model, std::size_t first) {
  if (tables_.options.decoding != ParseDecoding::brackets) return;
  for (std::size_t i = first; i < scored_.items.size(); ++i)
    scored_.items[i].symbol = tables_.unannotated_of[model][scored_.items[i].symbol];
}

bool SentenceParser::decode(ParseResult& result) {
  treebank::BinaryTree binary;
  const bool brackets = tables_.options.decoding == ParseDecoding::brackets;
  if (!(brackets ? bracket_decoder_.run(scored_, binary) : decoder_.run(scored_, binary))) return false;
  result.tree = treebank::unbinarize(
      binary, brackets ? tables_.unannotated_symbols : tables_.first().model.symbols, words_);
  return true;
}

// Every word with its likeliest tag, all under one phrase.
Tree SentenceParser::flat_tree() const {
  Tree tree;
  tree.nodes.push_back({kFlatLabel, {}, static_cast<std::uint32_t>(words_.size() + 1)});
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::string_view name = tables_.first().model.symbols.name(charts_.front().likeliest_tag(i));
    tree.nodes.push_back({treebank::chain_of(name).back(), words_[i], 1});
  }
  return tree;
}

}  // namespace firth::parser

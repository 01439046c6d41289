#include "parser/grammar_charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/internals.hpp"

namespace firth::parser {
namespace {

// Marginals below this share of the pruning threshold are not followed further down the fine chart, and not
// considered for the tree.
constexpr float kFollowShare = 0.01F;
// What has a marginal below this share of the pruning threshold in the first chart, the others leave out.
constexpr float kNextShare = 1;
// The beam within a span, as a share of the pruning threshold.
constexpr float kBeamShare = 0.1F;
// If pruning left no tree, this share of the threshold comes next, and then no pruning at all; but only for
// sentences of up to this length, because time grows with the third power, and would be minutes for a few
// hundred words.
constexpr float kSecondShare = 1e-3F;
constexpr std::size_t kMaxSecond = 150;
constexpr std::size_t kMaxUnpruned = 40;
// Places in the fine chart are 32-bit numbers.
constexpr std::uint64_t kMaxChartBytes = std::uint64_t{8} << 30;

bool has_annotations(const ParserModel& model) {
  if (model.coarse_count() != model.symbol_count()) return true;
  for (SymbolId symbol = 0; symbol < model.symbol_count(); ++symbol) {
    if (model.arrays.coarse_of[symbol] != symbol) return true;
  }
  return false;
}

}  // namespace

GrammarTables::GrammarTables(Lpcfg grammar_model)
    : lpcfg(std::move(grammar_model)),
      model(base::internals(lpcfg)),
      is_annotated(has_annotations(model)),
      coarse(model.arrays.coarse),
      plain(model.arrays.plain),
      fine(model.arrays),
      tagger(model) {
  more_fines.reserve(model.more_grammars.size());
  for (const grammar::LatentArrays& grammar : model.more_grammars) more_fines.emplace_back(grammar);
}

GrammarCharts::GrammarCharts(const GrammarTables& tables, double prune)
    : tables_(tables),
      prune_(static_cast<float>(prune)),
      coarse_(tables.coarse),
      plain_(tables.plain),
      fine_(tables.fine) {
  for (const FineGrammar& grammar : tables.more_fines) more_fines_.emplace_back(grammar);
}

void GrammarCharts::watch(const std::stop_token& stop) {
  coarse_.watch(stop);
  plain_.watch(stop);
  fine_.watch(stop);
  for (FineChart& chart : more_fines_) chart.watch(stop);
}

bool GrammarCharts::find_candidates(std::span<const ParserToken> sentence, std::uint64_t memory_bytes,
                                    const GuideLimits& guide) {
  look_up(sentence);
  charts_with_parse_.clear();
  if (memory_bytes > 0 && max_bytes(sentence.size()) > memory_bytes) return false;
  if (guide.guide != nullptr && run_guided(guide)) return true;
  if (run_plain(prune_ * kBeamShare, prune_)) return true;
  if (prune_ == 0 || sentence.size() > kMaxSecond) return false;
  const float second = prune_ * kSecondShare;
  if (run_plain(second * kBeamShare, second)) return true;
  return sentence.size() <= kMaxUnpruned && run_plain(0, 0);
}

void GrammarCharts::look_up(std::span<const ParserToken> sentence) {
  const grammar::ModelArrays& arrays = tables_.model.arrays;
  tags_.clear();
  coarse_tags_.assign(sentence.size(), {});
  plain_tags_.assign(sentence.size(), {});
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const ParserToken token = {escape_brackets(sentence[i].word), sentence[i].tag};
    tags_.push_back(sentence.size() == 1 ? tables_.tagger.tags_of_sentence(token)
                                         : tables_.tagger.tags_of(token, i == 0));
    for (const WordTag& tag : tags_.back()) {
      const SymbolId symbol = arrays.lexical[tag.lexical].tag;
      coarse_tags_[i].emplace_back(arrays.coarse_of[symbol], tag.weight * arrays.coarse.lexical[tag.lexical]);
      plain_tags_[i].emplace_back(symbol, tag.weight * arrays.plain.lexical[tag.lexical]);
    }
  }
}

bool GrammarCharts::run_plain(float beam, float threshold) {
  if (!coarse_.run(coarse_tags_, {beam, threshold})) return false;
  if (!tables_.is_annotated) return true;
  return plain_.run(plain_tags_, {beam, threshold},
                    {.chart = &coarse_, .symbol_of = tables_.model.arrays.coarse_of});
}

bool GrammarCharts::run_guided(const GuideLimits& guide) {
  guide.guide->set_branching(tables_.model.binarize.branching);
  PlainChart& chart = tables_.is_annotated ? plain_ : coarse_;
  return chart.run(tables_.is_annotated ? plain_tags_ : coarse_tags_, {prune_ * kBeamShare, prune_},
                   {.guide = guide.guide, .symbol_of = guide.symbol_of});
}

// Grammars that give no probability do not vote, but the first must. What the first finds unlikely, the others do
// not look at.
bool GrammarCharts::run_latent(std::uint64_t memory_bytes) {
  std::uint64_t bytes = fine_.bytes_needed(candidates());
  for (const FineChart& chart : more_fines_) bytes += chart.bytes_needed(candidates());
  if (bytes > kMaxChartBytes || (memory_bytes > 0 && bytes > memory_bytes)) return false;
  const float threshold = prune_ * kFollowShare;
  if (!fine_.run(candidates(), tags_, threshold)) return false;
  charts_with_parse_.assign(1, &fine_);
  if (!more_fines_.empty()) fine_.drop_unlikely(prune_ * kNextShare);
  for (FineChart& chart : more_fines_) {
    if (chart.run(fine_, tags_, threshold)) charts_with_parse_.push_back(&chart);
  }
  return true;
}

// Spectral parameters give marginals that are a little off. All charts have the same items, those of the first.
void GrammarCharts::add_marginals(std::size_t span, double share, std::vector<ScoredItem>& to) const {
  const float least = prune_ * kFollowShare * static_cast<float>(charts_with_parse_.size());
  const auto items = fine_.items(span);
  for (std::size_t i = 0; i < items.size(); ++i) {
    float sum = 0;
    for (const FineChart* chart : charts_with_parse_)
      sum += std::min(std::abs(chart->items(span)[i].marginal), 1.0F);
    if (sum > least) to.push_back({items[i].symbol, share * static_cast<double>(sum)});
  }
}

void GrammarCharts::add_signed_marginals(std::size_t span, double share, std::vector<ScoredItem>& to) const {
  for (const FineChart* chart : charts_with_parse_) {
    for (const FineItem& item : chart->items(span))
      to.push_back({item.symbol, share * static_cast<double>(item.marginal)});
  }
}

void GrammarCharts::add_plain_marginals(std::size_t span, std::vector<ScoredItem>& to) const {
  for (const PlainItem& item : candidates().items(span)) {
    to.push_back({item.symbol, static_cast<double>(std::min(item.marginal(), 1.0F))});
  }
}

void GrammarCharts::add_viterbi(std::size_t span, std::vector<ScoredItem>& to) const {
  for (const FineItem& item : fine_.items(span)) {
    const bool is_tag = tables_.model.symbols.is_tag(item.symbol);
    to.push_back({item.symbol, is_tag ? log_or_impossible(fine_.inside(item)[0]) : 0});
  }
}

std::uint64_t GrammarCharts::max_bytes(std::size_t words) const {
  return coarse_.max_bytes(words) + (tables_.is_annotated ? plain_.max_bytes(words) : 0);
}

SymbolId GrammarCharts::likeliest_tag(std::size_t word) const {
  double best = -1;
  SymbolId symbol = 0;
  for (const auto& [tag, probability] : plain_tags_[word]) {
    const double score =
        static_cast<double>(probability) * static_cast<double>(tables_.model.arrays.plain.priors[tag]);
    if (score > best) {
      best = score;
      symbol = tag;
    }
  }
  return symbol;
}

}  // namespace firth::parser

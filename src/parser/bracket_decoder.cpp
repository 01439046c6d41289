#include "parser/bracket_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "treebank/interner.hpp"

namespace firth::parser {
namespace {

// F1 / 2 for the F1 of about 0.9 that grammars reach.
constexpr double kCost = 0.45;

}  // namespace

BracketDecoder::BracketDecoder(const treebank::SymbolTable& symbols, SymbolId no_label)
    : no_label_(no_label) {
  treebank::Interner names;
  label_begin_.push_back(0);
  for (SymbolId symbol = 0; symbol < symbols.size(); ++symbol) {
    is_tag_.push_back(symbols.is_tag(symbol));
    if (is_tag_.back() || !treebank::is_between(symbols.name(symbol))) {
      const std::vector<std::string> chain = treebank::chain_of(symbols.name(symbol));
      for (std::size_t i = 0; i < chain.size(); ++i) {
        // The second NP of NP|NP is another label than the first: one NP does not make two right.
        const auto end = chain.begin() + static_cast<std::ptrdiff_t>(i);
        const auto copies = static_cast<std::size_t>(std::count(chain.begin(), end, chain[i]));
        const bool is_last_tag = is_tag_.back() && i + 1 == chain.size();
        const std::string kind = is_last_tag ? "t" : fmt::format("p{}", copies);
        labels_.push_back(names.intern(kind + chain[i]));
      }
    }
    label_begin_.push_back(static_cast<std::uint32_t>(labels_.size()));
  }
  shares_.assign(names.size(), 0.0);
}

bool BracketDecoder::run(const ScoredChart& chart, treebank::BinaryTree& tree) {
  const SpanTable& spans = chart.spans;
  best_.assign(spans.size(), {});
  for (std::size_t end = 1; end <= spans.length(); ++end) {
    for (std::size_t begin = end; begin-- > 0;) {
      Best& best = best_[spans(begin, end)];
      const bool must = end - begin == 1 || end - begin == spans.length();
      if (!choose_symbol(chart, spans(begin, end), must, best)) return false;
      if (end - begin == 1) continue;
      double most = 0;
      for (std::size_t middle = begin + 1; middle < end; ++middle) {
        const double sum = best_[spans(begin, middle)].score + best_[spans(middle, end)].score;
        if (middle > begin + 1 && sum <= most) continue;
        most = sum;
        best.middle = static_cast<std::uint32_t>(middle);
      }
      best.score += most;
    }
  }
  build(spans, tree);
  return true;
}

bool BracketDecoder::choose_symbol(const ScoredChart& chart, std::size_t span, bool must, Best& best) {
  const auto items =
      std::span(chart.items).subspan(chart.begin[span], chart.begin[span + 1] - chart.begin[span]);
  for (const ScoredItem& item : items) {
    for (std::uint32_t i = label_begin_[item.symbol]; i < label_begin_[item.symbol + 1]; ++i)
      shares_[labels_[i]] += item.gain;
  }
  best = {0, no_label_, 0};
  for (const ScoredItem& item : items) {
    if (label_begin_[item.symbol] == label_begin_[item.symbol + 1]) continue;
    const double gain = gain_of(item.symbol);
    if (gain > best.score || (must && best.symbol == no_label_)) best = {gain, item.symbol, 0};
  }
  for (const ScoredItem& item : items) {
    for (std::uint32_t i = label_begin_[item.symbol]; i < label_begin_[item.symbol + 1]; ++i)
      shares_[labels_[i]] = 0;
  }
  return !must || best.symbol != no_label_;
}

double BracketDecoder::gain_of(SymbolId symbol) const {
  double gain = is_tag_[symbol] ? kCost : 0;
  for (std::uint32_t i = label_begin_[symbol]; i < label_begin_[symbol + 1]; ++i)
    gain += shares_[labels_[i]] - kCost;
  return gain;
}

void BracketDecoder::build(const SpanTable& spans, treebank::BinaryTree& tree) const {
  tree.nodes.clear();
  std::vector<NodePlace> stack = {{.end = static_cast<std::uint32_t>(spans.length())}};
  while (!stack.empty()) {
    const NodePlace place = stack.back();
    stack.pop_back();
    const Best& best = best_[spans(place.begin, place.end)];
    const std::uint32_t number = append_node(tree, best.symbol, place);
    if (place.end - place.begin == 1) continue;
    stack.push_back({best.middle, place.end, number, true});
    stack.push_back({place.begin, best.middle, number, false});
  }
}

}  // namespace firth::parser

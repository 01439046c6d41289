#include "parser/decoder.hpp"

namespace firth::parser {

Decoder::Decoder(const PairIndex& pairs, std::span<const BinaryRule> rules,
                 std::span<const double> rule_gains, std::span<const double> root_gains)
    : pairs_(pairs), rules_(rules), rule_gains_(rule_gains), root_gains_(root_gains) {
  item_of_.assign(root_gains.size(), 0);
}

bool Decoder::run(const ScoredChart& chart, treebank::BinaryTree& tree) {
  best_.assign(chart.items.size(), {kImpossible, 0, 0, 0});
  const std::size_t length = chart.spans.length();
  for (std::size_t end = 1; end <= length; ++end) {
    for (std::size_t begin = end; begin-- > 0;) fill_span(chart, begin, end);
  }
  const std::size_t top = chart.spans(0, length);
  double best = kImpossible;
  std::uint32_t root = 0;
  for (std::uint32_t i = chart.begin[top]; i < chart.begin[top + 1]; ++i) {
    const double score = best_[i].score + root_gains_[chart.items[i].symbol];
    if (score > best) {
      best = score;
      root = i;
    }
  }
  if (best == kImpossible) return false;
  build(chart, root, tree);
  return true;
}

void Decoder::fill_span(const ScoredChart& chart, std::size_t begin, std::size_t end) {
  const std::size_t span = chart.spans(begin, end);
  const std::uint32_t first = chart.begin[span];
  const std::uint32_t last = chart.begin[span + 1];
  if (first == last) return;
  if (end - begin == 1) {
    for (std::uint32_t i = first; i < last; ++i) best_[i].score = chart.items[i].gain;
    return;
  }
  for (std::uint32_t i = first; i < last; ++i) item_of_[chart.items[i].symbol] = i + 1;
  for (std::size_t middle = begin + 1; middle < end; ++middle) try_cut(chart, begin, middle, end);
  for (std::uint32_t i = first; i < last; ++i) {
    item_of_[chart.items[i].symbol] = 0;
    best_[i].score += chart.items[i].gain;
  }
}

void Decoder::try_cut(const ScoredChart& chart, std::size_t begin, std::size_t middle, std::size_t end) {
  const std::size_t left_span = chart.spans(begin, middle);
  const std::size_t right_span = chart.spans(middle, end);
  for (std::uint32_t l = chart.begin[left_span]; l < chart.begin[left_span + 1]; ++l) {
    if (best_[l].score == kImpossible) continue;
    for (std::uint32_t r = chart.begin[right_span]; r < chart.begin[right_span + 1]; ++r) {
      if (best_[r].score == kImpossible) continue;
      const std::uint32_t pair = pairs_.find(chart.items[l].symbol, chart.items[r].symbol);
      if (pair == kNoPair) continue;
      const double both = best_[l].score + best_[r].score;
      for (std::uint32_t rule = pairs_.first_rule(pair); rule < pairs_.last_rule(pair); ++rule) {
        const std::uint32_t item = item_of_[rules_[rule].parent];
        if (item == 0) continue;
        const double score = both + (rule_gains_.empty() ? 0 : rule_gains_[rule]);
        if (score > best_[item - 1].score) {
          best_[item - 1] = {score, static_cast<std::uint32_t>(middle), l, r};
        }
      }
    }
  }
}

void Decoder::build(const ScoredChart& chart, std::uint32_t root, treebank::BinaryTree& tree) const {
  struct Step {
    std::uint32_t item;
    NodePlace place;
  };
  tree.nodes.clear();
  std::vector<Step> stack = {{root, {.end = static_cast<std::uint32_t>(chart.spans.length())}}};
  while (!stack.empty()) {
    const auto [item, place] = stack.back();
    stack.pop_back();
    const std::uint32_t number = append_node(tree, chart.items[item].symbol, place);
    if (place.end - place.begin == 1) continue;
    const Best& best = best_[item];
    stack.push_back({best.right, {best.middle, place.end, number, true}});
    stack.push_back({best.left, {place.begin, best.middle, number, false}});
  }
}

std::uint32_t append_node(treebank::BinaryTree& tree, SymbolId symbol, const NodePlace& place) {
  const auto number = static_cast<std::uint32_t>(tree.nodes.size());
  treebank::BinaryNode node;
  node.symbol = symbol;
  node.parent = place.parent;
  node.begin = place.begin;
  node.end = place.end;
  tree.nodes.push_back(node);
  if (place.parent != treebank::kNoNode) {
    (place.is_right ? tree.nodes[place.parent].right : tree.nodes[place.parent].left) = number;
  }
  return number;
}

}  // namespace firth::parser

// The decoder of brackets against all trees over a few words.
#include "parser/bracket_decoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/rng.hpp"

namespace firth::parser {
namespace {

using treebank::SymbolId;

constexpr double kCost = 0.45;

struct Names {
  Names() {
    for (const char* name : {"NP^S", "NP^VP", "S|VP", "VP^S", "NP|NP", "@NP>DT"}) table.intern(name, false);
    phrases = table.size();
    for (const char* name : {"NN", "NP|NN", "VB", "NP"}) table.intern(name, true);
    nothing = table.intern("@", false);
  }
  treebank::SymbolTable table;
  std::size_t phrases = 0;
  SymbolId nothing = 0;
};

// BrownMarginals of some symbols over each span; some spans have none.
ScoredChart random_chart(base::Rng& rng, const Names& names, std::size_t length) {
  ScoredChart chart;
  chart.start(SpanTable(length));
  for (std::size_t begin = 0; begin < length; ++begin) {
    for (std::size_t end = begin + 1; end <= length; ++end) {
      const bool is_word = end == begin + 1;
      const std::size_t first = is_word ? names.phrases : 0;
      const std::size_t last = is_word ? names.nothing : names.phrases;
      const bool is_needed = is_word || end - begin == length;
      for (std::size_t symbol = first; symbol < last; ++symbol) {
        if (symbol > first || !is_needed) {
          if (rng.below(2) == 0) continue;
        }
        chart.items.push_back({static_cast<SymbolId>(symbol), rng.uniform() / 2});
      }
      chart.end_span();
    }
  }
  return chart;
}

// Labels of the phrases that a symbol stands for, numbered where one occurs twice; the tag apart.
std::vector<std::string> labels_of(const Names& names, SymbolId symbol) {
  const std::string name(names.table.name(symbol));
  if (name.starts_with('@')) return {};
  std::vector<std::string> labels = treebank::chain_of(name);
  if (names.table.is_tag(symbol)) labels.back() = "tag " + labels.back();
  if (labels.size() == 2 && labels[0] == labels[1]) labels[1] += " again";
  return labels;
}

class Naive {
 public:
  Naive(const Names& names, const ScoredChart& chart) : names_(names), chart_(chart) {}

  double gain(SymbolId symbol, std::size_t begin, std::size_t end) const {
    double sum = 0;
    for (const std::string& label : labels_of(names_, symbol)) {
      if (!label.starts_with("tag ")) sum -= kCost;
      for (const ScoredItem& item : items(begin, end)) {
        const auto others = labels_of(names_, item.symbol);
        if (std::find(others.begin(), others.end(), label) != others.end()) sum += item.gain;
      }
    }
    return sum;
  }

  double best(std::size_t begin, std::size_t end) const {
    const bool must = end - begin == 1 || end - begin == chart_.spans.length();
    double own = must ? -1e9 : 0;
    for (const ScoredItem& item : items(begin, end)) {
      if (!labels_of(names_, item.symbol).empty()) own = std::max(own, gain(item.symbol, begin, end));
    }
    double below = end - begin == 1 ? 0 : -1e9;
    for (std::size_t middle = begin + 1; middle < end; ++middle)
      below = std::max(below, best(begin, middle) + best(middle, end));
    return own + below;
  }

 private:
  std::span<const ScoredItem> items(std::size_t begin, std::size_t end) const {
    const std::size_t span = chart_.spans(begin, end);
    return std::span(chart_.items).subspan(chart_.begin[span], chart_.begin[span + 1] - chart_.begin[span]);
  }

  const Names& names_;
  const ScoredChart& chart_;
};

TEST(BracketDecoder, FindsTheBestOfAllTrees) {
  const Names names;
  BracketDecoder decoder(names.table, names.nothing);
  base::Rng rng(21);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t length = 1 + rng.below(6);
    const ScoredChart chart = random_chart(rng, names, length);
    const Naive naive(names, chart);
    treebank::BinaryTree tree;
    ASSERT_TRUE(decoder.run(chart, tree));
    ASSERT_EQ(tree.nodes.size(), 2 * length - 1);
    double score = 0;
    for (const treebank::BinaryNode& node : tree.nodes)
      score += naive.gain(node.symbol, node.begin, node.end);
    ASSERT_NEAR(score, naive.best(0, length), 1e-9);
    ASSERT_NE(tree.nodes[0].symbol, names.nothing);
    const std::vector<std::string> words(length, "w");
    ASSERT_EQ(treebank::unbinarize(tree, names.table, words).leaves().size(), length);
  }
}

TEST(BracketDecoder, AnnotationsVoteTogether) {
  const Names names;
  BracketDecoder decoder(names.table, names.nothing);
  ScoredChart chart;
  chart.start(SpanTable(2));
  chart.items = {{6, 1}};  // NN
  chart.end_span();
  chart.items.insert(chart.items.end(), {{0, 0.3}, {1, 0.3}, {3, 0.4}});  // NP^S, NP^VP, VP^S
  chart.end_span();
  chart.items.push_back({6, 1});
  chart.end_span();
  treebank::BinaryTree tree;
  ASSERT_TRUE(decoder.run(chart, tree));
  EXPECT_EQ(treebank::plain_symbol(names.table.name(tree.nodes[0].symbol)), "NP");
}

TEST(BracketDecoder, NeedsSymbolsForWordsAndForTheWhole) {
  const Names names;
  BracketDecoder decoder(names.table, names.nothing);
  ScoredChart chart;
  chart.start(SpanTable(1));
  chart.end_span();
  treebank::BinaryTree tree;
  EXPECT_FALSE(decoder.run(chart, tree));
}

}  // namespace
}  // namespace firth::parser

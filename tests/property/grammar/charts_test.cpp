// The charts of the parser, without pruning, against the enumeration of all trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "firth/parser.hpp"
#include "parser/sentence_parser.hpp"
#include "reference/exact_chart.hpp"
#include "reference/naive_grammar.hpp"
#include "reference/test_model.hpp"

namespace firth {
namespace {

using grammar::LatentGrammar;
using grammar::TerminalId;

struct Case {
  reference::RandomGrammarOptions options;
  LatentGrammar grammar;
  std::vector<TerminalId> sentence;
};

Case random_case(base::Rng& rng, std::size_t longest, bool negative) {
  Case result;
  result.options.phrases = 1 + rng.below(4);
  result.options.tags = 1 + rng.below(3);
  result.options.negative = negative;
  result.options.density = 0.3 + 0.5 * rng.uniform();
  result.options.max_states = 1 + static_cast<std::uint32_t>(rng.below(20));
  result.grammar = reference::random_grammar(rng, result.options);
  const std::size_t length = 1 + rng.below(longest);
  for (std::size_t i = 0; i < length; ++i) {
    result.sentence.push_back(static_cast<TerminalId>(rng.below(result.options.terminals)));
  }
  return result;
}

// Both charts over everything.
struct Charts {
  explicit Charts(const Case& c)
      : model(reference::make_test_model(c.grammar, reference::random_grammar_symbols(c.options),
                                         c.options.terminals)),
        plain_grammar(model->arrays.plain),
        fine_grammar(model->arrays),
        plain(plain_grammar),
        fine(fine_grammar) {
    const parser::TokenTagger tagger(*model);
    std::vector<std::vector<std::pair<grammar::SymbolId, float>>> plain_tags;
    for (const TerminalId terminal : c.sentence) {
      tags.push_back(tagger.tags_of({"w" + std::to_string(terminal)}, false));
      plain_tags.emplace_back();
      for (const grammar::WordTag& tag : tags.back()) {
        plain_tags.back().emplace_back(model->arrays.lexical[tag.lexical].tag, 1.0F);
      }
    }
    covers = plain.run(plain_tags, {0, 0});
    succeeded = covers && fine.run(plain, tags, 0);
  }

  std::shared_ptr<const grammar::ParserModel> model;
  std::vector<std::vector<grammar::WordTag>> tags;
  parser::PlainGrammar plain_grammar;
  parser::FineGrammar fine_grammar;
  parser::PlainChart plain;
  parser::FineChart fine;
  bool covers = false;
  bool succeeded = false;
};

double sum_of_sizes(const Case& c) {
  double size = 0;
  for (const auto& tree : reference::enumerate_trees(c.grammar, c.sentence)) {
    size += std::abs(reference::naive_probability(c.grammar, *tree));
  }
  return size;
}

void compare_marginals(const Case& c, const parser::FineChart& chart,
                       const reference::NaiveMarginals& naive) {
  std::map<reference::NaiveSpan, double> found;
  for (std::size_t begin = 0; begin < c.sentence.size(); ++begin) {
    for (std::size_t end = begin + 1; end <= c.sentence.size(); ++end) {
      for (const parser::FineItem& item : chart.items(chart.spans()(begin, end))) {
        found[{item.symbol, begin, end}] = static_cast<double>(item.marginal);
      }
    }
  }
  for (const auto& [span, probability] : naive.spans) {
    ASSERT_NEAR(found[span], probability / naive.sentence, 2e-3);
  }
  for (const auto& [span, marginal] : found) {
    if (!naive.spans.contains(span)) {
      ASSERT_NEAR(marginal, 0, 1e-6);
    }
  }
}

TEST(FineChart, EqualsEnumeration) {
  base::Rng rng(11);
  std::size_t compared = 0;
  for (int round = 0; round < 400; ++round) {
    const Case c = random_case(rng, 4, round % 2 == 1);
    const auto naive = reference::naive_marginals(c.grammar, c.sentence);
    const Charts charts(c);
    const double size = sum_of_sizes(c);
    ASSERT_EQ(charts.covers, size > 0);
    if (naive.sentence < 0.02 * size || size == 0) continue;  // too much cancels for single precision
    ASSERT_TRUE(charts.succeeded);
    ASSERT_NEAR(charts.fine.log_probability(), std::log(naive.sentence), 2e-3);
    compare_marginals(c, charts.fine, naive);
    ++compared;
  }
  EXPECT_GT(compared, 150U);
}

void collect_spans(const reference::NaiveTree& tree, std::vector<reference::NaiveSpan>& to) {
  to.emplace_back(tree.symbol, tree.begin, tree.end);
  if (!tree.left) return;
  collect_spans(*tree.left, to);
  collect_spans(*tree.right, to);
}

std::set<reference::NaiveSpan> items_of(const parser::FineChart& chart) {
  std::set<reference::NaiveSpan> items;
  for (std::size_t begin = 0; begin < chart.spans().length(); ++begin) {
    for (std::size_t end = begin + 1; end <= chart.spans().length(); ++end) {
      for (const parser::FineItem& item : chart.items(chart.spans()(begin, end)))
        items.insert({item.symbol, begin, end});
    }
  }
  return items;
}

/// Sums over the trees that have no other items.
reference::NaiveMarginals naive_marginals_of(const Case& c, const std::set<reference::NaiveSpan>& items) {
  reference::NaiveMarginals sums;
  for (const auto& tree : reference::enumerate_trees(c.grammar, c.sentence)) {
    std::vector<reference::NaiveSpan> spans;
    collect_spans(*tree, spans);
    const auto is_there = [&](const reference::NaiveSpan& span) { return items.contains(span); };
    if (!std::all_of(spans.begin(), spans.end(), is_there)) continue;
    const double p = reference::naive_probability(c.grammar, *tree);
    sums.sentence += p;
    for (const reference::NaiveSpan& span : spans) sums.spans[span] += p;
  }
  return sums;
}

// The trees of the items that the first chart leaves are all that the second has.
TEST(FineChart, OfWhatAnotherLeftEqualsEnumeration) {
  base::Rng rng(16);
  std::size_t compared = 0;
  for (int round = 0; round < 400; ++round) {
    const Case c = random_case(rng, 4, false);
    Charts charts(c);
    if (!charts.succeeded) continue;
    const std::size_t before = items_of(charts.fine).size();
    charts.fine.drop_unlikely(0.1F);
    const std::set<reference::NaiveSpan> items = items_of(charts.fine);
    const reference::NaiveMarginals naive = naive_marginals_of(c, items);
    parser::FineChart second(charts.fine_grammar);
    ASSERT_EQ(second.run(charts.fine, charts.tags, 0), naive.sentence > 0);
    if (naive.sentence == 0) continue;
    ASSERT_EQ(items_of(second), items);
    ASSERT_NEAR(second.log_probability(), std::log(naive.sentence), 2e-3);
    compare_marginals(c, second, naive);
    compared += items.size() < before ? 1 : 0;
  }
  EXPECT_GT(compared, 50U);
}

// Spans with what the parser says of them, by number of symbol.
std::map<reference::NaiveSpan, double> marginals_of(const Parser& parser, const Case& c) {
  std::vector<ParserToken> words;
  for (const TerminalId terminal : c.sentence) words.push_back({"w" + std::to_string(terminal)});
  const ParseResult result = parser.parse(words);
  EXPECT_EQ(result.status, ParseStatus::parsed);
  const treebank::SymbolTable symbols = reference::random_grammar_symbols(c.options);
  std::map<std::string, grammar::SymbolId> numbers;
  for (grammar::SymbolId symbol = 0; symbol < symbols.size(); ++symbol)
    numbers[std::string(symbols.name(symbol))] = symbol;
  std::map<reference::NaiveSpan, double> found;
  for (const SpanMarginal& span : result.marginals)
    found[{numbers.at(span.label), span.begin, span.end}] = span.marginal;
  EXPECT_EQ(found.size(), result.marginals.size());
  return found;
}

TEST(Parser, MarginalsEqualEnumeration) {
  base::Rng rng(15);
  std::size_t compared = 0;
  for (int round = 0; round < 300; ++round) {
    Case c = random_case(rng, 4, round % 2 == 1);
    if (c.sentence.size() == 1) continue;  // a word alone has roots of its own
    const auto naive = reference::naive_marginals(c.grammar, c.sentence);
    const double size = sum_of_sizes(c);
    if (naive.sentence < 0.02 * size || size == 0) continue;  // too much cancels for single precision
    const Lpcfg model(reference::make_test_model(c.grammar, reference::random_grammar_symbols(c.options),
                                                 c.options.terminals));
    const Parser parser(model, {.decoding = ParseDecoding::max_marginal,
                                .marginals = ParseMarginals::symbols,
                                .min_marginal = 0,
                                .prune = 0});
    auto found = marginals_of(parser, c);
    for (const auto& [span, probability] : naive.spans)
      ASSERT_NEAR(found[span], probability / naive.sentence, 2e-3);
    for (const auto& [span, marginal] : found) {
      if (!naive.spans.contains(span)) {
        ASSERT_NEAR(marginal, 0, 1e-6);
      }
    }
    ++compared;
  }
  EXPECT_GT(compared, 80U);
}

TEST(FineChart, NegativeSumsHaveNoLogarithm) {
  base::Rng rng(12);
  std::size_t negative = 0;
  for (int round = 0; round < 200; ++round) {
    const Case c = random_case(rng, 3, true);
    const double size = sum_of_sizes(c);
    const double sum = reference::naive_marginals(c.grammar, c.sentence).sentence;
    if (sum > -0.02 * size || size == 0) continue;
    const Charts charts(c);
    ASSERT_TRUE(charts.succeeded);
    ASSERT_TRUE(std::isnan(charts.fine.log_probability()));
    ++negative;
  }
  EXPECT_GT(negative, 20U);
}

TEST(PlainChart, MarginalsEqualThoseOfTheGrammarOfOnes) {
  base::Rng rng(13);
  std::size_t compared = 0;
  for (int round = 0; round < 200; ++round) {
    Case c = random_case(rng, 6, false);
    std::fill(c.grammar.states.begin(), c.grammar.states.end(), 1U);
    c.grammar.allocate();
    for (auto* values : {&c.grammar.tensors, &c.grammar.vectors, &c.grammar.roots}) {
      std::fill(values->begin(), values->end(), 1.0);
    }
    const Charts charts(c);
    if (!charts.covers) continue;
    const reference::ExactChart exact(c.grammar, c.sentence);
    ASSERT_NEAR(charts.plain.log_probability(), exact.sentence_probability().log, 1e-4);
    for (std::size_t begin = 0; begin < c.sentence.size(); ++begin) {
      for (std::size_t end = begin + 1; end <= c.sentence.size(); ++end) {
        for (const parser::PlainItem& item : charts.plain.items(charts.plain.spans()(begin, end))) {
          ASSERT_NEAR(item.marginal(), exact.marginal(item.symbol, begin, end), 1e-4);
        }
      }
    }
    ++compared;
  }
  EXPECT_GT(compared, 100U);
}

double gain_of(const reference::NaiveTree& tree, const std::map<reference::NaiveSpan, double>& marginals) {
  double gain = marginals.at({tree.symbol, tree.begin, tree.end});
  if (tree.left) gain += gain_of(*tree.left, marginals) + gain_of(*tree.right, marginals);
  return gain;
}

TEST(Decoder, FindsTheBestOfAllTrees) {
  base::Rng rng(14);
  std::size_t compared = 0;
  for (int round = 0; round < 300; ++round) {
    const Case c = random_case(rng, 4, false);
    const auto naive = reference::naive_marginals(c.grammar, c.sentence);
    if (naive.sentence == 0) continue;
    double best = 0;
    for (const auto& tree : reference::enumerate_trees(c.grammar, c.sentence)) {
      best = std::max(best, gain_of(*tree, naive.spans));
    }
    parser::ScoredChart chart;
    chart.start(parser::SpanTable(c.sentence.size()));
    for (std::size_t begin = 0; begin < c.sentence.size(); ++begin) {
      for (std::size_t end = begin + 1; end <= c.sentence.size(); ++end) {
        for (grammar::SymbolId symbol = 0; symbol < c.grammar.states.size(); ++symbol) {
          const auto found = naive.spans.find({symbol, begin, end});
          if (found != naive.spans.end()) chart.items.push_back({symbol, found->second});
        }
        chart.end_span();
      }
    }
    const parser::PairIndex pairs(c.grammar.rules, c.grammar.states.size());
    const std::vector<double> roots(c.grammar.states.size(), 0.0);
    parser::Decoder decoder(pairs, c.grammar.rules, {}, roots);
    treebank::BinaryTree tree;
    ASSERT_TRUE(decoder.run(chart, tree));
    double gain = 0;
    for (const treebank::BinaryNode& node : tree.nodes)
      gain += naive.spans.at({node.symbol, node.begin, node.end});
    ASSERT_NEAR(gain, best, 1e-9 * best);
    ++compared;
  }
  EXPECT_GT(compared, 150U);
}

}  // namespace
}  // namespace firth

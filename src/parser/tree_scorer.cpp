#include <cmath>
#include <limits>
#include <optional>

#include "base/internals.hpp"
#include "firth/parser.hpp"
#include "grammar/parser_model.hpp"
#include "grammar/tree_probability.hpp"
#include "parser/pair_index.hpp"
#include "parser/token_tags.hpp"
#include "treebank/binary_tree.hpp"

namespace firth {

struct TreeScorer::Impl {
  Impl(Lpcfg model_handle, bool sentences)
      : lpcfg(std::move(model_handle)),
        model(base::internals(lpcfg)),
        pairs(model.arrays.rules, model.symbol_count()),
        tagger(model),
        symbols(model.symbols),
        binarizer(model.binarize, symbols, words) {
    if (sentences) parser.emplace(lpcfg, ParseOptions{.prune = 0});
  }

  // The rule of every node; false if the grammar lacks one.
  bool find_rules(treebank::BinaryTree& tree) const {
    for (treebank::BinaryNode& node : tree.nodes) {
      if (node.symbol >= model.symbol_count()) return false;
      if (node.is_leaf()) continue;
      const auto left = tree.nodes[node.left].symbol;
      const auto right = tree.nodes[node.right].symbol;
      if (left >= model.symbol_count() || right >= model.symbol_count()) return false;
      const std::uint32_t pair = pairs.find(left, right);
      if (pair == parser::kNoPair) return false;
      std::uint32_t rule = pairs.first_rule(pair);
      while (rule < pairs.last_rule(pair) && model.arrays.rules[rule].parent != node.symbol) ++rule;
      if (rule == pairs.last_rule(pair)) return false;
      node.rule = rule;
    }
    return true;
  }

  std::vector<double> leaf_vector(const treebank::BinaryNode& node) const {
    std::vector<double> sum(model.arrays.states[node.symbol], 0.0);
    for (const grammar::WordTag& tag : tagger.tags_of({words[node.word]}, node.begin == 0)) {
      if (model.arrays.lexical[tag.lexical].tag != node.symbol) continue;
      const auto vector = model.arrays.vector(tag.lexical);
      for (std::size_t h = 0; h < sum.size(); ++h) {
        sum[h] += static_cast<double>(tag.weight) * static_cast<double>(vector[h]);
      }
    }
    return sum;
  }

  grammar::SignedLog probability(const Tree& tree) {
    treebank::BinaryTree binary = binarizer(tree);
    if (!find_rules(binary)) return {};
    using treebank::BinaryNode;
    return grammar::tree_probability(
        binary, [&](const BinaryNode& node) { return leaf_vector(node); },
        [&](const BinaryNode& node) { return model.arrays.tensor(node.rule); },
        [&](grammar::SymbolId symbol) { return model.arrays.root(symbol); });
  }

  double sentence_probability(const Tree& tree) const {
    std::vector<ParserToken> sentence;
    for (const std::uint32_t leaf : tree.leaves()) sentence.push_back({tree.nodes[leaf].word, {}});
    return parser->parse(sentence).log_probability;
  }

  Lpcfg lpcfg;
  const grammar::ParserModel& model;
  parser::PairIndex pairs;
  parser::TokenTagger tagger;
  treebank::SymbolTable symbols;  // of the grammar, then those that it does not have
  treebank::Interner words;
  treebank::Binarizer binarizer;
  std::optional<Parser> parser;
};

TreeScorer::TreeScorer(Lpcfg grammar, bool sentences)
    : impl_(std::make_unique<Impl>(std::move(grammar), sentences)) {}

TreeScorer::~TreeScorer() = default;
TreeScorer::TreeScorer(TreeScorer&&) noexcept = default;
TreeScorer& TreeScorer::operator=(TreeScorer&&) noexcept = default;

TreeScore TreeScorer::score(Tree tree) {
  TreeScore score;
  score.log_tree = -std::numeric_limits<double>::infinity();
  score.log_sentence = std::numeric_limits<double>::quiet_NaN();
  clean_tree(tree);
  if (tree.empty()) return score;
  const grammar::SignedLog probability = impl_->probability(tree);
  score.log_tree = probability.log;
  score.is_negative = probability.sign < 0;
  if (impl_->parser) score.log_sentence = impl_->sentence_probability(tree);
  return score;
}

}  // namespace firth

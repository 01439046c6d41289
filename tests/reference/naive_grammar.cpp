#include "reference/naive_grammar.hpp"

#include <string>

namespace firth::reference {
namespace {

using grammar::LatentGrammar;
using grammar::SymbolId;
using TreePointer = std::shared_ptr<const NaiveTree>;

std::vector<TreePointer> trees_over(const LatentGrammar& grammar,
                                    std::span<const grammar::TerminalId> sentence, std::size_t begin,
                                    std::size_t end) {
  std::vector<TreePointer> trees;
  if (end - begin == 1) {
    for (std::size_t r = 0; r < grammar.lexical.size(); ++r) {
      if (grammar.lexical[r].terminal != sentence[begin]) continue;
      trees.push_back(std::make_shared<NaiveTree>(NaiveTree{grammar.lexical[r].tag, begin, end, r}));
    }
  }
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    for (const TreePointer& left : trees_over(grammar, sentence, begin, middle)) {
      for (const TreePointer& right : trees_over(grammar, sentence, middle, end)) {
        for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
          const grammar::BinaryRule& rule = grammar.rules[r];
          if (rule.left != left->symbol || rule.right != right->symbol) continue;
          trees.push_back(std::make_shared<NaiveTree>(NaiveTree{rule.parent, begin, end, r, left, right}));
        }
      }
    }
  }
  return trees;
}

std::vector<double> inside(const LatentGrammar& grammar, const NaiveTree& tree) {
  if (!tree.left) {
    const auto vector = grammar.vector(tree.rule);
    return {vector.begin(), vector.end()};
  }
  const std::vector<double> left = inside(grammar, *tree.left);
  const std::vector<double> right = inside(grammar, *tree.right);
  const auto tensor = grammar.tensor(tree.rule);
  std::vector<double> result(grammar.states[tree.symbol], 0.0);
  for (std::size_t h = 0; h < result.size(); ++h) {
    for (std::size_t g = 0; g < left.size(); ++g) {
      for (std::size_t k = 0; k < right.size(); ++k) {
        result[h] += tensor[(h * left.size() + g) * right.size() + k] * left[g] * right[k];
      }
    }
  }
  return result;
}

void add_spans(const NaiveTree& tree, double probability, std::map<NaiveSpan, double>& spans) {
  spans[{tree.symbol, tree.begin, tree.end}] += probability;
  if (!tree.left) return;
  add_spans(*tree.left, probability, spans);
  add_spans(*tree.right, probability, spans);
}

}  // namespace

std::vector<TreePointer> enumerate_trees(const LatentGrammar& grammar,
                                         std::span<const grammar::TerminalId> sentence) {
  return trees_over(grammar, sentence, 0, sentence.size());
}

double naive_probability(const LatentGrammar& grammar, const NaiveTree& tree) {
  const std::vector<double> values = inside(grammar, tree);
  double sum = 0;
  for (std::size_t h = 0; h < values.size(); ++h) sum += values[h] * grammar.root(tree.symbol)[h];
  return sum;
}

NaiveMarginals naive_marginals(const LatentGrammar& grammar, std::span<const grammar::TerminalId> sentence) {
  NaiveMarginals marginals;
  for (const TreePointer& tree : enumerate_trees(grammar, sentence)) {
    const double probability = naive_probability(grammar, *tree);
    marginals.sentence += probability;
    add_spans(*tree, probability, marginals.spans);
  }
  return marginals;
}

LatentGrammar random_grammar(base::Rng& rng, const RandomGrammarOptions& options) {
  LatentGrammar grammar;
  const std::size_t symbols = options.phrases + options.tags;
  for (std::size_t i = 0; i < symbols; ++i) {
    grammar.states.push_back(1 + static_cast<std::uint32_t>(rng.below(options.max_states)));
  }
  for (SymbolId left = 0; left < symbols; ++left) {
    for (SymbolId right = 0; right < symbols; ++right) {
      for (SymbolId parent = 0; parent < options.phrases; ++parent) {
        if (rng.uniform() < options.density) grammar.rules.push_back({parent, left, right});
      }
    }
  }
  for (grammar::TerminalId terminal = 0; terminal < options.terminals; ++terminal) {
    const std::size_t surely = rng.below(options.tags);
    for (std::size_t tag = 0; tag < options.tags; ++tag) {
      if (tag == surely || rng.uniform() < options.density) {
        grammar.lexical.push_back({static_cast<SymbolId>(options.phrases + tag), terminal});
      }
    }
  }
  grammar.allocate();
  const auto draw = [&] { return options.negative ? 2 * rng.uniform() - 1 : rng.uniform(); };
  for (double& value : grammar.tensors) value = draw();
  for (double& value : grammar.vectors) value = draw();
  for (double& value : grammar.roots) value = draw();
  return grammar;
}

treebank::SymbolTable random_grammar_symbols(const RandomGrammarOptions& options) {
  treebank::SymbolTable symbols;
  for (std::size_t i = 0; i < options.phrases; ++i) symbols.intern("P" + std::to_string(i), false);
  for (std::size_t i = 0; i < options.tags; ++i) symbols.intern("T" + std::to_string(i), true);
  return symbols;
}

}  // namespace firth::reference

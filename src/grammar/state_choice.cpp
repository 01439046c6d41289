#include "grammar/state_choice.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/stage.hpp"
#include "grammar/tree_probability.hpp"

namespace firth::grammar {
namespace {

constexpr double kFloorPerWord = -10;

/// The leading block of the tensor of a rule, applied to two vectors.
ScaledVector apply_block(const LatentGrammar& grammar, std::uint32_t rule, std::uint32_t rows,
                         const ScaledVector& left, const ScaledVector& right) {
  const BinaryRule& names = grammar.rules[rule];
  const std::size_t right_all = grammar.states[names.right];
  const std::size_t left_all = grammar.states[names.left];
  const double* tensor = grammar.tensor(rule).data();
  ScaledVector result;
  result.exponent = left.exponent + right.exponent;
  for (std::size_t h = 0; h < rows; ++h) {
    double sum = 0;
    for (std::size_t i = 0; i < left.values.size(); ++i) {
      const double* row = tensor + (h * left_all + i) * right_all;
      sum += left.values[i] * std::inner_product(right.values.begin(), right.values.end(), row, 0.0);
    }
    result.values.push_back(sum);
  }
  normalize(result.values, result.exponent);
  return result;
}

/// Trees of each symbol, and the symbols by falling number of trees.
struct TreesBySymbol {
  std::vector<std::vector<std::uint32_t>> trees;
  std::vector<SymbolId> order;
};

TreesBySymbol trees_by_symbol(std::span<const treebank::BinaryTree> trees, std::size_t symbols) {
  TreesBySymbol result;
  result.trees.resize(symbols);
  for (std::uint32_t i = 0; i < trees.size(); ++i) {
    for (const treebank::BinaryNode& node : trees[i].nodes) {
      std::vector<std::uint32_t>& list = result.trees[node.symbol];
      if (list.empty() || list.back() != i) list.push_back(i);
    }
  }
  for (SymbolId symbol = 0; symbol < symbols; ++symbol)
    if (!result.trees[symbol].empty()) result.order.push_back(symbol);
  std::stable_sort(result.order.begin(), result.order.end(),
                   [&](SymbolId a, SymbolId b) { return result.trees[a].size() > result.trees[b].size(); });
  return result;
}

std::vector<std::uint32_t> candidates(std::uint32_t all) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t states = 1; states < all; states *= 2) result.push_back(states);
  result.push_back(all);
  return result;
}

}  // namespace

LatentGrammar with_fewer_states(const LatentGrammar& grammar, const std::vector<std::uint32_t>& states) {
  LatentGrammar result;
  result.states = states;
  result.rules = grammar.rules;
  result.lexical = grammar.lexical;
  result.allocate();
  for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
    const auto [parent, left, right] = grammar.rules[r];
    double* to = result.tensor(r).data();
    for (std::size_t h = 0; h < states[parent]; ++h) {
      for (std::size_t i = 0; i < states[left]; ++i, to += states[right]) {
        const auto row = (h * grammar.states[left] + i) * grammar.states[right];
        std::copy_n(grammar.tensor(r).data() + row, states[right], to);
      }
    }
  }
  for (std::size_t r = 0; r < grammar.lexical.size(); ++r)
    std::copy_n(grammar.vector(r).data(), states[grammar.lexical[r].tag], result.vector(r).data());
  for (SymbolId symbol = 0; symbol < states.size(); ++symbol)
    std::copy_n(grammar.root(symbol).data(), states[symbol], result.root(symbol).data());
  return result;
}

double held_out_score(const LatentGrammar& grammar, const std::vector<std::uint32_t>& states,
                      const treebank::BinaryTree& tree) {
  std::vector<ScaledVector> inside(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    const treebank::BinaryNode& node = tree.nodes[i];
    if (node.is_leaf()) {
      const auto vector = grammar.vector(node.rule).first(states[node.symbol]);
      inside[i].values.assign(vector.begin(), vector.end());
      normalize(inside[i].values, inside[i].exponent);
    } else {
      inside[i] = apply_block(grammar, node.rule, states[node.symbol], inside[node.left], inside[node.right]);
    }
  }
  const std::vector<double>& top = inside.front().values;
  const double sum =
      std::inner_product(top.begin(), top.end(), grammar.root(tree.nodes.front().symbol).begin(), 0.0);
  const double floor = kFloorPerWord * static_cast<double>(tree.word_count());
  return sum > 0 ? std::max(floor, SignedLog::of(sum, inside.front().exponent).log) : floor;
}

std::vector<std::uint32_t> choose_states(const LatentGrammar& grammar,
                                         std::span<const treebank::BinaryTree> held_out,
                                         const RunOptions& run) {
  std::vector<std::uint32_t> states = grammar.states;
  const TreesBySymbol by_symbol = trees_by_symbol(held_out, states.size());
  const base::Stage stage(run, "choosing states", "symbols", by_symbol.order.size());
  std::vector<double> scores(held_out.size());
  for (std::size_t done = 0; done < by_symbol.order.size(); ++done) {
    const SymbolId symbol = by_symbol.order[done];
    const std::vector<std::uint32_t>& trees = by_symbol.trees[symbol];
    double best = -std::numeric_limits<double>::infinity();
    std::uint32_t chosen = 1;
    for (const std::uint32_t number : candidates(grammar.states[symbol])) {
      run.check_stop();
      states[symbol] = number;
      base::parallel_for(trees.size(), 8, run.threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          scores[trees[i]] = held_out_score(grammar, states, held_out[trees[i]]);
      });
      double sum = 0;
      for (const std::uint32_t tree : trees) sum += scores[tree];
      if (sum > best) {
        best = sum;
        chosen = number;
      }
    }
    states[symbol] = chosen;
    stage.advance(done + 1);
  }
  return states;
}

}  // namespace firth::grammar

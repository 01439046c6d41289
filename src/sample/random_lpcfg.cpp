#include "sample/random_lpcfg.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

namespace firth::sample {
namespace {

constexpr double kPhraseChild = 0.4;        // chance that a child in a rule is a phrase
constexpr double kMaxPhrases = 0.8;         // below a phrase, in the mean
constexpr double kUniformRuleShare = 0.05;  // of every distribution: nothing is impossible

std::vector<double> draw_distribution(std::size_t size, double contrast, base::Rng& rng) {
  std::vector<double> weights(size);
  double sum = 0;
  for (double& weight : weights) {
    weight = std::pow(-std::log(1 - rng.uniform()), contrast) + 1e-9;
    sum += weight;
  }
  for (double& weight : weights)
    weight = (1 - kUniformRuleShare) * weight / sum + kUniformRuleShare / static_cast<double>(size);
  return weights;
}

/// Rules of all phrases; the first of each phrase has two tags below it.
std::vector<grammar::BinaryRule> draw_rules(const RandomLpcfgOptions& options, base::Rng& rng) {
  const auto key = [](const grammar::BinaryRule& rule) {
    return std::tuple(rule.left, rule.right, rule.parent);
  };
  const auto less = [&](const grammar::BinaryRule& a, const grammar::BinaryRule& b) {
    return key(a) < key(b);
  };
  const auto tag = [&] { return static_cast<grammar::SymbolId>(options.phrases + rng.below(options.tags)); };
  const auto child = [&] {
    return rng.uniform() < kPhraseChild ? static_cast<grammar::SymbolId>(rng.below(options.phrases)) : tag();
  };
  std::set<grammar::BinaryRule, decltype(less)> rules(less);
  for (grammar::SymbolId parent = 0; parent < options.phrases; ++parent) {
    rules.insert({parent, tag(), tag()});
    for (std::uint32_t i = 1; i < options.rules; ++i) {
      const grammar::SymbolId left = child();
      rules.insert({parent, left, child()});
    }
  }
  return {rules.begin(), rules.end()};
}

/// q(rule | h) for the rules of one phrase, moved towards rules without phrases until trees end.
std::vector<double> draw_rule_choice(std::span<const grammar::BinaryRule> rules,
                                     const RandomLpcfgOptions& options, base::Rng& rng) {
  std::vector<double> q = draw_distribution(rules.size(), options.contrast, rng);
  const auto phrases = [&](const grammar::BinaryRule& rule) {
    return (rule.left < options.phrases ? 1.0 : 0.0) + (rule.right < options.phrases ? 1.0 : 0.0);
  };
  double mean = 0;
  double closed = 0;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    mean += q[i] * phrases(rules[i]);
    if (phrases(rules[i]) == 0) closed += q[i];
  }
  if (mean <= kMaxPhrases) return q;
  const double keep = kMaxPhrases / mean;
  const double rest = (1 - keep * (1 - closed)) / closed;
  for (std::size_t i = 0; i < rules.size(); ++i) q[i] *= phrases(rules[i]) == 0 ? rest : keep;
  return q;
}

void fill_binary(const RandomLpcfgOptions& options, base::Rng& rng, grammar::LatentGrammar& grammar) {
  for (grammar::SymbolId parent = 0; parent < options.phrases; ++parent) {
    std::vector<std::size_t> numbers;
    std::vector<grammar::BinaryRule> rules;
    for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
      if (grammar.rules[r].parent != parent) continue;
      numbers.push_back(r);
      rules.push_back(grammar.rules[r]);
    }
    for (std::size_t h = 0; h < options.states; ++h) {
      const std::vector<double> q = draw_rule_choice(rules, options, rng);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::vector<double> s = draw_distribution(options.states, options.contrast, rng);
        const std::vector<double> t = draw_distribution(options.states, options.contrast, rng);
        const std::span tensor = grammar.tensor(numbers[i]).subspan(h * s.size() * t.size());
        for (std::size_t g = 0; g < s.size(); ++g)
          for (std::size_t k = 0; k < t.size(); ++k) tensor[g * t.size() + k] = q[i] * s[g] * t[k];
      }
    }
  }
}

void fill_lexical(const RandomLpcfgOptions& options, base::Rng& rng, grammar::LatentGrammar& grammar) {
  for (grammar::SymbolId tag = options.phrases; tag < options.phrases + options.tags; ++tag) {
    std::vector<std::size_t> numbers;
    for (std::size_t r = 0; r < grammar.lexical.size(); ++r)
      if (grammar.lexical[r].tag == tag) numbers.push_back(r);
    for (std::size_t h = 0; h < options.states; ++h) {
      const std::vector<double> q = draw_distribution(numbers.size(), options.contrast, rng);
      for (std::size_t i = 0; i < numbers.size(); ++i) grammar.vector(numbers[i])[h] = q[i];
    }
  }
}

std::size_t draw_index(const std::vector<double>& sums, base::Rng& rng) {
  const double x = rng.uniform() * sums.back();
  const auto found = std::upper_bound(sums.begin(), sums.end(), x);
  return std::min(static_cast<std::size_t>(found - sums.begin()), sums.size() - 1);
}

}  // namespace

grammar::LatentGrammar draw_lpcfg(const RandomLpcfgOptions& options, std::uint64_t seed) {
  base::Rng rng(seed);
  grammar::LatentGrammar grammar;
  grammar.states.assign(options.phrases + options.tags, options.states);
  grammar.rules = draw_rules(options, rng);
  for (grammar::TerminalId word = 0; word < options.words; ++word) {
    const grammar::SymbolId own = options.phrases + word % options.tags;
    const grammar::SymbolId next = options.phrases + (word + 1) % options.tags;
    grammar.lexical.push_back({own, word});
    if (word % 5 == 0 && next != own) grammar.lexical.push_back({next, word});
    std::sort(grammar.lexical.end() - (word % 5 == 0 && next != own ? 2 : 1), grammar.lexical.end(),
              [](const grammar::LexicalRule& a, const grammar::LexicalRule& b) { return a.tag < b.tag; });
  }
  grammar.allocate();
  fill_binary(options, rng, grammar);
  fill_lexical(options, rng, grammar);
  const std::vector<double> roots = draw_distribution(options.states, options.contrast, rng);
  std::copy(roots.begin(), roots.end(), grammar.root(0).begin());
  return grammar;
}

TreeSampler::TreeSampler(const grammar::LatentGrammar& grammar)
    : grammar_(grammar), actions_(grammar.roots.size()) {
  const auto add = [](Actions& to, double probability, Choice choice) {
    if (!(probability > 0)) return;
    to.sums.push_back((to.sums.empty() ? 0.0 : to.sums.back()) + probability);
    to.choices.push_back(choice);
  };
  for (std::uint32_t r = 0; r < grammar.rules.size(); ++r) {
    const grammar::BinaryRule& rule = grammar.rules[r];
    std::size_t at = 0;
    for (std::size_t h = 0; h < grammar.states[rule.parent]; ++h)
      for (std::uint32_t g = 0; g < grammar.states[rule.left]; ++g)
        for (std::uint32_t k = 0; k < grammar.states[rule.right]; ++k)
          add(actions_[grammar.root_begin[rule.parent] + h], grammar.tensor(r)[at++], {r, g, k});
  }
  for (std::uint32_t r = 0; r < grammar.lexical.size(); ++r) {
    const grammar::SymbolId tag = grammar.lexical[r].tag;
    for (std::size_t h = 0; h < grammar.states[tag]; ++h) {
      Actions& to = actions_[grammar.root_begin[tag] + h];
      to.lexical = true;
      add(to, grammar.vector(r)[h], {r, 0, 0});
    }
  }
  for (grammar::SymbolId symbol = 0; symbol < grammar.states.size(); ++symbol)
    for (std::uint32_t h = 0; h < grammar.states[symbol]; ++h) {
      const double before = root_sums_.empty() ? 0.0 : root_sums_.back();
      root_sums_.push_back(before + grammar.root(symbol)[h]);
      root_states_.emplace_back(symbol, h);
    }
}

treebank::BinaryTree TreeSampler::draw(base::Rng& rng, std::vector<std::uint32_t>& states) const {
  const auto [symbol, state] = root_states_[draw_index(root_sums_, rng)];
  treebank::BinaryTree tree;
  tree.nodes.push_back({.symbol = symbol});
  states.assign(1, state);
  expand(0, rng, tree, states);
  return tree;
}

void TreeSampler::expand(std::uint32_t node, base::Rng& rng, treebank::BinaryTree& tree,
                         std::vector<std::uint32_t>& states) const {
  const Actions& possible = actions(tree.nodes[node].symbol, states[node]);
  const Choice choice = possible.choices[draw_index(possible.sums, rng)];
  tree.nodes[node].rule = choice.rule;
  tree.nodes[node].end = tree.nodes[node].begin + 1;
  if (possible.lexical) {
    tree.nodes[node].word = grammar_.lexical[choice.rule].terminal;
    return;
  }
  const grammar::BinaryRule& rule = grammar_.rules[choice.rule];
  const auto add_child = [&](grammar::SymbolId symbol, std::uint32_t state, std::uint32_t begin) {
    const auto child = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes.push_back({.symbol = symbol, .parent = node, .begin = begin});
    states.push_back(state);
    expand(child, rng, tree, states);
    return child;
  };
  const std::uint32_t left = add_child(rule.left, choice.left, tree.nodes[node].begin);
  tree.nodes[node].left = left;
  const std::uint32_t right = add_child(rule.right, choice.right, tree.nodes[left].end);
  tree.nodes[node].right = right;
  tree.nodes[node].end = tree.nodes[right].end;
}

}  // namespace firth::sample

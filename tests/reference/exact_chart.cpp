#include "reference/exact_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grammar/tree_probability.hpp"

namespace firth::reference {

using grammar::BinaryRule;
using grammar::LexicalRule;
using grammar::normalize;

namespace {

// 2^exponent, without overflow of the argument.
double power(std::int64_t exponent) {
  constexpr std::int64_t kMax = 2000;
  return std::ldexp(1.0, static_cast<int>(std::clamp(exponent, -kMax, kMax)));
}

}  // namespace

ExactChart::ExactChart(const LatentGrammar& grammar, std::span<const TerminalId> sentence)
    : grammar_(grammar),
      length_(sentence.size()),
      width_(grammar.root_begin.back()),
      cells_((sentence.size() + 1) * (sentence.size() + 1)) {
  add_words(sentence);
  for (std::size_t span = 2; span <= length_; ++span) {
    for (std::size_t begin = 0; begin + span <= length_; ++begin) add_inside(begin, begin + span);
  }
  Cell& top = cell(0, length_);
  top.outside = grammar_.roots;
  top.is_reached = true;
  for (std::size_t span = length_; span >= 2; --span) {
    for (std::size_t begin = 0; begin + span <= length_; ++begin) add_outside(begin, begin + span);
  }
}

void ExactChart::add_words(std::span<const TerminalId> sentence) {
  const auto before = [](const LexicalRule& rule, TerminalId terminal) { return rule.terminal < terminal; };
  for (std::size_t i = 0; i < length_; ++i) {
    Cell& words = cell(i, i + 1);
    words.inside.assign(width_, 0.0);
    const auto& rules = grammar_.lexical;
    auto rule = std::lower_bound(rules.begin(), rules.end(), sentence[i], before);
    for (; rule != rules.end() && rule->terminal == sentence[i]; ++rule) {
      const auto vector = grammar_.vector(static_cast<std::size_t>(rule - rules.begin()));
      std::copy(vector.begin(), vector.end(), words.inside.begin() + offset(rule->tag));
    }
    normalize(words.inside, words.inside_exponent);
  }
}

// Terms of different cuts have different exponents: all are brought to the largest.
void ExactChart::add_inside(std::size_t begin, std::size_t end) {
  Cell& target = cell(begin, end);
  target.inside.assign(width_, 0.0);
  std::int64_t& exponent = target.inside_exponent;
  exponent = std::numeric_limits<std::int64_t>::min();
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    exponent = std::max(exponent, cell(begin, middle).inside_exponent + cell(middle, end).inside_exponent);
  }
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    const Cell& left = cell(begin, middle);
    const Cell& right = cell(middle, end);
    const double scale = power(left.inside_exponent + right.inside_exponent - exponent);
    for (std::size_t r = 0; r < grammar_.rules.size(); ++r) {
      const BinaryRule& rule = grammar_.rules[r];
      const double* l = left.inside.data() + offset(rule.left);
      const double* c = right.inside.data() + offset(rule.right);
      double* a = target.inside.data() + offset(rule.parent);
      const double* t = grammar_.tensor(r).data();
      for (std::uint32_t h = 0; h < grammar_.states[rule.parent]; ++h) {
        for (std::uint32_t g = 0; g < grammar_.states[rule.left]; ++g) {
          for (std::uint32_t k = 0; k < grammar_.states[rule.right]; ++k) a[h] += scale * *t++ * l[g] * c[k];
        }
      }
    }
  }
  normalize(target.inside, exponent);
}

void ExactChart::add_outside(std::size_t begin, std::size_t end) {
  Cell& source = cell(begin, end);
  if (!source.is_reached) source.outside.assign(width_, 0.0);
  normalize(source.outside, source.outside_exponent);
  for (std::size_t middle = begin + 1; middle < end; ++middle) push_outside(begin, middle, end);
}

void ExactChart::push_outside(std::size_t begin, std::size_t middle, std::size_t end) {
  const Cell& source = cell(begin, end);
  Cell& left = cell(begin, middle);
  Cell& right = cell(middle, end);
  const double to_left = reach(left, source.outside_exponent + right.inside_exponent);
  const double to_right = reach(right, source.outside_exponent + left.inside_exponent);
  for (std::size_t r = 0; r < grammar_.rules.size(); ++r) {
    const BinaryRule& rule = grammar_.rules[r];
    const double* a = source.outside.data() + offset(rule.parent);
    const std::ptrdiff_t at_left = offset(rule.left);
    const std::ptrdiff_t at_right = offset(rule.right);
    const double* t = grammar_.tensor(r).data();
    for (std::uint32_t h = 0; h < grammar_.states[rule.parent]; ++h) {
      for (std::uint32_t g = 0; g < grammar_.states[rule.left]; ++g) {
        for (std::uint32_t k = 0; k < grammar_.states[rule.right]; ++k) {
          const double term = a[h] * *t++;
          left.outside[static_cast<std::size_t>(at_left + g)] +=
              to_left * term * right.inside[static_cast<std::size_t>(at_right + k)];
          right.outside[static_cast<std::size_t>(at_right + k)] +=
              to_right * term * left.inside[static_cast<std::size_t>(at_left + g)];
        }
      }
    }
  }
}

// Makes the cell ready for terms with this exponent; returns what to multiply them with.
double ExactChart::reach(Cell& target, std::int64_t exponent) const {
  if (!target.is_reached) {
    target.outside.assign(width_, 0.0);
    target.outside_exponent = exponent;
    target.is_reached = true;
  }
  if (exponent > target.outside_exponent) {
    const double shrink = power(target.outside_exponent - exponent);
    for (double& value : target.outside) value *= shrink;
    target.outside_exponent = exponent;
  }
  return power(exponent - target.outside_exponent);
}

SignedLog ExactChart::sentence_probability() const {
  const Cell& top = cell(0, length_);
  double sum = 0;
  for (std::size_t i = 0; i < width_; ++i) sum += top.inside[i] * grammar_.roots[i];
  return SignedLog::of(sum, top.inside_exponent);
}

double ExactChart::marginal(SymbolId symbol, std::size_t begin, std::size_t end) const {
  const Cell& at = cell(begin, end);
  if (at.outside.empty()) return 0;
  double sum = 0;
  const auto first = static_cast<std::size_t>(offset(symbol));
  for (std::size_t i = first; i < first + grammar_.states[symbol]; ++i) sum += at.inside[i] * at.outside[i];
  const SignedLog part = SignedLog::of(sum, at.inside_exponent + at.outside_exponent);
  const SignedLog whole = sentence_probability();
  if (part.sign == 0 || whole.sign == 0) return 0;
  return part.sign * whole.sign * std::exp(part.log - whole.log);
}

SignedLog tree_probability(const LatentGrammar& grammar, const treebank::BinaryTree& tree) {
  using treebank::BinaryNode;
  return grammar::tree_probability(
      tree, [&](const BinaryNode& node) { return grammar.vector(node.rule); },
      [&](const BinaryNode& node) { return grammar.tensor(node.rule); },
      [&](SymbolId symbol) { return grammar.root(symbol); });
}

}  // namespace firth::reference

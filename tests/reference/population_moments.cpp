#include "reference/population_moments.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "linalg/cross_svd.hpp"

namespace firth::reference {
namespace {

using grammar::LatentGrammar;
using grammar::SymbolId;

/// Expected number of nodes with each state of each symbol in a tree: N = pi + (expected children of N).
std::vector<double> expected_nodes(const LatentGrammar& grammar) {
  std::vector<double> counts(grammar.roots.size(), 0.0);
  for (int round = 0; round < 5000; ++round) {
    std::vector<double> next = grammar.roots;
    for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
      const auto& rule = grammar.rules[r];
      const auto tensor = grammar.tensor(r);
      std::size_t at = 0;
      for (std::size_t h = 0; h < grammar.states[rule.parent]; ++h)
        for (std::size_t g = 0; g < grammar.states[rule.left]; ++g)
          for (std::size_t k = 0; k < grammar.states[rule.right]; ++k, ++at) {
            const double mass = counts[grammar.root_begin[rule.parent] + h] * tensor[at];
            next[grammar.root_begin[rule.left] + g] += mass;
            next[grammar.root_begin[rule.right] + k] += mass;
          }
    }
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i) change = std::max(change, std::abs(next[i] - counts[i]));
    counts = std::move(next);
    if (change < 1e-17) break;
  }
  return counts;
}

/// P(rule | state) for every rule that a symbol can have at its node, binary and lexical.
Dense rule_choices(const LatentGrammar& grammar, SymbolId symbol) {
  Dense rows;
  for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
    if (grammar.rules[r].parent != symbol) continue;
    const auto tensor = grammar.tensor(r);
    const std::size_t width = tensor.size() / grammar.states[symbol];
    std::vector<double> row(grammar.states[symbol], 0.0);
    for (std::size_t i = 0; i < tensor.size(); ++i) row[i / width] += tensor[i];
    rows.push_back(row);
  }
  for (std::size_t r = 0; r < grammar.lexical.size(); ++r) {
    if (grammar.lexical[r].tag != symbol) continue;
    const auto vector = grammar.vector(r);
    rows.emplace_back(vector.begin(), vector.end());
  }
  return rows;
}

/// Adds P(above, state) times the number of nodes for every way in which `symbol` stands below a rule.
void add_above(const LatentGrammar& grammar, const std::vector<double>& nodes, std::size_t r, bool foot_right,
               Dense& rows) {
  const auto& rule = grammar.rules[r];
  const SymbolId foot = foot_right ? rule.right : rule.left;
  const SymbolId sister = foot_right ? rule.left : rule.right;
  const auto tensor = grammar.tensor(r);
  for (const std::vector<double>& sister_rule : rule_choices(grammar, sister)) {
    std::vector<double> row(grammar.states[foot], 0.0);
    std::size_t at = 0;
    for (std::size_t h = 0; h < grammar.states[rule.parent]; ++h)
      for (std::size_t g = 0; g < grammar.states[rule.left]; ++g)
        for (std::size_t k = 0; k < grammar.states[rule.right]; ++k, ++at)
          row[foot_right ? k : g] +=
              nodes[grammar.root_begin[rule.parent] + h] * tensor[at] * sister_rule[foot_right ? g : k];
    rows.push_back(row);
  }
}

linalg::SparseRows<double> weighted_rows(const Dense& features, const std::vector<double>& gamma) {
  linalg::SparseRows<double> rows;
  rows.columns = features.size();
  for (std::size_t h = 0; h < gamma.size(); ++h) {
    for (std::uint32_t i = 0; i < features.size(); ++i) {
      rows.indices.push_back(i);
      rows.values.push_back(features[i][h] * std::sqrt(gamma[h] * static_cast<double>(gamma.size())));
    }
    rows.offsets.push_back(rows.indices.size());
  }
  return rows;
}

/// basis^T features.
Dense project(const linalg::Matrix<double>& basis, const Dense& features, std::size_t states) {
  Dense result(basis.columns(), std::vector<double>(states, 0.0));
  for (std::size_t j = 0; j < basis.columns(); ++j)
    for (std::size_t i = 0; i < features.size(); ++i)
      for (std::size_t h = 0; h < states; ++h) result[j][h] += basis(i, j) * features[i][h];
  return result;
}

/// Gauss-Jordan with pivots.
Dense inverse(Dense matrix) {
  const std::size_t n = matrix.size();
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i].resize(2 * n, 0.0);
    matrix[i][n + i] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i; k < n; ++k)
      if (std::abs(matrix[k][i]) > std::abs(matrix[pivot][i])) pivot = k;
    std::swap(matrix[i], matrix[pivot]);
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = matrix[k][i] / matrix[i][i];
      for (std::size_t j = 0; j < 2 * n; ++j) matrix[k][j] -= factor * matrix[i][j];
    }
  }
  Dense result(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) result[i][j] = matrix[i][n + j] / matrix[i][i];
  return result;
}

/// What equations 2 to 4 need of one symbol.
struct Representation {
  Dense g;          ///< G^a = U^T I
  Dense k_inverse;  ///< diag(gamma) K^T Sigma^-1: what follows every sum over h_1
};

Representation represent(const SymbolMoments& moments, double& smallest) {
  const std::size_t states = moments.gamma.size();
  if (!(moments.expected > 1e-9)) {  // the root cannot reach the symbol
    smallest = 0;
    return {};
  }
  const auto inside = weighted_rows(moments.inside, moments.gamma);
  const auto outside = weighted_rows(moments.outside, moments.gamma);
  const auto svd = linalg::cross_svd(inside, outside, {.rank = states}, {.threads = 1});
  const std::vector<double>& sigma = svd.singular_values;
  smallest = std::min(smallest, sigma.size() < states ? 0.0 : sigma.back() / sigma.front());
  if (sigma.size() < states) return {};
  Representation result;
  result.g = project(svd.left, moments.inside, states);
  const Dense k = project(svd.right, moments.outside, states);
  Dense sigma_matrix(states, std::vector<double>(states, 0.0));
  for (std::size_t i = 0; i < result.g.size(); ++i)
    for (std::size_t j = 0; j < k.size(); ++j)
      for (std::size_t h = 0; h < states; ++h)
        sigma_matrix[i][j] += result.g[i][h] * moments.gamma[h] * k[j][h];
  const Dense inverted = inverse(sigma_matrix);
  result.k_inverse.assign(states, std::vector<double>(states, 0.0));
  for (std::size_t h = 0; h < states; ++h)
    for (std::size_t i = 0; i < states; ++i)
      for (std::size_t j = 0; j < k.size(); ++j)
        result.k_inverse[h][i] += moments.gamma[h] * k[j][h] * inverted[j][i];
  return result;
}

}  // namespace

std::vector<SymbolMoments> population_moments(const LatentGrammar& grammar) {
  const std::vector<double> nodes = expected_nodes(grammar);
  std::vector<SymbolMoments> result(grammar.states.size());
  for (SymbolId symbol = 0; symbol < result.size(); ++symbol) {
    SymbolMoments& moments = result[symbol];
    moments.inside = rule_choices(grammar, symbol);
    for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
      if (grammar.rules[r].left == symbol) add_above(grammar, nodes, r, false, moments.outside);
      if (grammar.rules[r].right == symbol) add_above(grammar, nodes, r, true, moments.outside);
    }
    const auto root = grammar.root(symbol);
    moments.outside.emplace_back(root.begin(), root.end());
    for (std::size_t h = 0; h < grammar.states[symbol]; ++h)
      moments.expected += nodes[grammar.root_begin[symbol] + h];
    for (std::size_t h = 0; h < grammar.states[symbol]; ++h) {
      const double count = nodes[grammar.root_begin[symbol] + h];
      moments.gamma.push_back(count / moments.expected);
      for (auto& row : moments.outside) row[h] /= count;
    }
  }
  return result;
}

LatentGrammar observable_representation(const LatentGrammar& grammar, double& smallest) {
  smallest = 1;
  std::vector<Representation> parts;
  for (const SymbolMoments& moments : population_moments(grammar))
    parts.push_back(represent(moments, smallest));
  LatentGrammar result = grammar;
  if (smallest == 0) return result;
  for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
    const auto& rule = grammar.rules[r];
    const auto& a = parts[rule.parent].k_inverse;
    const auto& b = parts[rule.left].g;
    const auto& c = parts[rule.right].g;
    const auto from = grammar.tensor(r);
    const auto to = result.tensor(r);
    std::fill(to.begin(), to.end(), 0.0);
    for (std::size_t at = 0; at < from.size(); ++at) {
      const std::size_t k = at % c.size();
      const std::size_t g = at / c.size() % b.size();
      const std::size_t h = at / (c.size() * b.size());
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i] +=
            a[h][i / (c.size() * b.size())] * from[at] * b[i / c.size() % b.size()][g] * c[i % c.size()][k];
    }
  }
  for (std::size_t r = 0; r < grammar.lexical.size(); ++r) {
    const auto& a = parts[grammar.lexical[r].tag].k_inverse;
    for (std::size_t i = 0; i < a.size(); ++i) {
      double sum = 0;
      for (std::size_t h = 0; h < a.size(); ++h) sum += a[h][i] * grammar.vector(r)[h];
      result.vector(r)[i] = sum;
    }
  }
  for (SymbolId symbol = 0; symbol < grammar.states.size(); ++symbol) {
    const auto& g = parts[symbol].g;
    for (std::size_t i = 0; i < g.size(); ++i) {
      double sum = 0;
      for (std::size_t h = 0; h < g.size(); ++h) sum += g[i][h] * grammar.root(symbol)[h];
      result.root(symbol)[i] = sum;
    }
  }
  return result;
}

}  // namespace firth::reference

#include "grammar/cluster_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "linalg/kmeans.hpp"

namespace firth::grammar {
namespace {

/// Copies values times scale, and makes the copy of length 1.
void copy_unit(const float* from, const std::vector<float>& scale, float* to) {
  float norm = 0;
  for (std::size_t j = 0; j < scale.size(); ++j) {
    to[j] = from[j] * scale[j];
    norm += to[j] * to[j];
  }
  if (!(norm > 0)) return;
  norm = 1 / std::sqrt(norm);
  for (std::size_t j = 0; j < scale.size(); ++j) to[j] *= norm;
}

/// y / sqrt(sigma) beside z sqrt(sigma), so that both views weigh the same, each of length 1.
std::vector<float> balanced_rows(const Projection& projection, std::size_t symbol,
                                 std::span<const std::uint32_t> nodes) {
  const std::vector<double>& sigma = projection.singular[symbol];
  const std::size_t width = sigma.size();
  std::vector<float> down(width);
  std::vector<float> up(width);
  for (std::size_t j = 0; j < width; ++j) {
    up[j] = static_cast<float>(std::sqrt(sigma[j]));
    down[j] = 1 / up[j];
  }
  std::vector<float> rows(nodes.size() * 2 * width);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    float* to = rows.data() + i * 2 * width;
    copy_unit(projection.y(nodes[i]), down, to);
    copy_unit(projection.z(nodes[i]), up, to + width);
  }
  return rows;
}

}  // namespace

StateAssignment cluster_nodes(const TrainingNodes& trees, const Projection& projection,
                              const ClusterOptions& options, const RunOptions& run) {
  const NodesBySymbol by_symbol = nodes_by_symbol(trees);
  StateAssignment result;
  result.states.assign(trees.symbols, 1);
  result.of_node.assign(trees.nodes.size(), 0);
  RunOptions inner = run;
  inner.threads = 1;
  base::parallel_for(trees.symbols, 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t symbol = begin; symbol < end; ++symbol) {
      const auto nodes = by_symbol.of(symbol);
      const auto limit =
          static_cast<std::size_t>(static_cast<double>(nodes.size()) / options.nodes_per_state);
      const std::size_t wanted = std::min<std::size_t>(options.states, limit);
      const std::size_t width = 2 * projection.singular[symbol].size();
      if (wanted < 2 || width == 0) continue;
      const std::vector<float> rows = balanced_rows(projection, symbol, nodes);
      const linalg::Kmeans clusters =
          linalg::kmeans({rows.data(), nodes.size(), width, width}, {wanted, options.iterations}, inner);
      result.states[symbol] = static_cast<std::uint32_t>(clusters.clusters);
      for (std::size_t i = 0; i < nodes.size(); ++i) result.of_node[nodes[i]] = clusters.assignment[i];
    }
  });
  return result;
}

LatentParameters count_states(const TrainingNodes& trees, const StateAssignment& assignment) {
  LatentParameters counts = make_parameters(trees, assignment.states);
  for (std::uint32_t id = 0; id < trees.nodes.size(); ++id) {
    const TrainingNode& node = trees.nodes[id];
    const std::uint32_t state = assignment.of_node[id];
    if (node.parent == kNoNode) counts.start(node.symbol)[state] += 1;
    if (node.leaf()) {
      counts.word(node.rule)[state] += 1;
      continue;
    }
    const BinaryRule& rule = trees.rules[node.rule];
    const std::size_t left = assignment.of_node[node.left];
    const std::size_t right = assignment.of_node[node.right];
    counts.tensor(
        node.rule)[(state * std::size_t{counts.states[rule.left]} + left) * counts.states[rule.right] +
                   right] += 1;
  }
  return counts;
}

}  // namespace firth::grammar

#include "grammar/projection.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "linalg/cross_svd.hpp"

namespace firth::grammar {
namespace {

/// What one symbol's decomposition yields: a row for each of its nodes.
struct SymbolProjection {
  std::vector<double> singular;
  std::vector<float> inside;
  std::vector<float> outside;
};

/// rows * matrix, each column j times scale[j].
void project_rows(const linalg::SparseRows<float>& rows, const linalg::Matrix<float>& matrix,
                  const std::vector<double>& scale, std::vector<float>& out) {
  const std::size_t width = scale.size();
  out.assign(rows.rows() * width, 0.0F);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    float* to = out.data() + i * width;
    for (std::uint64_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      const float* from = matrix.row(rows.indices[k]);
      for (std::size_t j = 0; j < width; ++j) to[j] += rows.values[k] * from[j];
    }
    for (std::size_t j = 0; j < width; ++j) to[j] *= static_cast<float>(scale[j]);
  }
}

/// The rows of sampled nodes.
linalg::SparseRows<float> sampled_rows(const linalg::SparseRows<float>& rows, const TrainingNodes& trees,
                                       std::span<const std::uint32_t> nodes) {
  linalg::SparseRows<float> result;
  result.columns = rows.columns;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!trees.is_sampled(nodes[i])) continue;
    for (std::uint64_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      result.indices.push_back(rows.indices[k]);
      result.values.push_back(rows.values[k]);
    }
    result.offsets.push_back(result.indices.size());
  }
  return result;
}

linalg::CrossSvd<float> decompose(const SymbolFeatures& features, std::size_t rank,
                                  const TrainingNodes& trees, std::span<const std::uint32_t> nodes,
                                  const RunOptions& run) {
  const linalg::CrossSvdOptions options{.rank = rank};
  if (trees.sampled.empty()) return cross_svd(features.inside, features.outside, options, run);
  return cross_svd(sampled_rows(features.inside, trees, nodes), sampled_rows(features.outside, trees, nodes),
                   options, run);
}

std::size_t states_wanted(std::size_t nodes, const ProjectionOptions& options) {
  if (options.nodes_per_state <= 0) return options.states;
  const double limit = static_cast<double>(nodes) / options.nodes_per_state;
  return std::max<std::size_t>(1, std::min<std::size_t>(options.states, static_cast<std::size_t>(limit)));
}

SymbolProjection project_symbol(const TrainingNodes& trees, std::span<const std::uint32_t> nodes,
                                const ProjectionOptions& options, const RunOptions& run) {
  const SymbolFeatures features = extract_features(trees, nodes, options.features);
  const auto sampled =
      std::count_if(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return trees.is_sampled(node); });
  const std::size_t rank = states_wanted(static_cast<std::size_t>(sampled), options);
  linalg::CrossSvd<float> svd = decompose(features, rank, trees, nodes, run);
  std::size_t kept = 0;
  while (kept < svd.singular_values.size() &&
         svd.singular_values[kept] >= options.relative_cut * svd.singular_values[0])
    ++kept;
  // Without features there is one state, and the moments become relative frequencies.
  if (kept == 0)
    return {{1.0}, std::vector<float>(nodes.size(), 1.0F), std::vector<float>(nodes.size(), 1.0F)};
  svd.singular_values.resize(kept);
  SymbolProjection result;
  result.singular = svd.singular_values;
  std::vector<double> ones(kept, 1.0);
  std::vector<double> inverse(kept);
  for (std::size_t j = 0; j < kept; ++j) inverse[j] = 1 / svd.singular_values[j];
  project_rows(features.inside, svd.left, ones, result.inside);
  project_rows(features.outside, svd.right, inverse, result.outside);
  return result;
}

}  // namespace

Projection project_nodes(const TrainingNodes& trees, const ProjectionOptions& options,
                         const RunOptions& run) {
  const NodesBySymbol by_symbol = nodes_by_symbol(trees);
  std::vector<SymbolProjection> parts(trees.symbols);
  RunOptions inner = run;
  inner.threads = 1;
  inner.progress = nullptr;
  base::parallel_for(trees.symbols, 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t symbol = begin; symbol < end; ++symbol) {
      run.check_stop();
      if (!by_symbol.of(symbol).empty())
        parts[symbol] = project_symbol(trees, by_symbol.of(symbol), options, inner);
    }
  });
  Projection result;
  result.offsets.resize(trees.nodes.size());
  std::uint64_t total = 0;
  for (std::size_t symbol = 0; symbol < trees.symbols; ++symbol) {
    const std::size_t width = parts[symbol].singular.size();
    result.states.push_back(static_cast<std::uint32_t>(std::max<std::size_t>(1, width)));
    result.singular.push_back(parts[symbol].singular);
    for (const std::uint32_t node : by_symbol.of(symbol)) {
      result.offsets[node] = total;
      total += width;
    }
    result.inside.insert(result.inside.end(), parts[symbol].inside.begin(), parts[symbol].inside.end());
    result.outside.insert(result.outside.end(), parts[symbol].outside.begin(), parts[symbol].outside.end());
    parts[symbol] = {};
  }
  return result;
}

}  // namespace firth::grammar

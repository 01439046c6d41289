#include "grammar/spectral_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "linalg/blas.hpp"

namespace firth::grammar {
namespace {

using linalg::View;

constexpr std::size_t kNodesPerProduct = 256;

/// Means of y and z over all sampled nodes of each symbol: F and H of the last back-off.
struct SymbolMeans {
  std::vector<std::vector<double>> inside;
  std::vector<std::vector<double>> outside;
  std::vector<double> counts;
};

SymbolMeans symbol_means(const TrainingNodes& trees, const Projection& projection) {
  SymbolMeans means;
  means.counts.assign(trees.symbols, 0.0);
  for (const std::uint32_t width : projection.states) {
    means.inside.emplace_back(width, 0.0);
    means.outside.emplace_back(width, 0.0);
  }
  for (std::uint32_t id = 0; id < trees.nodes.size(); ++id) {
    if (!trees.is_sampled(id)) continue;
    const std::uint32_t symbol = trees.nodes[id].symbol;
    means.counts[symbol] += 1;
    for (std::size_t h = 0; h < projection.states[symbol]; ++h) {
      means.inside[symbol][h] += static_cast<double>(projection.y(id)[h]);
      means.outside[symbol][h] += static_cast<double>(projection.z(id)[h]);
    }
  }
  for (std::size_t symbol = 0; symbol < trees.symbols; ++symbol) {
    const double scale = means.counts[symbol] > 0 ? 1 / means.counts[symbol] : 0;
    for (double& value : means.inside[symbol]) value *= scale;
    for (double& value : means.outside[symbol]) value *= scale;
  }
  return means;
}

/// Sampled nodes of each rule, binary and lexical, in order.
std::vector<std::vector<std::uint32_t>> nodes_by_rule(const TrainingNodes& trees, bool leaves) {
  std::vector<std::vector<std::uint32_t>> result(leaves ? trees.lexical_rules.size() : trees.rules.size());
  for (std::uint32_t id = 0; id < trees.nodes.size(); ++id)
    if (trees.nodes[id].leaf() == leaves && trees.is_sampled(id)) result[trees.nodes[id].rule].push_back(id);
  return result;
}

/// Moments of (z, y2, y3) over the nodes of one binary rule.
struct RuleMoments {
  std::size_t a = 0, b = 0, c = 0;
  std::vector<double> z, y2, y3;       ///< means
  std::vector<double> zy2, zy3, y2y3;  ///< second moments
  std::vector<float> third;            ///< z y2 y3, summed and then scaled
};

class BinaryEstimator {
 public:
  BinaryEstimator(const TrainingNodes& trees, const Projection& projection, const SymbolMeans& means)
      : trees_(trees), projection_(projection), means_(means) {}

  /// The smoothed tensor of a rule, without the share n_r / n_a.
  std::vector<float> tensor(const BinaryRule& rule, const std::vector<std::uint32_t>& nodes,
                            double strength) {
    const RuleMoments m = moments(rule, nodes);
    std::vector<float> result = m.third;
    if (strength <= 0) return result;
    const double root = std::sqrt(static_cast<double>(nodes.size()));
    const double lambda = root / (strength + root);
    const auto& h = means_.outside[rule.parent];
    const auto& f2 = means_.inside[rule.left];
    const auto& f3 = means_.inside[rule.right];
    std::size_t at = 0;
    for (std::size_t i = 0; i < m.a; ++i)
      for (std::size_t j = 0; j < m.b; ++j)
        for (std::size_t k = 0; k < m.c; ++k, ++at) {
          const double pairs =
              (m.zy2[i * m.b + j] * m.y3[k] + m.zy3[i * m.c + k] * m.y2[j] + m.y2y3[j * m.c + k] * m.z[i]) /
              3;
          const double singles = m.z[i] * m.y2[j] * m.y3[k];
          const double back = h[i] * f2[j] * f3[k];
          const double low = lambda * singles + (1 - lambda) * back;
          const double mid = lambda * pairs + (1 - lambda) * low;
          result[at] = static_cast<float>(lambda * static_cast<double>(result[at]) + (1 - lambda) * mid);
        }
    return result;
  }

 private:
  RuleMoments moments(const BinaryRule& rule, const std::vector<std::uint32_t>& nodes) {
    RuleMoments m;
    m.a = projection_.states[rule.parent];
    m.b = projection_.states[rule.left];
    m.c = projection_.states[rule.right];
    m.z.assign(m.a, 0.0);
    m.y2.assign(m.b, 0.0);
    m.y3.assign(m.c, 0.0);
    m.zy2.assign(m.a * m.b, 0.0);
    m.zy3.assign(m.a * m.c, 0.0);
    m.y2y3.assign(m.b * m.c, 0.0);
    m.third.assign(m.a * m.b * m.c, 0.0F);
    for (std::size_t first = 0; first < nodes.size(); first += kNodesPerProduct)
      add_batch(std::span(nodes).subspan(first, std::min(kNodesPerProduct, nodes.size() - first)), m);
    const double scale = 1 / static_cast<double>(nodes.size());
    for (auto* values : {&m.z, &m.y2, &m.y3, &m.zy2, &m.zy3, &m.y2y3})
      for (double& value : *values) value *= scale;
    for (float& value : m.third) value *= static_cast<float>(scale);
    return m;
  }

  void add_batch(std::span<const std::uint32_t> nodes, RuleMoments& m) {
    zs_.resize(kNodesPerProduct * m.a);
    pairs_.resize(kNodesPerProduct * m.b * m.c);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const TrainingNode& node = trees_.nodes[nodes[n]];
      const float* z = projection_.z(nodes[n]);
      const float* y2 = projection_.y(node.left);
      const float* y3 = projection_.y(node.right);
      std::copy_n(z, m.a, zs_.data() + n * m.a);
      float* pair = pairs_.data() + n * m.b * m.c;
      for (std::size_t j = 0; j < m.b; ++j)
        for (std::size_t k = 0; k < m.c; ++k) pair[j * m.c + k] = y2[j] * y3[k];
      add_outer(z, m.a, y2, m.b, m.zy2);
      add_outer(z, m.a, y3, m.c, m.zy3);
      for (std::size_t i = 0; i < m.b * m.c; ++i) m.y2y3[i] += static_cast<double>(pair[i]);
      for (std::size_t i = 0; i < m.a; ++i) m.z[i] += static_cast<double>(z[i]);
      for (std::size_t i = 0; i < m.b; ++i) m.y2[i] += static_cast<double>(y2[i]);
      for (std::size_t i = 0; i < m.c; ++i) m.y3[i] += static_cast<double>(y3[i]);
    }
    const View<const float> z{zs_.data(), nodes.size(), m.a, m.a};
    const View<const float> pair{pairs_.data(), nodes.size(), m.b * m.c, m.b * m.c};
    linalg::multiply_transposed<float>(1.0F, z, pair, 1.0F, {m.third.data(), m.a, m.b * m.c, m.b * m.c});
  }

  static void add_outer(const float* u, std::size_t rows, const float* v, std::size_t columns,
                        std::vector<double>& to) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) to[i * columns + j] += static_cast<double>(u[i] * v[j]);
  }

  const TrainingNodes& trees_;
  const Projection& projection_;
  const SymbolMeans& means_;
  std::vector<float> zs_;
  std::vector<float> pairs_;
};

/// What the parameters are estimated from.
struct EstimateInput {
  const TrainingNodes& trees;
  const Projection& projection;
  const SymbolMeans& means;
};

void estimate_binary(const EstimateInput& from, double strength, LatentParameters& result,
                     const RunOptions& run) {
  const TrainingNodes& trees = from.trees;
  const auto nodes = nodes_by_rule(trees, false);
  base::parallel_for(trees.rules.size(), 16, run.threads, [&](std::size_t begin, std::size_t end) {
    BinaryEstimator estimator(trees, from.projection, from.means);
    for (std::size_t r = begin; r < end; ++r) {
      run.check_stop();
      if (nodes[r].empty()) continue;
      const BinaryRule& rule = trees.rules[r];
      const std::vector<float> tensor = estimator.tensor(rule, nodes[r], strength);
      const auto share =
          static_cast<float>(static_cast<double>(nodes[r].size()) / from.means.counts[rule.parent]);
      float* to = result.tensor(r);
      for (std::size_t i = 0; i < tensor.size(); ++i) to[i] = share * tensor[i];
    }
  });
}

void estimate_lexical(const EstimateInput& from, double strength, LatentParameters& result) {
  const auto& [trees, projection, means] = from;
  const auto nodes = nodes_by_rule(trees, true);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    if (nodes[r].empty()) continue;
    const std::uint32_t symbol = trees.lexical_rules[r].tag;
    const double root = std::sqrt(static_cast<double>(nodes[r].size()));
    const double lambda = root / (std::max(0.0, strength) + root);
    for (std::size_t h = 0; h < projection.states[symbol]; ++h) {
      double sum = 0;
      for (const std::uint32_t id : nodes[r]) sum += static_cast<double>(projection.z(id)[h]);
      const auto count = static_cast<double>(nodes[r].size());
      const double mean = lambda * sum / count + (1 - lambda) * means.outside[symbol][h];
      result.word(r)[h] = static_cast<float>(mean * count / means.counts[symbol]);
    }
  }
}

void estimate_roots(const TrainingNodes& trees, const Projection& projection, LatentParameters& result) {
  std::vector<std::uint32_t> roots;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree)
    if (trees.is_sampled(trees.root(tree))) roots.push_back(trees.root(tree));
  const auto share = 1 / static_cast<float>(roots.size());
  for (const std::uint32_t id : roots) {
    const std::uint32_t symbol = trees.nodes[id].symbol;
    for (std::size_t h = 0; h < projection.states[symbol]; ++h)
      result.start(symbol)[h] += share * projection.y(id)[h];
  }
}

}  // namespace

LatentParameters estimate_spectral(const TrainingNodes& trees, const Projection& projection,
                                   const SpectralSmoothing& smoothing, const RunOptions& run) {
  const linalg::SingleThreadedBlas guard;
  const SymbolMeans means = symbol_means(trees, projection);
  LatentParameters result = make_parameters(trees, projection.states);
  const EstimateInput from{trees, projection, means};
  estimate_binary(from, smoothing.binary, result, run);
  estimate_lexical(from, smoothing.lexical, result);
  estimate_roots(trees, projection, result);
  return result;
}

}  // namespace firth::grammar

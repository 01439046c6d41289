#include "grammar/em.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/simd.hpp"
#include "linalg/blas.hpp"

namespace firth::grammar {
namespace {

constexpr std::size_t kTreesPerPiece = 128;
constexpr std::size_t kBatch = 256;

// parser/kernels.hpp has these products, too, for longer rows: other vectors and another order of the sums. With one
// order for both, either the trained grammars or the parses would have other last bits.

/// out[h] = sum over i of tensor[h][i] pair[i].
FIRTH_CLONES_SHORT void contract_children(const float* tensor, const float* pair, std::size_t states,
                                          std::size_t width, float* out) {
  for (std::size_t h = 0; h < states; ++h, tensor += width) {
    float lanes[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= width; i += 8)
      for (std::size_t k = 0; k < 8; ++k) lanes[k] += tensor[i + k] * pair[i + k];
    float sum = 0;
    for (const float lane : lanes) sum += lane;
    for (; i < width; ++i) sum += tensor[i] * pair[i];
    out[h] = sum;
  }
}

/// out[i] = sum over h of tensor[h][i] weight[h].
FIRTH_CLONES_SHORT void contract_parent(const float* tensor, const float* weight, std::size_t states,
                                        std::size_t width, float* out) {
  std::fill(out, out + width, 0.0F);
  for (std::size_t h = 0; h < states; ++h, tensor += width) {
    const float scale = weight[h];
    for (std::size_t i = 0; i < width; ++i) out[i] += scale * tensor[i];
  }
}

/// Inside and outside terms of all nodes. Inside terms are scaled to sum to 1, outside terms so that
/// inside[h] outside[h] is the posterior of a state. As inside[h_a] is the sum of T[h_a][h_b][h_c]
/// inside[h_b] inside[h_c] over the node's scale, outside[h_a] T[h_a][h_b][h_c] inside[h_b] inside[h_c] /
/// scale is the posterior of a rule with its states.
struct NodeTerms {
  std::vector<std::uint64_t> offsets;
  std::vector<float> inside;
  std::vector<float> outside;
  std::vector<float> scales;
};

class TreePass {
 public:
  TreePass(const TrainingNodes& trees, const LatentParameters& grammar, NodeTerms& terms)
      : trees_(trees), grammar_(grammar), terms_(terms) {
    const std::uint32_t most = *std::max_element(grammar.states.begin(), grammar.states.end());
    pair_.resize(std::size_t{most} * most);
  }

  /// ln p(tree); fills the inside terms.
  double inside(std::uint32_t first, std::uint32_t end) {
    double log_p = 0;
    for (std::uint32_t id = first; id < end; ++id) {
      const TrainingNode& node = trees_.nodes[id];
      float* to = terms_.inside.data() + terms_.offsets[id];
      const std::size_t states = grammar_.states[node.symbol];
      unscaled_inside(node, to);
      double sum = 0;
      for (std::size_t h = 0; h < states; ++h) sum += static_cast<double>(to[h]);
      log_p += std::log(sum);
      terms_.scales[id] = static_cast<float>(sum);
      const auto scale = static_cast<float>(1 / sum);
      for (std::size_t h = 0; h < states; ++h) to[h] *= scale;
    }
    const TrainingNode& root = trees_.nodes[end - 1];
    const float* at = terms_.inside.data() + terms_.offsets[end - 1];
    double total = 0;
    for (std::size_t h = 0; h < grammar_.states[root.symbol]; ++h)
      total += static_cast<double>(grammar_.start(root.symbol)[h] * at[h]);
    return log_p + std::log(total);
  }

  void outside(std::uint32_t first, std::uint32_t end) {
    const TrainingNode& root = trees_.nodes[end - 1];
    std::copy_n(grammar_.start(root.symbol), grammar_.states[root.symbol],
                terms_.outside.data() + terms_.offsets[end - 1]);
    for (std::uint32_t id = end; id-- > first;) {
      const TrainingNode& node = trees_.nodes[id];
      scale_outside(id);
      if (!node.leaf()) pass_down(id);
    }
  }

 private:
  void unscaled_inside(const TrainingNode& node, float* to) {
    if (node.leaf()) {
      std::copy_n(grammar_.word(node.rule), grammar_.states[node.symbol], to);
      return;
    }
    const std::size_t left = grammar_.states[trees_.nodes[node.left].symbol];
    const std::size_t right = grammar_.states[trees_.nodes[node.right].symbol];
    const float* l = terms_.inside.data() + terms_.offsets[node.left];
    const float* r = terms_.inside.data() + terms_.offsets[node.right];
    for (std::size_t i = 0; i < left; ++i)
      for (std::size_t j = 0; j < right; ++j) pair_[i * right + j] = l[i] * r[j];
    contract_children(grammar_.tensor(node.rule), pair_.data(), grammar_.states[node.symbol], left * right,
                      to);
  }

  void scale_outside(std::uint32_t id) {
    const TrainingNode& node = trees_.nodes[id];
    const std::size_t states = grammar_.states[node.symbol];
    float* out = terms_.outside.data() + terms_.offsets[id];
    const float* in = terms_.inside.data() + terms_.offsets[id];
    float total = 0;
    for (std::size_t h = 0; h < states; ++h) total += out[h] * in[h];
    const float scale = total > 0 ? 1 / total : 0;
    for (std::size_t h = 0; h < states; ++h) out[h] *= scale;
  }

  void pass_down(std::uint32_t id) {
    const TrainingNode& node = trees_.nodes[id];
    const std::size_t left = grammar_.states[trees_.nodes[node.left].symbol];
    const std::size_t right = grammar_.states[trees_.nodes[node.right].symbol];
    const float* l = terms_.inside.data() + terms_.offsets[node.left];
    const float* r = terms_.inside.data() + terms_.offsets[node.right];
    float* to_left = terms_.outside.data() + terms_.offsets[node.left];
    float* to_right = terms_.outside.data() + terms_.offsets[node.right];
    contract_parent(grammar_.tensor(node.rule), terms_.outside.data() + terms_.offsets[id],
                    grammar_.states[node.symbol], left * right, pair_.data());
    std::fill_n(to_right, right, 0.0F);
    for (std::size_t i = 0; i < left; ++i) {
      const float* at = pair_.data() + i * right;
      float sum = 0;
      for (std::size_t j = 0; j < right; ++j) {
        sum += at[j] * r[j];
        to_right[j] += at[j] * l[i];
      }
      to_left[i] = sum;
    }
  }

  const TrainingNodes& trees_;
  const LatentParameters& grammar_;
  NodeTerms& terms_;
  std::vector<float> pair_;
};

NodeTerms make_terms(const TrainingNodes& trees, const LatentParameters& grammar) {
  NodeTerms terms;
  std::uint64_t total = 0;
  for (const TrainingNode& node : trees.nodes) {
    terms.offsets.push_back(total);
    total += grammar.states[node.symbol];
  }
  terms.inside.resize(total);
  terms.scales.resize(trees.nodes.size());
  terms.outside.resize(total);
  return terms;
}

double fill_terms(const TrainingNodes& trees, const LatentParameters& grammar, NodeTerms& terms,
                  const RunOptions& run) {
  const std::size_t pieces = (trees.trees() + kTreesPerPiece - 1) / kTreesPerPiece;
  std::vector<double> sums(pieces, 0.0);
  base::parallel_for(pieces, 1, run.threads, [&](std::size_t begin, std::size_t end) {
    TreePass pass(trees, grammar, terms);
    for (std::size_t piece = begin; piece < end; ++piece) {
      run.check_stop();
      const std::size_t last = std::min(trees.trees(), (piece + 1) * kTreesPerPiece);
      for (std::size_t tree = piece * kTreesPerPiece; tree < last; ++tree) {
        const std::uint32_t first = tree == 0 ? 0 : trees.tree_ends[tree - 1];
        sums[piece] += pass.inside(first, trees.tree_ends[tree]);
        pass.outside(first, trees.tree_ends[tree]);
      }
    }
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

/// Expected counts of one rule at a time, so that they do not depend on the number of threads: the sum over
/// nodes of outside x (left x right) is a product of matrices.
class RuleCounter {
 public:
  RuleCounter(const TrainingNodes& trees, const LatentParameters& grammar, const NodeTerms& terms)
      : trees_(trees), grammar_(grammar), terms_(terms) {}

  void count(std::size_t r, std::span<const std::uint32_t> nodes, float* to) {
    const BinaryRule& rule = trees_.rules[r];
    const std::size_t a = grammar_.states[rule.parent];
    const std::size_t b = grammar_.states[rule.left];
    const std::size_t c = grammar_.states[rule.right];
    const std::size_t width = b * c;
    outs_.resize(kBatch * a);
    pairs_.resize(kBatch * width);
    const float* tensor = grammar_.tensor(r);
    for (std::size_t first = 0; first < nodes.size(); first += kBatch) {
      const std::size_t size = std::min(kBatch, nodes.size() - first);
      for (std::size_t n = 0; n < size; ++n) load_pair(nodes[first + n], b, c, pairs_.data() + n * width);
      for (std::size_t n = 0; n < size; ++n) load_outside(nodes[first + n], a, outs_.data() + n * a);
      linalg::multiply_transposed<float>(1.0F, {outs_.data(), size, a, a},
                                         {pairs_.data(), size, width, width}, 1.0F, {to, a, width, width});
    }
    for (std::size_t i = 0; i < a * width; ++i) to[i] *= tensor[i];
  }

 private:
  /// The inside terms of both children, multiplied.
  void load_pair(std::uint32_t id, std::size_t b, std::size_t c, float* pair) const {
    const TrainingNode& node = trees_.nodes[id];
    const float* l = terms_.inside.data() + terms_.offsets[node.left];
    const float* r = terms_.inside.data() + terms_.offsets[node.right];
    for (std::size_t i = 0; i < b; ++i)
      for (std::size_t j = 0; j < c; ++j) pair[i * c + j] = l[i] * r[j];
  }

  void load_outside(std::uint32_t id, std::size_t a, float* out) const {
    const float* from = terms_.outside.data() + terms_.offsets[id];
    const float scale = 1 / terms_.scales[id];
    for (std::size_t h = 0; h < a; ++h) out[h] = from[h] * scale;
  }

  const TrainingNodes& trees_;
  const LatentParameters& grammar_;
  const NodeTerms& terms_;
  std::vector<float> outs_;
  std::vector<float> pairs_;
};

}  // namespace

Expectation expected_counts(const TrainingNodes& trees, const LatentParameters& grammar,
                            const RunOptions& run) {
  const linalg::SingleThreadedBlas guard;
  NodeTerms terms = make_terms(trees, grammar);
  Expectation result{make_parameters(trees, grammar.states), 0};
  result.log_likelihood = fill_terms(trees, grammar, terms, run);
  std::vector<std::vector<std::uint32_t>> by_rule(trees.rules.size());
  for (std::uint32_t id = 0; id < trees.nodes.size(); ++id) {
    const TrainingNode& node = trees.nodes[id];
    const float* in = terms.inside.data() + terms.offsets[id];
    const float* out = terms.outside.data() + terms.offsets[id];
    const std::size_t states = grammar.states[node.symbol];
    if (!node.leaf()) by_rule[node.rule].push_back(id);
    float* leaf = node.leaf() ? result.counts.word(node.rule) : nullptr;
    float* root = node.parent == kNoNode ? result.counts.start(node.symbol) : nullptr;
    for (std::size_t h = 0; h < states; ++h) {
      if (leaf != nullptr) leaf[h] += in[h] * out[h];
      if (root != nullptr) root[h] += in[h] * out[h];
    }
  }
  base::parallel_for(trees.rules.size(), 16, run.threads, [&](std::size_t begin, std::size_t end) {
    RuleCounter counter(trees, grammar, terms);
    for (std::size_t r = begin; r < end; ++r) {
      run.check_stop();
      counter.count(r, by_rule[r], result.counts.tensor(r));
    }
  });
  return result;
}

double em_step(const TrainingNodes& trees, const SmoothingOptions& smoothing, LatentParameters& grammar,
               const RunOptions& run) {
  Expectation step = expected_counts(trees, grammar, run);
  normalise(trees, smoothing, step.counts);
  grammar = std::move(step.counts);
  return step.log_likelihood;
}

}  // namespace firth::grammar

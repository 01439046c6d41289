#include "grammar/latent_parameters.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace firth::grammar {
namespace {

/// The sum of everything each state of each symbol does; indexed as root_offsets.
std::vector<double> state_totals(const TrainingNodes& trees, const LatentParameters& counts) {
  std::vector<double> totals(counts.root.size(), 0.0);
  for (std::size_t r = 0; r < trees.rules.size(); ++r) {
    const BinaryRule& rule = trees.rules[r];
    const std::size_t width = std::size_t{counts.states[rule.left]} * counts.states[rule.right];
    const float* from = counts.tensor(r);
    double* to = totals.data() + counts.root_offsets[rule.parent];
    for (std::size_t h = 0; h < counts.states[rule.parent]; ++h, from += width)
      for (std::size_t i = 0; i < width; ++i) to[h] += static_cast<double>(from[i]);
  }
  for (std::size_t r = 0; r < trees.lexical_rules.size(); ++r) {
    const std::uint32_t symbol = trees.lexical_rules[r].tag;
    double* to = totals.data() + counts.root_offsets[symbol];
    for (std::size_t h = 0; h < counts.states[symbol]; ++h) to[h] += static_cast<double>(counts.word(r)[h]);
  }
  return totals;
}

/// How much of a state seen `total` times is the mean of its symbol's states: all of one that was never seen.
double share_of_mean(double total, double share, double prior) {
  return total > 0 ? std::max(share, prior / (prior + total)) : 1;
}

/// rows[h] = rows[h] / totals[h], then drawn towards the mean of the rows. A state that was never seen takes the mean.
void smooth_rows(float* rows, std::size_t width, std::span<const double> totals, double share, double prior) {
  const std::size_t states = totals.size();
  std::vector<double> mean(width);
  double all = 0;
  for (std::size_t h = 0; h < states; ++h) all += totals[h];
  for (std::size_t h = 0; h < states; ++h)
    for (std::size_t i = 0; i < width; ++i) mean[i] += static_cast<double>(rows[h * width + i]);
  if (all > 0)
    for (double& value : mean) value /= all;
  for (std::size_t h = 0; h < states; ++h) {
    const double drawn = share_of_mean(totals[h], share, prior);
    for (std::size_t i = 0; i < width; ++i) {
      float& value = rows[h * width + i];
      const double own = totals[h] > 0 ? static_cast<double>(value) / totals[h] : 0;
      value = static_cast<float>((1 - drawn) * own + drawn * mean[i]);
    }
  }
}

}  // namespace

LatentParameters make_parameters(const TrainingNodes& trees, std::vector<std::uint32_t> states) {
  LatentParameters result;
  result.states = std::move(states);
  const auto& m = result.states;
  std::uint64_t total = 0;
  for (const BinaryRule& rule : trees.rules) {
    result.binary_offsets.push_back(total);
    total += std::uint64_t{m[rule.parent]} * m[rule.left] * m[rule.right];
  }
  result.binary.assign(total, 0.0F);
  total = 0;
  for (const LexicalRule& rule : trees.lexical_rules) {
    result.lexical_offsets.push_back(total);
    total += m[rule.tag];
  }
  result.lexical.assign(total, 0.0F);
  total = 0;
  for (const std::uint32_t count : m) {
    result.root_offsets.push_back(total);
    total += count;
  }
  result.root.assign(total, 0.0F);
  return result;
}

void normalise(const TrainingNodes& trees, const SmoothingOptions& smoothing, LatentParameters& counts) {
  const std::vector<double> totals = state_totals(trees, counts);
  const auto totals_of = [&](std::uint32_t symbol) {
    return std::span(totals).subspan(counts.root_offsets[symbol], counts.states[symbol]);
  };
  for (std::size_t r = 0; r < trees.rules.size(); ++r) {
    const BinaryRule& rule = trees.rules[r];
    const std::size_t width = std::size_t{counts.states[rule.left]} * counts.states[rule.right];
    smooth_rows(counts.tensor(r), width, totals_of(rule.parent), smoothing.binary, smoothing.prior);
  }
  for (std::size_t r = 0; r < trees.lexical_rules.size(); ++r)
    smooth_rows(counts.word(r), 1, totals_of(trees.lexical_rules[r].tag), smoothing.lexical, smoothing.prior);
  double roots = 0;
  for (const float value : counts.root) roots += static_cast<double>(value);
  if (roots > 0)
    for (float& value : counts.root) value = static_cast<float>(static_cast<double>(value) / roots);
}

}  // namespace firth::grammar

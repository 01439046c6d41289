#include "cluster/assign/context_classifier.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace firth::clusters {
namespace {

/// Bigrams that a class must have shown before its own neighbours count as much as those of the whole text.
/// Words held out of clusterings of 50 to 1,000 classes come back best with 100; docs/quality.md has the curve.
constexpr double kSmoothing = 100;

}  // namespace

ContextClassifier::Side::Side(const PairCounts& met, std::span<const Count> own) {
  const auto total = static_cast<double>(met.total());
  first_.reserve(met.rows() + 1);
  weights_.reserve(met.distinct());
  first_.push_back(0);
  for (ClassId c = 0; c < met.rows(); ++c) {
    const auto classes = met.right_words(c);
    const auto counts = met.right_counts(c);
    double marginal = 0;
    for (const Count count : counts) marginal += static_cast<double>(count);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const double ratio = static_cast<double>(counts[i]) * total / (kSmoothing * marginal);
      weights_.push_back({classes[i], static_cast<float>(std::log1p(ratio))});
    }
    first_.push_back(weights_.size());
  }
  log_total_.reserve(own.size());
  for (const Count count : own) log_total_.push_back(std::log(static_cast<double>(count) + kSmoothing));
}

void ContextClassifier::Side::add(std::span<const ClassContext> contexts, std::vector<double>& scores) const {
  double known = 0;
  for (const ClassContext& context : contexts) {
    if (empty(context.class_id)) continue;
    const auto count = static_cast<double>(context.count);
    known += count;
    for (std::uint64_t i = first_[context.class_id]; i < first_[context.class_id + 1]; ++i) {
      scores[weights_[i].class_id] += count * static_cast<double>(weights_[i].nats);
    }
  }
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] -= known * log_total_[c];
}

ContextClassifier::ContextClassifier(const PairCounts& class_bigrams, std::vector<bool> candidates)
    : right_(class_bigrams.transposed(), class_bigrams.left_marginals()),
      left_(class_bigrams, class_bigrams.right_marginals()),
      candidates_(std::move(candidates)) {
  const std::vector<Count> out = class_bigrams.left_marginals();
  const std::vector<Count> in = class_bigrams.right_marginals();
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    candidates_[c] = candidates_[c] && (out[c] > 0 || in[c] > 0);
    has_candidates_ = has_candidates_ || candidates_[c];
  }
}

ClassGuess ContextClassifier::guess(std::span<const ClassContext> right, std::span<const ClassContext> left,
                                    std::vector<double>& scores) const {
  scores.assign(candidates_.size(), 0);
  right_.add(right, scores);
  left_.add(left, scores);
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (!candidates_[c]) scores[c] = kImpossible;
  }
  return best_guess(scores);
}

std::uint64_t ContextClassifier::bytes(std::uint64_t distinct, ClassId classes) {
  // Two sides of weights, the pairs once more by their right class, and a few numbers per class.
  return distinct * (2 * sizeof(Side::Weight) + sizeof(WordId) + sizeof(Count)) + std::uint64_t{classes} * 64;
}

}  // namespace firth::clusters

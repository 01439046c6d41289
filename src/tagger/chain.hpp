// Probabilities of tags in a linear-chain conditional random field (Lafferty et al. 2001).
#pragma once

#include <span>
#include <vector>

#include "tagger/tag_scheme.hpp"

namespace firth::tagger {

/// e^x with a relative error below 1e-8, the same bits on every machine; beyond +-80 as at +-80.
double smooth_exp(double x);

/// Forward and backward sums. Keeps its memory from sentence to sentence.
class Chain {
 public:
  explicit Chain(const TagSet& tags) : tags_(tags) {}

  /// `local`: scores by word, then by tag, of a sentence of one word or more. `transitions`: the score of every
  /// tag after every tag, and, in the last row, at the beginning. Tags that may not follow each other, or not
  /// end, have probability 0.
  void run(std::span<const float> local, std::span<const float> transitions);

  /// The probability of tag t for word i.
  double probability(std::size_t i, std::size_t t) const {
    return forward_[i * tags_.size() + t] * backward_[i * tags_.size() + t];
  }
  /// The probability of `tag` for word i, i > 0, and of `before` for the word before it.
  double pair_probability(std::size_t i, std::size_t before, std::size_t tag) const {
    const std::size_t tags = tags_.size();
    return forward_[(i - 1) * tags + before] * steps_[before * tags + tag] * local_[i * tags + tag] *
           backward_[i * tags + tag] / sums_[i];
  }

 private:
  void prepare(std::span<const float> local, std::span<const float> transitions);
  void run_forward();
  void run_backward();

  const TagSet& tags_;
  std::size_t length_ = 0;
  std::vector<double> local_;       // e^score, by word, then by tag; the highest of a word is 1
  std::vector<double> steps_;       // e^transition, 0 where a tag may not follow; the last row begins
  std::vector<double> back_steps_;  // the same by following tag
  std::vector<double> forward_;     // scaled: each word's sum to 1
  std::vector<double> backward_;
  std::vector<double> sums_;  // what forward_ was divided by
};

}  // namespace firth::tagger

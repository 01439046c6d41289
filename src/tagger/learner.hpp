// What learns from tagged sentences, one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "firth/tagger.hpp"
#include "tagger/model.hpp"

namespace firth::tagger {

class Learner {
 public:
  virtual ~Learner() = default;

  virtual std::size_t sentence_count() const = 0;
  /// Returns the number of words that were tagged right.
  virtual std::size_t learn(std::size_t sentence) = 0;
  /// Whether the weights of several trainings may be averaged.
  virtual bool may_repeat() const { return false; }
  /// All passes were made. What was learnt is kept for the mean, and learning starts from nothing again.
  virtual void end_training() {}
  /// Puts what was learnt into the model.
  virtual void finish() = 0;
};

/// An averaged perceptron with features of the two tags before. `model` has tags, beam, classes and vectors.
std::unique_ptr<Learner> make_perceptron(std::span<const TaggedSentence> sentences, Model& model,
                                         const RunOptions& run);

/// A linear-chain conditional random field.
std::unique_ptr<Learner> make_crf(std::span<const TaggedSentence> sentences, const TaggerOptions& options,
                                  Model& model, const RunOptions& run);

}  // namespace firth::tagger

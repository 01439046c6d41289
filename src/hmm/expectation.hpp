// The expectation step: how often each state emits each word and follows each other state, under given
// weights.
#pragma once

#include <cstdint>
#include <vector>

#include "hmm/lattice.hpp"
#include "hmm/text.hpp"

namespace firth::hmm {

/// Expected counts. `transitions` has the layout of HmmModel::transitions.
struct Expected {
  std::vector<double> transitions;
  std::vector<double> emissions;  ///< words x states
  double log_likelihood = 0;
};

/// What tokens say about their states besides their words; rows of Weights::stride, one per token of the text.
struct TokenRows {
  const double* penalties = nullptr;      ///< emissions are multiplied by exp(-penalty)
  double* state_probabilities = nullptr;  ///< out
};

/// Goes over a text again and again.
class Expectation {
 public:
  /// The text must outlive it.
  Expectation(const Text& text, std::size_t states, const RunOptions& run);

  /// Sentences are worked on in parallel; every sum is made in an order that depends on the text only.
  void run(const Weights& weights, Expected& expected, const TokenRows& rows = {});

  /// Bytes besides the text.
  static std::uint64_t bytes(const Text& text, std::size_t states);

 private:
  /// Consecutive sentences, worked on by one thread.
  struct Chunk {
    std::size_t first;
    std::size_t last;
  };
  /// Chunks whose state probabilities are in memory at the same time.
  struct Batch {
    std::size_t first_chunk;
    std::size_t last_chunk;
    std::uint64_t first_token;
    std::vector<std::uint32_t> order;  ///< tokens of the batch, sorted by word
    std::vector<std::size_t> begins;   ///< of each word in order, and the end
  };

  void plan();
  Batch make_batch(std::size_t first_chunk, std::size_t last_chunk) const;
  void run_batch(const Weights& weights, const Batch& batch, const TokenRows& rows, Expected& expected);
  void add_emissions(const Weights& weights, const Batch& batch, Expected& expected) const;

  const Text& text_;
  const RunOptions& run_;
  std::vector<Chunk> chunks_;
  std::vector<Batch> batches_;
  base::AlignedVector<double> gamma_;
  std::vector<TransitionSums> sums_;  // one for each chunk of a batch
  std::vector<double> log_likelihood_;
};

}  // namespace firth::hmm

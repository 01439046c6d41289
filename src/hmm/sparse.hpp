// Posterior regularisation that keeps the states of a word few (Graca, Ganchev, Taskar & Pereira 2009).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "firth/hmm.hpp"
#include "hmm/checkpoint.hpp"
#include "hmm/expectation.hpp"
#include "hmm/text.hpp"

namespace firth::hmm {

/// The nearest point of {x >= 0, sum of x <= limit}, in place.
void project_to_simplex(std::span<double> values, double limit);

/// The expectation step of sparse EM: the distribution q over the states of the text that minimises
///
///   KL(q || p(states | text)) + sigma * sum over words w and states k of max over tokens i of w q(state of i = k).
///
/// Its dual has a penalty for every token and state, 0 or more, those of one word and state adding up to sigma
/// at most; q is the model with every emission multiplied by exp(-penalty). Ascent along the gradient, which is
/// the probability of the state at the token, and projection alternate.
class SparseExpectation {
 public:
  /// The text must outlive it. Words of fewer than options.sparse.min_count tokens are free.
  SparseExpectation(const Text& text, const HmmOptions& options, const RunOptions& run);

  /// Expected counts under q after options.sparse.steps steps from the penalties of the last call.
  void run(const Weights& weights, Expected& expected);

  /// After run(): the dual value, an upper bound of what the regularised likelihood can be under the weights, and
  /// the primal value, which q reaches; both in nats, equal when q is the minimum.
  double upper() const noexcept { return upper_; }
  double reached() const noexcept { return reached_; }

  /// What the next call of run() starts from.
  std::span<const double> penalties() const noexcept { return best_.penalties; }
  double step() const noexcept { return step_; }
  void restore(std::span<const double> penalties, double step);

  /// Bytes besides the text.
  static std::uint64_t bytes(const Text& text, std::size_t states);

 private:
  /// Trial penalties = projection of penalties + step * gradient.
  void take_step();
  /// Calls `work` with the tokens of each penalised word, words shared among threads.
  template <typename Work>
  void for_each_word(const Work& work) const;
  double primal(double log_sum) const;

  /// Tokens of the penalised words, word by word.
  struct WordTokens {
    std::vector<std::uint64_t> tokens;
    std::vector<std::size_t> begins;  ///< of each word, and the end
  };
  /// Rows of the stride of Weights, one per token.
  struct Dual {
    base::AlignedVector<double> penalties;
    base::AlignedVector<double> gradient;  ///< probability of each state at each token
  };

  const HmmOptions& options_;
  const RunOptions& run_;
  std::size_t stride_;
  Expectation expectation_;
  WordTokens words_;
  Dual best_;
  Dual trial_;
  double step_ = 1;
  double upper_ = 0;
  double reached_ = 0;
};

/// One run of sparse EM from its own random numbers, or on from its checkpoint: plain EM first, then the regularised
/// one.
HmmResult run_sparse(const Text& text, const HmmOptions& options, const Restart& restart,
                     const RunOptions& run);

}  // namespace firth::hmm

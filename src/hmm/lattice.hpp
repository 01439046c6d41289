// Forward and backward probabilities of one sentence, scaled so that they never underflow (Rabiner 1989,
// V.A).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "firth/hmm.hpp"
#include "firth/types.hpp"

namespace firth::hmm {

/// What a model says, laid out for the inner loops: rows padded to whole cache lines. Need not be normalised:
/// variational Bayes is not.
struct Weights {
  Weights(std::size_t states, std::size_t words);
  explicit Weights(const HmmModel& model);

  /// `stride` of that many states.
  static std::size_t stride_of(std::size_t states) noexcept;

  std::size_t states;
  std::size_t stride;
  base::AlignedVector<double> start;      ///< to each state
  base::AlignedVector<double> end;        ///< from each state
  base::AlignedVector<double> forward;    ///< row = from
  base::AlignedVector<double> backward;   ///< row = to
  base::AlignedVector<double> emissions;  ///< row = word

  const double* emission(WordId word) const { return emissions.data() + word * stride; }
  void set_transition(std::size_t from, std::size_t to, double value) {
    forward[from * stride + to] = value;
    backward[to * stride + from] = value;
  }
};

/// Expected numbers of transitions.
struct TransitionSums {
  explicit TransitionSums(const Weights& weights);

  base::AlignedVector<double> start;
  base::AlignedVector<double> end;
  /// Row = from; without the factor of the transition's own weight, which is alike for all.
  base::AlignedVector<double> between;

  void clear();
  void add(const TransitionSums& other);
};

/// Memory for one sentence after the other.
class Lattice {
 public:
  explicit Lattice(const Weights& weights) : weights_(&weights) {}

  /// Log likelihood; minus infinity if the sentence is impossible. With `penalties` (rows of weights.stride, one
  /// per token) every emission is multiplied by exp(-penalty).
  double forward(std::span<const WordId> sentence, const double* penalties = nullptr);

  /// After forward() of the same sentence, if it is possible: gamma.row(t) = probability of each state at t
  /// (rows of weights.stride), and transitions are added to `sums`.
  void backward(std::span<const WordId> sentence, double* gamma, TransitionSums& sums);

 private:
  void keep_emissions(std::span<const WordId> sentence, const double* penalties);
  const double* emission(std::span<const WordId> sentence, std::size_t t) const {
    return penalised_.empty() ? weights_->emission(sentence[t]) : penalised_.data() + t * weights_->stride;
  }

  const Weights* weights_;
  base::AlignedVector<double> penalised_;  // emissions of the sentence if tokens have penalties of their own
  base::AlignedVector<double> alpha_;
  std::vector<double> scale_;  // one for each word and one for the end
  base::AlignedVector<double> beta_;
  base::AlignedVector<double> message_;
};

/// The most probable states, by logarithms; weights of 0 count as the smallest number there is, so that an
/// impossible sentence gets the least impossible states.
class Viterbi {
 public:
  explicit Viterbi(const Weights& weights);

  /// `emissions[t]` points to what each state says about word t. Of equal states the first.
  std::vector<std::uint32_t> path(std::span<const double* const> emissions);

 private:
  std::size_t states_;
  std::vector<double> start_;
  std::vector<double> end_;
  std::vector<double> transition_;  // row = to
  std::vector<double> score_;
  std::vector<double> next_;
  std::vector<std::uint32_t> from_;
};

}  // namespace firth::hmm

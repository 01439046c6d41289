#include "hmm/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/simd.hpp"

namespace firth::hmm {
namespace {

constexpr std::size_t kLane = base::kCacheLine / sizeof(double);

std::size_t padded(std::size_t states) {
  return (states + kLane - 1) / kLane * kLane;
}

/// out = sum over i of x[i] * rows[i], one lane an output: the same bits for every vector width.
FIRTH_CLONES void combine_rows(const double* x, const double* rows, std::size_t states, std::size_t stride,
                               double* out) {
  std::fill(out, out + stride, 0.0);
  for (std::size_t i = 0; i < states; ++i) {
    const double factor = x[i];
    const double* row = rows + i * stride;
    for (std::size_t j = 0; j < stride; ++j) out[j] += factor * row[j];
  }
}

/// rows[i] += x[i] * y.
FIRTH_CLONES void add_outer(const double* x, const double* y, std::size_t states, std::size_t stride,
                            double* rows) {
  for (std::size_t i = 0; i < states; ++i) {
    const double factor = x[i];
    double* row = rows + i * stride;
    for (std::size_t j = 0; j < stride; ++j) row[j] += factor * y[j];
  }
}

FIRTH_CLONES void multiply_into(const double* x, double* y, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) y[i] *= x[i];
}

double sum(const double* x, std::size_t size) {
  double total = 0;
  for (std::size_t i = 0; i < size; ++i) total += x[i];
  return total;
}

double safe_log(double x) {
  return std::log(std::max(x, std::numeric_limits<double>::min()));
}

void scale(double* x, std::size_t size, double factor) {
  for (std::size_t i = 0; i < size; ++i) x[i] *= factor;
}

}  // namespace

std::size_t Weights::stride_of(std::size_t states) noexcept {
  return padded(states);
}

Weights::Weights(std::size_t state_count, std::size_t words)
    : states(state_count),
      stride(padded(state_count)),
      start(stride, 0.0),
      end(stride, 0.0),
      forward(states * stride, 0.0),
      backward(states * stride, 0.0),
      emissions(words * stride, 0.0) {}

Weights::Weights(const HmmModel& model) : Weights(model.states, model.vocabulary.size()) {
  for (std::size_t i = 0; i < states; ++i) {
    start[i] = model.transition(states, i);
    end[i] = model.transition(i, states);
    for (std::size_t j = 0; j < states; ++j) set_transition(i, j, model.transition(i, j));
  }
  for (std::size_t word = 0; word < model.vocabulary.size(); ++word) {
    for (std::size_t i = 0; i < states; ++i) emissions[word * stride + i] = model.emission(word, i);
  }
}

TransitionSums::TransitionSums(const Weights& weights)
    : start(weights.stride, 0.0), end(weights.stride, 0.0), between(weights.states * weights.stride, 0.0) {}

void TransitionSums::clear() {
  std::fill(start.begin(), start.end(), 0.0);
  std::fill(end.begin(), end.end(), 0.0);
  std::fill(between.begin(), between.end(), 0.0);
}

void TransitionSums::add(const TransitionSums& other) {
  for (std::size_t i = 0; i < start.size(); ++i) start[i] += other.start[i];
  for (std::size_t i = 0; i < end.size(); ++i) end[i] += other.end[i];
  for (std::size_t i = 0; i < between.size(); ++i) between[i] += other.between[i];
}

void Lattice::keep_emissions(std::span<const WordId> sentence, const double* penalties) {
  penalised_.clear();
  if (penalties == nullptr) return;
  const std::size_t stride = weights_->stride;
  penalised_.resize(sentence.size() * stride);
  for (std::size_t t = 0; t < sentence.size(); ++t) {
    const double* plain = weights_->emission(sentence[t]);
    for (std::size_t i = 0; i < stride; ++i) {
      const double penalty = penalties[t * stride + i];
      penalised_[t * stride + i] = penalty == 0 ? plain[i] : plain[i] * std::exp(-penalty);
    }
  }
}

double Lattice::forward(std::span<const WordId> sentence, const double* penalties) {
  keep_emissions(sentence, penalties);
  const std::size_t stride = weights_->stride;
  alpha_.resize(sentence.size() * stride);
  scale_.resize(sentence.size() + 1);
  double log_likelihood = 0;
  for (std::size_t t = 0; t < sentence.size(); ++t) {
    double* now = alpha_.data() + t * stride;
    if (t == 0) {
      std::copy(weights_->start.begin(), weights_->start.end(), now);
    } else {
      combine_rows(now - stride, weights_->forward.data(), weights_->states, stride, now);
    }
    multiply_into(emission(sentence, t), now, stride);
    scale_[t] = sum(now, stride);
    if (!(scale_[t] > 0)) return -std::numeric_limits<double>::infinity();
    scale(now, stride, 1 / scale_[t]);
    log_likelihood += std::log(scale_[t]);
  }
  const double* last = alpha_.data() + (sentence.size() - 1) * stride;
  double ending = 0;
  for (std::size_t i = 0; i < stride; ++i) ending += last[i] * weights_->end[i];
  scale_.back() = ending;
  return ending > 0 ? log_likelihood + std::log(ending) : -std::numeric_limits<double>::infinity();
}

void Lattice::backward(std::span<const WordId> sentence, double* gamma, TransitionSums& sums) {
  const std::size_t stride = weights_->stride;
  beta_.resize(stride);
  message_.resize(stride);
  for (std::size_t t = sentence.size(); t-- > 0;) {
    const double* now = alpha_.data() + t * stride;
    double* out = gamma + t * stride;
    if (t + 1 == sentence.size()) {
      for (std::size_t i = 0; i < stride; ++i) beta_[i] = weights_->end[i] / scale_.back();
    } else {
      // beta_t(i) = sum over j of a(i,j) b(j) beta_t+1(j) / scale.
      add_outer(now, message_.data(), weights_->states, stride, sums.between.data());
      combine_rows(message_.data(), weights_->backward.data(), weights_->states, stride, beta_.data());
    }
    for (std::size_t i = 0; i < stride; ++i) out[i] = now[i] * beta_[i];
    if (t + 1 == sentence.size()) {
      for (std::size_t i = 0; i < stride; ++i) sums.end[i] += out[i];
    }
    if (t == 0) {
      for (std::size_t i = 0; i < stride; ++i) sums.start[i] += out[i];
    }
    const double* emitted = emission(sentence, t);
    for (std::size_t i = 0; i < stride; ++i) message_[i] = emitted[i] * beta_[i] / scale_[t];
  }
}

Viterbi::Viterbi(const Weights& weights)
    : states_(weights.states),
      start_(states_),
      end_(states_),
      transition_(states_ * states_),
      score_(states_),
      next_(states_) {
  for (std::size_t i = 0; i < states_; ++i) {
    start_[i] = safe_log(weights.start[i]);
    end_[i] = safe_log(weights.end[i]);
    for (std::size_t j = 0; j < states_; ++j) {
      transition_[j * states_ + i] = safe_log(weights.forward[i * weights.stride + j]);
    }
  }
}

std::vector<std::uint32_t> Viterbi::path(std::span<const double* const> emissions) {
  from_.resize(emissions.size() * states_);
  for (std::size_t j = 0; j < states_; ++j) score_[j] = start_[j] + safe_log(emissions[0][j]);
  for (std::size_t t = 1; t < emissions.size(); ++t) {
    for (std::size_t j = 0; j < states_; ++j) {
      const double* row = transition_.data() + j * states_;
      std::size_t best = 0;
      for (std::size_t i = 1; i < states_; ++i) {
        if (score_[i] + row[i] > score_[best] + row[best]) best = i;
      }
      from_[t * states_ + j] = static_cast<std::uint32_t>(best);
      next_[j] = score_[best] + row[best] + safe_log(emissions[t][j]);
    }
    std::swap(score_, next_);
  }
  for (std::size_t j = 0; j < states_; ++j) score_[j] += end_[j];
  std::vector<std::uint32_t> states(emissions.size());
  states.back() = static_cast<std::uint32_t>(std::max_element(score_.begin(), score_.end()) - score_.begin());
  for (std::size_t t = emissions.size() - 1; t > 0; --t) states[t - 1] = from_[t * states_ + states[t]];
  return states;
}

}  // namespace firth::hmm

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/special.hpp"
#include "base/stage.hpp"
#include "hmm/estimate.hpp"

namespace firth::hmm {
namespace {

/// The collapsed sampler: parameters are integrated out, only the states of the tokens and their counts
/// remain (Goldwater & Griffiths 2007, with bigrams; the pointwise sampler of Gao & Johnson 2008).
class Gibbs {
 public:
  /// From random states.
  Gibbs(const Text& text, const HmmOptions& options, std::uint64_t seed) : Gibbs(text, options) {
    rng_ = base::Rng(seed);
    for (std::uint32_t& state : state_of_) state = static_cast<std::uint32_t>(rng_.below(states_));
    count();
  }

  /// On from where a sampler was.
  Gibbs(const Text& text, const HmmOptions& options, const Snapshot& snapshot) : Gibbs(text, options) {
    rng_ = std::bit_cast<base::Rng>(snapshot.rng);
    state_of_ = snapshot.states;
    count();
  }

  void sweep(const RunOptions& run) {
    std::size_t until_check = 0;
    for_each_token([&](std::size_t token, std::uint32_t before, std::uint32_t after) {
      if (until_check-- == 0) {
        run.check_stop();
        until_check = 4096;
      }
      add_token(token, -1);
      add_transition(before, state_of_[token], -1);
      add_transition(state_of_[token], after, -1);
      state_of_[token] = draw(text_.words[token], before, after);
      add_token(token, 1);
      add_transition(before, state_of_[token], 1);
      add_transition(state_of_[token], after, 1);
    });
  }

  /// ln p(text, states), parameters integrated out: a product of Dirichlet-multinomials.
  double log_joint() const {
    double sum = 0;
    const auto add = [&](double count, double prior) {
      if (count > 0) sum += base::log_gamma(count + prior) - base::log_gamma(prior);
    };
    const auto words = static_cast<double>(text_.vocabulary.size());
    const auto states = static_cast<double>(states_);
    for (std::size_t i = 0; i <= states_; ++i) {
      // The start cannot be followed by the end.
      const double total = alpha_ * (i == states_ ? states : states + 1);
      if (from_[i] > 0) sum -= base::log_gamma(from_[i] + total) - base::log_gamma(total);
      for (std::size_t j = 0; j <= states_; ++j) add(transitions_[i * (states_ + 1) + j], alpha_);
    }
    for (std::size_t i = 0; i < states_; ++i) {
      if (emitted_[i] > 0)
        sum -= base::log_gamma(emitted_[i] + beta_ * words) - base::log_gamma(beta_ * words);
    }
    for (const double count : emissions_) add(count, beta_);
    return sum;
  }

  void add_counts(Expected& counts) const {
    counts.transitions.resize(transitions_.size());
    counts.emissions.resize(emissions_.size());
    for (std::size_t i = 0; i < transitions_.size(); ++i) counts.transitions[i] += transitions_[i];
    for (std::size_t i = 0; i < emissions_.size(); ++i) counts.emissions[i] += emissions_[i];
  }

  /// Everything but what has been reached and summed up.
  Snapshot snapshot() const {
    Snapshot snapshot;
    snapshot.states = state_of_;
    snapshot.rng = rng_.state();
    return snapshot;
  }

 private:
  Gibbs(const Text& text, const HmmOptions& options)
      : text_(text),
        states_(options.states),
        alpha_(options.transition_prior),
        beta_(options.emission_prior),
        rng_(0),
        state_of_(text.words.size()),
        transitions_((states_ + 1) * (states_ + 1)),
        from_(states_ + 1),
        emissions_(text.vocabulary.size() * states_),
        emitted_(states_),
        cumulative_(states_) {}

  void count() {
    for_each_token([&](std::size_t token, std::uint32_t before, std::uint32_t after) {
      add_token(token, 1);
      add_transition(before, state_of_[token], 1);
      if (after == states_) add_transition(state_of_[token], after, 1);
    });
  }

  template <typename Work>
  void for_each_token(const Work& work) {
    const auto outside = static_cast<std::uint32_t>(states_);
    std::size_t token = 0;
    for (const std::uint64_t end : text_.ends) {
      for (bool first = true; token < end; ++token, first = false) {
        work(token, first ? outside : state_of_[token - 1],
             token + 1 == end ? outside : state_of_[token + 1]);
      }
    }
  }

  void add_token(std::size_t token, double change) {
    emissions_[text_.words[token] * states_ + state_of_[token]] += change;
    emitted_[state_of_[token]] += change;
  }
  void add_transition(std::size_t from, std::size_t to, double change) {
    transitions_[from * (states_ + 1) + to] += change;
    from_[from] += change;
  }

  std::uint32_t draw(WordId word, std::uint32_t before, std::uint32_t after) {
    const double words = static_cast<double>(text_.vocabulary.size()) * beta_;
    const double outcomes = static_cast<double>(states_ + 1) * alpha_;
    const double* emission = emissions_.data() + word * states_;
    const double* entering = transitions_.data() + before * (states_ + 1);
    double sum = 0;
    for (std::size_t k = 0; k < states_; ++k) {
      // The two transitions are one after the other: the first has been seen when the second comes.
      const double again = before == k ? 1 : 0;
      const double repeated = before == k && after == k ? 1 : 0;
      sum += (emission[k] + beta_) / (emitted_[k] + words) * (entering[k] + alpha_) *
             (transitions_[k * (states_ + 1) + after] + alpha_ + repeated) / (from_[k] + outcomes + again);
      cumulative_[k] = sum;
    }
    const double limit = rng_.uniform() * sum;
    const auto place = std::upper_bound(cumulative_.begin(), cumulative_.end(), limit) - cumulative_.begin();
    return static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(place, static_cast<std::ptrdiff_t>(states_) - 1));
  }

  const Text& text_;
  std::size_t states_;
  double alpha_;
  double beta_;
  base::Rng rng_;
  std::vector<std::uint32_t> state_of_;
  std::vector<double> transitions_;  // whole numbers
  std::vector<double> from_;
  std::vector<double> emissions_;  // words x states
  std::vector<double> emitted_;
  std::vector<double> cumulative_;
};

}  // namespace

std::uint32_t averaged_sweeps(const HmmOptions& options) {
  return std::max(1U, options.iterations / 10);
}

HmmResult run_gibbs(const Text& text, const HmmOptions& options, const Restart& restart,
                    const RunOptions& run) {
  const base::Stage stage(run, "Gibbs sampling", "sweeps", options.iterations);
  std::optional<Snapshot> last = restart.checkpoint.find(restart.number);
  Gibbs gibbs = last ? Gibbs(text, options, *last) : Gibbs(text, options, restart.seed);
  const std::uint32_t averaged = averaged_sweeps(options);
  Expected counts = last ? std::move(last->counts) : Expected();
  HmmResult result;
  result.tokens = text.words.size();
  if (last) result.objective = std::move(last->objective);
  for (std::size_t sweep = result.objective.size(); sweep < options.iterations; ++sweep) {
    gibbs.sweep(run);
    result.objective.push_back(gibbs.log_joint());
    if (sweep + averaged >= options.iterations) gibbs.add_counts(counts);
    if (restart.checkpoint.is_kept()) {
      Snapshot snapshot = gibbs.snapshot();
      snapshot.objective = result.objective;
      snapshot.counts = counts;
      restart.checkpoint.put(restart.number, std::move(snapshot));
      restart.checkpoint.report(run);
    }
    stage.advance(sweep + 1, [&] { return fmt::format("log joint {:.6g}", result.objective.back()); });
  }
  for (double& count : counts.transitions) count /= averaged;
  for (double& count : counts.emissions) count /= averaged;
  result.model = make_model(text, options.states, counts, options.transition_prior, options.emission_prior);
  return result;
}

}  // namespace firth::hmm

#include "hmm/estimate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/special.hpp"
#include "base/stage.hpp"

namespace firth::hmm {
namespace {

/// One Dirichlet: the counts in `row`, every `step`-th, get a posterior of parameters prior + count.
struct Dirichlet {
  double* values;
  std::size_t size;
  std::size_t step;
  double prior;

  double& at(std::size_t i) const { return values[i * step]; }
  double total() const {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += at(i);
    return sum;
  }

  /// Counts become probabilities: means of the posterior.
  void normalise() const {
    const double sum = total() + prior * static_cast<double>(size);
    for (std::size_t i = 0; i < size; ++i) {
      at(i) = sum > 0 ? (at(i) + prior) / sum : 1.0 / static_cast<double>(size);
    }
  }

  /// Counts become exp(E[ln p]); returns KL(posterior || prior).
  double expected_logs() const {
    const double all = total() + prior * static_cast<double>(size);
    const double psi_all = base::digamma(all);
    double divergence = base::log_gamma(all) - base::log_gamma(prior * static_cast<double>(size));
    const double prior_gamma = base::log_gamma(prior);
    for (std::size_t i = 0; i < size; ++i) {
      const double parameter = at(i) + prior;
      const double mean_log = base::digamma(parameter) - psi_all;
      divergence += prior_gamma - base::log_gamma(parameter) + at(i) * mean_log;
      at(i) = std::exp(mean_log);
    }
    return divergence;
  }
};

/// Calls `work` for every distribution of a model laid out as in HmmModel: from each state, from the start
/// (which cannot end), and over the words of each state.
template <typename Work>
void for_each_distribution(std::vector<double>& transitions, std::vector<double>& emissions,
                           std::size_t states, std::pair<double, double> priors, const Work& work) {
  for (std::size_t i = 0; i < states; ++i) {
    work(Dirichlet{transitions.data() + i * (states + 1), states + 1, 1, priors.first});
  }
  work(Dirichlet{transitions.data() + states * (states + 1), states, 1, priors.first});
  for (std::size_t i = 0; i < states; ++i) {
    work(Dirichlet{emissions.data() + i, emissions.size() / states, states, priors.second});
  }
}

void set_weights(const std::vector<double>& transitions, const std::vector<double>& emissions,
                 Weights& weights) {
  const std::size_t states = weights.states;
  for (std::size_t i = 0; i < states; ++i) {
    weights.start[i] = transitions[states * (states + 1) + i];
    weights.end[i] = transitions[i * (states + 1) + states];
    for (std::size_t j = 0; j < states; ++j) weights.set_transition(i, j, transitions[i * (states + 1) + j]);
  }
  for (std::size_t word = 0; word * states < emissions.size(); ++word) {
    for (std::size_t i = 0; i < states; ++i) {
      weights.emissions[word * weights.stride + i] = emissions[word * states + i];
    }
  }
}

/// Random ones, or those of the checkpoint, with what the iterations before them reached.
Expected first_counts(const Text& text, const HmmOptions& options, const Restart& restart,
                      std::vector<double>& objective) {
  if (std::optional<Snapshot> snapshot = restart.checkpoint.find(restart.number)) {
    objective = std::move(snapshot->objective);
    return std::move(snapshot->counts);
  }
  base::Rng rng(restart.seed);
  return random_counts(text, options.states, rng);
}

}  // namespace

Expected random_counts(const Text& text, std::size_t states, base::Rng& rng) {
  Expected counts;
  counts.emissions.resize(text.vocabulary.size() * states);
  for (WordId word = 0; word < text.vocabulary.size(); ++word) {
    double* row = counts.emissions.data() + word * states;
    double sum = 0;
    // Exponential draws, divided by their sum: any distribution over the states is equally likely.
    for (std::size_t i = 0; i < states; ++i) sum += row[i] = -std::log(1 - rng.uniform());
    for (std::size_t i = 0; i < states; ++i) row[i] *= static_cast<double>(text.vocabulary.count(word)) / sum;
  }
  counts.transitions.resize((states + 1) * (states + 1));
  const double share = static_cast<double>(text.words.size()) / static_cast<double>(states * states);
  for (double& count : counts.transitions) count = share * (0.5 + rng.uniform());
  counts.transitions.back() = 0;
  return counts;
}

HmmModel make_model(const Text& text, std::size_t states, const Expected& counts, double transition_prior,
                    double emission_prior) {
  HmmModel model{text.vocabulary, static_cast<std::uint32_t>(states), counts.transitions, counts.emissions};
  for_each_distribution(model.transitions, model.emissions, states, {transition_prior, emission_prior},
                        [](const Dirichlet& one) { one.normalise(); });
  return model;
}

double set_variational_weights(const Expected& counts, const HmmOptions& options, Weights& weights) {
  std::vector<double> transitions = counts.transitions;
  std::vector<double> emissions = counts.emissions;
  double divergence = 0;
  for_each_distribution(transitions, emissions, weights.states,
                        {options.transition_prior, options.emission_prior},
                        [&](const Dirichlet& one) { divergence += one.expected_logs(); });
  set_weights(transitions, emissions, weights);
  return divergence;
}

bool is_over(std::span<const double> objective, std::uint32_t iterations, double tolerance) {
  if (objective.size() >= iterations) return true;
  if (objective.size() < 2) return false;
  const double before = objective[objective.size() - 2];
  return objective.back() - before < tolerance * std::abs(before);
}

HmmResult run_expectation_maximisation(const Text& text, const HmmOptions& options, const Restart& restart,
                                       const RunOptions& run) {
  const bool bayes = options.algorithm == HmmAlgorithm::vb;
  const base::Stage stage(run, bayes ? "variational Bayes" : "EM", "iterations", options.iterations);
  HmmResult result;
  result.tokens = text.words.size();
  Expected counts = first_counts(text, options, restart, result.objective);
  Expectation expectation(text, options.states, run);
  Weights weights(options.states, text.vocabulary.size());
  while (!is_over(result.objective, options.iterations, options.tolerance)) {
    double objective = 0;
    if (bayes) {
      objective -= set_variational_weights(counts, options, weights);
    } else {
      const HmmModel model = make_model(text, options.states, counts, 0, 0);
      set_weights(model.transitions, model.emissions, weights);
    }
    expectation.run(weights, counts);
    objective += counts.log_likelihood;
    result.objective.push_back(objective);
    if (restart.checkpoint.is_kept()) {
      restart.checkpoint.put(restart.number, {.objective = result.objective, .counts = counts});
      restart.checkpoint.report(run);
    }
    stage.advance(result.objective.size(),
                  [&] { return fmt::format("{} {:.6g}", bayes ? "bound" : "log likelihood", objective); });
  }
  const double prior = bayes ? 1 : 0;
  result.model = make_model(text, options.states, counts, prior * options.transition_prior,
                            prior * options.emission_prior);
  return result;
}

}  // namespace firth::hmm

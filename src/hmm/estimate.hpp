// From counts of states to a model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "firth/hmm.hpp"
#include "hmm/checkpoint.hpp"
#include "hmm/expectation.hpp"
#include "hmm/lattice.hpp"
#include "hmm/text.hpp"

namespace firth::hmm {

/// A tagged text keeps states in 16 bits.
inline constexpr std::uint32_t kMaxStates = 65535;

/// Counts to start from: every token is spread over the states at random, each word in its own way.
Expected random_counts(const Text& text, std::size_t states, base::Rng& rng);

/// Relative frequencies, `transition_prior` and `emission_prior` added to every count. A row of zeros becomes
/// uniform.
HmmModel make_model(const Text& text, std::size_t states, const Expected& counts, double transition_prior,
                    double emission_prior);

/// exp(E[ln p]) under Dirichlet posteriors, the weights of variational Bayes (Johnson 2007), and the
/// divergence of the posteriors from the priors, in nats.
double set_variational_weights(const Expected& counts, const HmmOptions& options, Weights& weights);

/// Whether a run that reached this with each of its iterations is over: it has made all of them, or the last one has
/// gained too little.
bool is_over(std::span<const double> objective, std::uint32_t iterations, double tolerance);

/// One run of EM or VB from its own random numbers, or on from its checkpoint.
HmmResult run_expectation_maximisation(const Text& text, const HmmOptions& options, const Restart& restart,
                                       const RunOptions& run);

/// One run of the collapsed sampler.
HmmResult run_gibbs(const Text& text, const HmmOptions& options, const Restart& restart,
                    const RunOptions& run);

}  // namespace firth::hmm

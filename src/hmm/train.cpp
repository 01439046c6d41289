#include <fmt/format.h>

#include <algorithm>

#include "base/memory_limit.hpp"
#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/hmm.hpp"
#include "hmm/estimate.hpp"
#include "hmm/sparse.hpp"
#include "hmm/text.hpp"

namespace firth {
namespace hmm {
namespace {

constexpr std::uint32_t kMaxStates = 65535;
constexpr double kMaxSigma = 500;  // exp(-sigma) must not underflow

void check_memory(const Text& text, const HmmOptions& options, const RunOptions& run) {
  const std::uint64_t states = options.states;
  const std::uint64_t model =
      sizeof(double) * (text.vocabulary.size() * states + (states + 1) * (states + 1));
  const bool gibbs = options.algorithm == HmmAlgorithm::gibbs;
  const std::uint64_t runs = gibbs ? std::min(options.restarts, base::resolve_threads(run.threads)) : 1;
  const std::uint64_t rows = options.algorithm == HmmAlgorithm::sparse
                                 ? SparseExpectation::bytes(text, states)
                                 : Expectation::bytes(text, states);
  const std::uint64_t needed = gibbs ? runs * (3 * model + 4 * text.words.size()) : 5 * model + rows;
  base::require_memory(run, needed,
                       fmt::format("a model of {} states and {} words", states, text.vocabulary.size()),
                       "leave rare words out");
}

/// Restarts one after the other, each on all threads.
std::vector<HmmResult> run_in_turn(const Text& text, const HmmOptions& options, const RunOptions& run) {
  std::vector<HmmResult> results;
  const auto run_once =
      options.algorithm == HmmAlgorithm::sparse ? &run_sparse : &run_expectation_maximisation;
  for (std::uint32_t restart = 0; restart < options.restarts; ++restart) {
    results.push_back(run_once(text, options, base::Rng::stream_seed(run.seed, restart), run));
  }
  return results;
}

/// A chain is a chain: the sampler's threads work on different restarts.
std::vector<HmmResult> run_side_by_side(const Text& text, const HmmOptions& options, const RunOptions& run) {
  std::vector<HmmResult> results(options.restarts);
  if (options.restarts == 1) {
    results[0] = run_gibbs(text, options, run.seed, run);
  } else {
    const base::Stage stage(run, "Gibbs sampling", "restarts", options.restarts);
    RunOptions silent = run;
    silent.progress = nullptr;  // progress belongs to the calling thread
    base::parallel_for(options.restarts, 1, run.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        results[i] = run_gibbs(text, options, base::Rng::stream_seed(run.seed, i), silent);
      }
    });
  }
  return results;
}

}  // namespace
}  // namespace hmm

void validate(const HmmOptions& options) {
  if (options.states == 0 || options.states > hmm::kMaxStates) {
    throw UsageError(fmt::format("{} states", options.states),
                     fmt::format("1 to {} are possible", hmm::kMaxStates));
  }
  if (options.vocabulary.rare != RarePolicy::unk) {
    throw UsageError("a hidden Markov model needs every place of the text",
                     "make rare words <unk> (VocabularyOptions::rare)", "VocabularyOptions::rare");
  }
  validate(options.vocabulary);
  if (options.iterations == 0) throw UsageError("0 iterations", "ask for at least one");
  if (options.restarts == 0) throw UsageError("0 restarts", "ask for at least one");
  if (!(options.transition_prior > 0) || !(options.emission_prior > 0)) {
    throw UsageError("a prior that is not above 0", "Dirichlet priors are positive, e.g. 0.1");
  }
  if (!(options.sparse.sigma >= 0 && options.sparse.sigma <= hmm::kMaxSigma)) {
    throw UsageError(fmt::format("a price of {} for each state of a word", options.sparse.sigma),
                     fmt::format("0 to {} are possible", hmm::kMaxSigma), "SparseHmmOptions::sigma");
  }
}

HmmResult train_hmm(const Inputs& inputs, const HmmOptions& options, const RunOptions& run) {
  validate(options);
  const hmm::Text text = hmm::read_text(inputs, options, run);
  hmm::check_memory(text, options, run);
  std::vector<HmmResult> results = options.algorithm == HmmAlgorithm::gibbs
                                       ? hmm::run_side_by_side(text, options, run)
                                       : hmm::run_in_turn(text, options, run);
  std::vector<double> reached;
  for (const HmmResult& result : results) reached.push_back(result.objective.back());
  const auto best = std::max_element(reached.begin(), reached.end()) - reached.begin();
  HmmResult result = std::move(results[static_cast<std::size_t>(best)]);
  result.restarts = std::move(reached);
  result.model.preprocessing = preprocessing_of(options.text);
  return result;
}

}  // namespace firth

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory_limit.hpp"
#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/hmm.hpp"
#include "hmm/checkpoint.hpp"
#include "hmm/estimate.hpp"
#include "hmm/sparse.hpp"
#include "hmm/text.hpp"

namespace firth {
namespace hmm {
namespace {

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
  const std::uint64_t kept =
      options.checkpoint.file.empty() ? 0 : (runs + 1) * TrainingCheckpoint::bytes(text, options);
  base::require_memory(run, needed + kept,
                       fmt::format("a model of {} states and {} words", states, text.vocabulary.size()),
                       "leave rare words out");
}

/// The restarts of a training. The best of those that have finished is kept; may be used from several threads.
class Restarts {
 public:
  Restarts(const Text& text, const HmmOptions& options, const RunOptions& run)
      : text_(text),
        options_(options),
        run_(run),
        checkpoint_(text, options, run),
        reached_(options.restarts) {}

  /// Makes all of them, or goes on where the checkpoint says.
  HmmResult run() {
    try {
      if (options_.algorithm == HmmAlgorithm::gibbs && options_.restarts > 1) {
        run_side_by_side();
      } else {
        for (std::uint32_t restart = 0; restart < options_.restarts; ++restart) run_one(restart, run_);
      }
    } catch (const Cancelled&) {
      checkpoint_.write();
      checkpoint_.report(run_);
      throw;
    }
    checkpoint_.write();
    checkpoint_.report(run_);
    best_->restarts = std::move(reached_);
    return std::move(*best_);
  }

 private:
  /// A chain of samples cannot be shared out: threads work on different restarts.
  void run_side_by_side() {
    const base::Stage stage(run_, "Gibbs sampling", "restarts", options_.restarts);
    RunOptions silent = run_;
    silent.progress = nullptr;  // progress belongs to the calling thread
    base::parallel_for(options_.restarts, 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) run_one(static_cast<std::uint32_t>(i), silent);
    });
  }

  void run_one(std::uint32_t number, const RunOptions& run) {
    if (const std::optional<double> beaten = checkpoint_.find_beaten(number)) {
      reached_[number] = *beaten;
      return;
    }
    const Restart restart{number, base::Rng::stream_seed(run.seed, number), checkpoint_};
    const auto train = options_.algorithm == HmmAlgorithm::gibbs    ? &run_gibbs
                       : options_.algorithm == HmmAlgorithm::sparse ? &run_sparse
                                                                    : &run_expectation_maximisation;
    HmmResult result = train(text_, options_, restart, run);
    reached_[number] = result.objective.back();
    checkpoint_.finish(number, result.objective.back());
    const std::lock_guard lock(mutex_);
    if (best_ && !is_better({number, reached_[number]}, {best_number_, best_->objective.back()})) return;
    best_ = std::move(result);
    best_number_ = number;
  }

  const Text& text_;
  const HmmOptions& options_;
  const RunOptions& run_;
  TrainingCheckpoint checkpoint_;
  std::vector<double> reached_;
  std::mutex mutex_;
  std::optional<HmmResult> best_;
  std::uint32_t best_number_ = 0;
};

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
  validate(options.checkpoint);
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
  HmmResult result = hmm::Restarts(text, options, run).run();
  result.model.preprocessing = preprocessing_of(options.text);
  return result;
}

}  // namespace firth

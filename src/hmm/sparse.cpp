#include "hmm/sparse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"
#include "hmm/estimate.hpp"

namespace firth::hmm {
namespace {

constexpr std::size_t kWordsPerPiece = 16;
// A step that raises the dual makes the next one longer, one that lowers it is halved and tried again.
constexpr double kLonger = 1.5;
constexpr double kShortestStep = 1e-6;

}  // namespace

void project_to_simplex(std::span<double> values, double limit) {
  double sum = 0;
  for (double& value : values) sum += value = std::max(value, 0.0);
  if (sum <= limit) return;
  // The point is max(x - shift, 0), with the shift that makes the sum `limit` (Held, Wolfe & Crowder 1974).
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double shift = 0;
  double prefix = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    prefix += sorted[i];
    const double candidate = (prefix - limit) / static_cast<double>(i + 1);
    if (candidate > sorted[i]) break;
    shift = candidate;
  }
  for (double& value : values) value = std::max(value - shift, 0.0);
}

SparseExpectation::SparseExpectation(const Text& text, const HmmOptions& options, const RunOptions& run)
    : options_(options),
      run_(run),
      stride_(Weights::stride_of(options.states)),
      expectation_(text, options.states, run) {
  for (Dual* dual : {&best_, &trial_}) {
    dual->penalties.assign(text.words.size() * stride_, 0.0);
    dual->gradient.assign(text.words.size() * stride_, 0.0);
  }
  std::vector<std::uint64_t> order(text.words.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return text.words[a] < text.words[b]; });
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && text.words[order[end]] == text.words[order[begin]]) ++end;
    if (end - begin < options.sparse.min_count) continue;
    words_.begins.push_back(words_.tokens.size());
    words_.tokens.insert(words_.tokens.end(), order.begin() + static_cast<std::ptrdiff_t>(begin),
                         order.begin() + static_cast<std::ptrdiff_t>(end));
  }
  words_.begins.push_back(words_.tokens.size());
}

std::uint64_t SparseExpectation::bytes(const Text& text, std::size_t states) {
  const std::uint64_t rows = 4 * sizeof(double) * text.words.size() * Weights::stride_of(states);
  return rows + 2 * sizeof(std::uint64_t) * text.words.size() + Expectation::bytes(text, states);
}

template <typename Work>
void SparseExpectation::for_each_word(const Work& work) const {
  base::parallel_for(words_.begins.size() - 1, kWordsPerPiece, run_.threads,
                     [&](std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end; ++i) {
                         const std::size_t size = words_.begins[i + 1] - words_.begins[i];
                         work(i, std::span(words_.tokens).subspan(words_.begins[i], size));
                       }
                     });
}

void SparseExpectation::take_step() {
  for_each_word([&](std::size_t, std::span<const std::uint64_t> tokens) {
    std::vector<double> column(tokens.size());
    for (std::size_t state = 0; state < options_.states; ++state) {
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::size_t place = tokens[i] * stride_ + state;
        column[i] = best_.penalties[place] + step_ * best_.gradient[place];
      }
      project_to_simplex(column, options_.sparse.sigma);
      for (std::size_t i = 0; i < tokens.size(); ++i)
        trial_.penalties[tokens[i] * stride_ + state] = column[i];
    }
  });
}

/// log sum of p(text, states) exp(-penalties) + E_q[penalties] = log likelihood - KL(q || p(states | text)).
double SparseExpectation::primal(double log_sum) const {
  std::vector<double> terms(words_.begins.size() - 1);
  for_each_word([&](std::size_t word, std::span<const std::uint64_t> tokens) {
    double term = 0;
    for (std::size_t state = 0; state < options_.states; ++state) {
      double highest = 0;
      for (const std::uint64_t token : tokens) {
        const std::size_t place = token * stride_ + state;
        term += best_.penalties[place] * best_.gradient[place];
        highest = std::max(highest, best_.gradient[place]);
      }
      term -= options_.sparse.sigma * highest;
    }
    terms[word] = term;
  });
  return std::accumulate(terms.begin(), terms.end(), log_sum);
}

void SparseExpectation::run(const Weights& weights, Expected& expected) {
  expectation_.run(weights, expected, {best_.penalties.data(), best_.gradient.data()});
  upper_ = expected.log_likelihood;
  Expected tried;
  for (std::uint32_t step = 0; step < options_.sparse.steps && step_ >= kShortestStep; ++step) {
    take_step();
    expectation_.run(weights, tried, {trial_.penalties.data(), trial_.gradient.data()});
    if (tried.log_likelihood <= upper_) {
      std::swap(best_, trial_);
      std::swap(expected, tried);
      upper_ = expected.log_likelihood;
      step_ *= kLonger;
    } else {
      step_ /= 2;
    }
  }
  step_ = std::max(step_, kShortestStep);
  reached_ = primal(upper_);
}

void SparseExpectation::restore(std::span<const double> penalties, double step) {
  best_.penalties.assign(penalties.begin(), penalties.end());
  step_ = step;
}

namespace {

HmmResult run_warm_up(const Text& text, const HmmOptions& options, const Restart& restart,
                      const RunOptions& run) {
  HmmOptions plain = options;
  plain.algorithm = HmmAlgorithm::em;
  plain.iterations = std::max(1U, options.sparse.warm_up);
  HmmResult result = run_expectation_maximisation(text, plain, restart, run);
  result.objective.clear();
  return result;
}

/// Where the checkpoint of the regularised iterations is.
HmmResult resumed(const Text& text, const HmmOptions& options, const Snapshot& last) {
  HmmResult result;
  result.tokens = text.words.size();
  result.model = make_model(text, options.states, last.counts, 0, 0);
  result.objective = last.objective;
  return result;
}

void keep(const Restart& restart, const Expected& counts, const std::vector<double>& objective,
          const SparseExpectation& expectation) {
  Snapshot snapshot{.penalised = true, .objective = objective, .counts = counts};
  snapshot.penalties.assign(expectation.penalties().begin(), expectation.penalties().end());
  snapshot.step = expectation.step();
  restart.checkpoint.put(restart.number, std::move(snapshot));
}

}  // namespace

HmmResult run_sparse(const Text& text, const HmmOptions& options, const Restart& restart,
                     const RunOptions& run) {
  std::optional<Snapshot> last = restart.checkpoint.find(restart.number);
  if (last && !last->penalised) last.reset();
  HmmResult result = last ? resumed(text, options, *last) : run_warm_up(text, options, restart, run);
  SparseExpectation expectation(text, options, run);
  if (last) expectation.restore(last->penalties, last->step);
  last.reset();
  const base::Stage stage(run, "sparse EM", "iterations", options.iterations);
  Expected counts;
  while (!is_over(result.objective, options.iterations, options.tolerance)) {
    expectation.run(Weights(result.model), counts);
    result.model = make_model(text, options.states, counts, 0, 0);
    result.objective.push_back(expectation.reached());
    if (restart.checkpoint.is_kept()) {
      keep(restart, counts, result.objective, expectation);
      restart.checkpoint.report(run);
    }
    stage.advance(result.objective.size(),
                  [&] { return fmt::format("bound {:.6g}", expectation.reached()); });
  }
  return result;
}

}  // namespace firth::hmm

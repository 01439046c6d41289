#include "hmm/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/fingerprint.hpp"
#include "hmm/lattice.hpp"

namespace firth::hmm {
namespace {

constexpr base::FileKind kFile = {{'F', 'I', 'R', 'T', 'H', 'H', 'M', 'C'},
                                  1,
                                  "checkpoint of a hidden Markov model",
                                  base::kCheckpointRemedy};

enum Kind : std::uint32_t {
  kFinished = base::kFingerprintSection + 1,  // Reached of each restart that has finished
  kNumbers,                                   // Numbers; this and what follows: once per snapshot
  kObjective,
  kTransitionCounts,
  kEmissionCounts,
  kStates,
  kPenalties,
};

struct Reached {
  std::uint64_t restart;
  double value;
};

struct Numbers {
  std::uint64_t restart;
  std::uint64_t penalised;
  double step;
  std::array<std::uint64_t, 4> rng;
};

std::uint64_t fingerprint(const Text& text, const HmmOptions& options, const RunOptions& run) {
  if (options.checkpoint.file.empty()) return 0;
  base::Fingerprint print;
  print.add_all(std::span<const WordId>(text.words)).add_all(std::span<const std::uint64_t>(text.ends));
  print.add_all(text.vocabulary.counts()).add(text.vocabulary.bytes());
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(options.algorithm), std::uint64_t{options.states},
        std::uint64_t{options.iterations}, std::uint64_t{options.restarts},
        std::uint64_t{options.sparse.min_count}, std::uint64_t{options.sparse.steps},
        std::uint64_t{options.sparse.warm_up}, run.seed}) {
    print.add(number);
  }
  for (const double number :
       {options.tolerance, options.transition_prior, options.emission_prior, options.sparse.sigma}) {
    print.add(number);
  }
  return print.value();
}

template <typename T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

bool are_counts(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return value >= 0 && std::isfinite(value); });
}

Snapshot read_snapshot(base::SectionReader& reader, std::uint64_t& restart) {
  const auto numbers = reader.take<Numbers>(kNumbers);
  if (numbers.size() != 1) reader.damaged("numbers of a restart are missing");
  restart = numbers[0].restart;
  Snapshot snapshot;
  snapshot.penalised = numbers[0].penalised != 0;
  snapshot.step = numbers[0].step;
  snapshot.rng = numbers[0].rng;
  snapshot.objective = copy(reader.take<double>(kObjective));
  snapshot.counts.transitions = copy(reader.take<double>(kTransitionCounts));
  snapshot.counts.emissions = copy(reader.take<double>(kEmissionCounts));
  snapshot.states = copy(reader.take<std::uint32_t>(kStates));
  snapshot.penalties = copy(reader.take<double>(kPenalties));
  return snapshot;
}

}  // namespace

bool is_better(std::pair<const std::uint32_t, double> one, std::pair<const std::uint32_t, double> other) {
  // What is not a number has gone wrong: it must not win.
  const auto value = [](double reached) {
    return std::isnan(reached) ? -std::numeric_limits<double>::infinity() : reached;
  };
  if (value(one.second) != value(other.second)) return value(one.second) > value(other.second);
  return one.first < other.first;
}

TrainingCheckpoint::TrainingCheckpoint(const Text& text, const HmmOptions& options, const RunOptions& run)
    : text_(text), options_(options), file_(kFile, options.checkpoint, fingerprint(text, options, run)) {
  file_.read([this](base::SectionReader& reader) { read(reader); });
}

void TrainingCheckpoint::read(base::SectionReader& reader) {
  for (const Reached& one : reader.take<Reached>(kFinished)) {
    if (one.restart >= options_.restarts) reader.damaged("there are restarts too many");
    reached_[static_cast<std::uint32_t>(one.restart)] = one.value;
  }
  std::size_t finished = 0;
  while (reader.has(kNumbers)) {
    std::uint64_t restart = 0;
    Snapshot snapshot = read_snapshot(reader, restart);
    if (restart >= options_.restarts) reader.damaged("there are restarts too many");
    if (!fits(snapshot)) reader.damaged("a restart does not fit the model");
    const auto number = static_cast<std::uint32_t>(restart);
    if (reached_.contains(number)) ++finished;
    snapshots_[number] = std::move(snapshot);
  }
  if (finished != (reached_.empty() ? 0 : 1)) reader.damaged("the best of the restarts is missing");
}

bool TrainingCheckpoint::fits(const Snapshot& snapshot) const {
  const bool sparse = options_.algorithm == HmmAlgorithm::sparse;
  if (snapshot.penalised && !sparse) return false;
  const std::uint32_t most =
      sparse && !snapshot.penalised ? std::max(1U, options_.sparse.warm_up) : options_.iterations;
  if (snapshot.objective.empty() || snapshot.objective.size() > most) return false;
  if (options_.algorithm == HmmAlgorithm::gibbs) return gibbs_fits(snapshot);
  const std::size_t rows =
      snapshot.penalised ? text_.words.size() * Weights::stride_of(options_.states) : std::size_t{0};
  return snapshot.counts.transitions.size() == (options_.states + std::size_t{1}) * (options_.states + 1) &&
         snapshot.counts.emissions.size() == text_.vocabulary.size() * options_.states &&
         snapshot.penalties.size() == rows && snapshot.states.empty() &&
         are_counts(snapshot.counts.transitions) && are_counts(snapshot.counts.emissions) &&
         are_counts(snapshot.penalties) && are_counts(std::span(&snapshot.step, 1));
}

bool TrainingCheckpoint::gibbs_fits(const Snapshot& snapshot) const {
  const bool summed = !snapshot.counts.transitions.empty();
  const std::size_t states = options_.states;
  const bool sizes = snapshot.counts.transitions.size() == (summed ? (states + 1) * (states + 1) : 0) &&
                     snapshot.counts.emissions.size() == (summed ? text_.vocabulary.size() * states : 0) &&
                     snapshot.states.size() == text_.words.size() && snapshot.penalties.empty() &&
                     summed == (snapshot.objective.size() + averaged_sweeps(options_) > options_.iterations);
  return sizes && snapshot.rng != std::array<std::uint64_t, 4>{} &&
         std::ranges::all_of(snapshot.states, [&](std::uint32_t state) { return state < states; }) &&
         are_counts(snapshot.counts.transitions) && are_counts(snapshot.counts.emissions);
}

std::optional<Snapshot> TrainingCheckpoint::find(std::uint32_t restart) const {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(restart);
  return found == snapshots_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> TrainingCheckpoint::find_beaten(std::uint32_t restart) const {
  const std::lock_guard lock(mutex_);
  const auto found = reached_.find(restart);
  if (found == reached_.end() || snapshots_.contains(restart)) return std::nullopt;
  return found->second;
}

void TrainingCheckpoint::put(std::uint32_t restart, Snapshot snapshot) {
  const std::lock_guard lock(mutex_);
  snapshots_[restart] = std::move(snapshot);
  changed_ = true;
  if (file_.is_due()) write_locked();
}

void TrainingCheckpoint::finish(std::uint32_t restart, double reached) {
  if (!is_kept()) return;
  const std::lock_guard lock(mutex_);
  reached_[restart] = reached;
  const auto best = *std::ranges::min_element(reached_, is_better);
  std::erase_if(snapshots_,
                [&](const auto& one) { return reached_.contains(one.first) && one.first != best.first; });
  changed_ = true;
}

void TrainingCheckpoint::write() {
  const std::lock_guard lock(mutex_);
  if (changed_) write_locked();
}

void TrainingCheckpoint::report(const RunOptions& run) {
  const std::lock_guard lock(mutex_);
  file_.report(run);
}

void TrainingCheckpoint::write_locked() {
  std::vector<Reached> reached;
  for (const auto& [restart, value] : reached_) reached.push_back({restart, value});
  std::vector<Numbers> numbers;
  numbers.reserve(snapshots_.size());
  std::vector<base::Section> sections = {base::make_section(kFinished, reached)};
  for (const auto& [restart, snapshot] : snapshots_) {
    numbers.push_back({restart, snapshot.penalised ? 1U : 0U, snapshot.step, snapshot.rng});
    sections.push_back(base::make_section(kNumbers, std::span(&numbers.back(), 1)));
    sections.push_back(base::make_section(kObjective, snapshot.objective));
    sections.push_back(base::make_section(kTransitionCounts, snapshot.counts.transitions));
    sections.push_back(base::make_section(kEmissionCounts, snapshot.counts.emissions));
    sections.push_back(base::make_section(kStates, snapshot.states));
    sections.push_back(base::make_section(kPenalties, snapshot.penalties));
  }
  changed_ = !file_.write(sections);
}

std::uint64_t TrainingCheckpoint::bytes(const Text& text, const HmmOptions& options) {
  const std::uint64_t states = options.states;
  const std::uint64_t model = (states + 1) * (states + 1) + text.vocabulary.size() * states;
  std::uint64_t bytes = sizeof(double) * model;
  if (options.algorithm == HmmAlgorithm::gibbs) bytes += sizeof(std::uint32_t) * text.words.size();
  if (options.algorithm == HmmAlgorithm::sparse)
    bytes += sizeof(double) * text.words.size() * Weights::stride_of(states);
  return bytes;
}

}  // namespace firth::hmm

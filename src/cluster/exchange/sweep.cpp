#include "cluster/exchange/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/rng.hpp"

namespace firth::exchange {
namespace {

/// Units scored against the same state: few enough that it has hardly changed for the last of them, and many
/// enough that threads do not spend their time fetching what the moves in between have changed.
constexpr std::size_t kLargestBatch = 512;
constexpr std::size_t kSmallestBatch = 32;
constexpr std::size_t kBatches = 40;  // of a pass, at least

std::size_t batch_size(std::size_t units) {
  return std::clamp(units / kBatches, kSmallestBatch, kLargestBatch);
}

/// Units a thread takes at a time.
constexpr std::size_t kGrain = 8;
/// Units between two reports of progress, at least.
constexpr std::size_t kReportEvery = 2048;
/// In the heat bath, a unit whose class is ahead by this many temperatures is left out ...
constexpr double kFreezeMargin = kCutoffTemperatures;
/// ... of this many passes.
constexpr std::uint8_t kFrozenPasses = 3;

}  // namespace

Sweeper::Sweeper(base::WorkerTeam& team, const RunOptions& run, const MoveRules* rules)
    : team_(&team), run_(&run), rules_(rules), workers_(team.size()), proposals_(kLargestBatch) {}

void Sweeper::report(std::size_t units) {
  if (progress_) progress_(units);
}

void Sweeper::unfreeze_all() {
  frozen_for_.clear();
}

void Sweeper::prepare(const State& state, std::span<const UnitId> order) {
  for (Worker& worker : workers_) worker.contexts.resize(state.classes());
  frozen_for_.resize(state.problem().units(), 0);
  active_.clear();
  for (const UnitId unit : order) {
    if (frozen_for_[unit] > 0) {
      --frozen_for_[unit];
    } else if (rules_ == nullptr || !rules_->fixed(unit)) {
      active_.push_back(unit);
    }
  }
}

template <typename Choose>
Sweeper::Proposal Sweeper::propose(const State& state, UnitId unit, Worker& worker,
                                   const Choose& choose) const {
  const ClassId home = state.class_of()[unit];
  state.collect(unit, worker.contexts);
  score_classes(state, unit, worker.contexts, worker.scores);
  const std::span<float> scores(worker.scores.data(), state.classes());
  if (rules_ != nullptr) rules_->mask(unit, state.class_of(), scores);
  const float home_score = std::exchange(scores[home], -std::numeric_limits<float>::infinity());
  Proposal proposal{best_class(scores), 0, 0, 0};
  proposal.margin = home_score - scores[proposal.target];
  scores[home] = home_score;
  choose(unit, home, worker, proposal);
  proposal.gain = scores[proposal.target] - home_score;
  return proposal;
}

template <typename Accept>
void Sweeper::apply(State& state, std::span<const UnitId> batch, const Accept& accept, PassResult& result) {
  Contexts& contexts = workers_[0].contexts;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const UnitId unit = batch[i];
    const ClassId home = state.class_of()[unit];
    const ClassId target = proposals_[i].target;
    if (proposals_[i].margin > freeze_margin_) frozen_for_[unit] = kFrozenPasses;
    if (target == home || state.members(home) == 1) continue;  // a class keeps its last unit
    if (rules_ != nullptr && !rules_->allows(unit, state.class_of(), target)) continue;
    state.collect(unit, contexts);
    const std::int64_t gain = state.gain(unit, contexts, target);
    if (!accept(gain, proposals_[i])) continue;
    state.move(unit, contexts, target, gain);
    ++result.moved;
    result.gain += gain;
  }
}

template <typename Choose, typename Accept>
PassResult Sweeper::pass(State& state, std::span<const UnitId> order, const Choose& choose,
                         const Accept& accept) {
  PassResult result;
  if (state.classes() < 2) return result;
  prepare(state, order);
  const std::span<const UnitId> active(active_);
  const std::size_t step = batch_size(order.size());
  std::size_t reported = 0;
  for (std::size_t begin = 0; begin < active.size(); begin += step) {
    run_->check_stop();
    state.refresh_bounds();
    const auto batch = active.subspan(begin, std::min(step, active.size() - begin));
    team_->run(batch.size(), kGrain, [&](unsigned index, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last && !run_->stop.stop_requested(); ++i) {
        proposals_[i] = propose(state, batch[i], workers_[index], choose);
      }
    });
    run_->check_stop();
    apply(state, batch, accept, result);
    if (begin - reported < kReportEvery) continue;
    report(begin - reported);
    reported = begin;
  }
  report(order.size() - reported);
  return result;
}

PassResult Sweeper::greedy_pass(State& state, std::span<const UnitId> order) {
  freeze_margin_ = std::numeric_limits<float>::infinity();  // no unit is left out of a greedy pass
  return pass(
      state, order,
      [](UnitId, ClassId home, Worker&, Proposal& proposal) {
        if (proposal.margin >= 0) proposal.target = home;
      },
      [](std::int64_t gain, const Proposal&) { return gain > 0; });
}

PassResult Sweeper::heat_pass(State& state, std::span<const UnitId> order, double temperature,
                              std::uint64_t seed) {
  freeze_margin_ = static_cast<float>(kFreezeMargin * temperature);
  return pass(
      state, order,
      [&](UnitId unit, ClassId home, Worker& worker, Proposal& proposal) {
        if (proposal.margin > kCutoffTemperatures * temperature) {
          proposal.target = home;
          return;
        }
        base::Rng rng = base::Rng::stream(seed, unit);
        const std::span<const float> scores(worker.scores.data(), state.classes());
        proposal.target = draw_class(scores, temperature, rng.uniform(), worker.draw);
        proposal.uniform = rng.uniform();
      },
      // Metropolis' rule for what other moves of the batch have changed since the draw.
      [&](std::int64_t gain, const Proposal& proposal) {
        const double change = state.tables().nats(gain) - static_cast<double>(proposal.gain);
        return change >= 0 || proposal.uniform < std::exp(change / temperature);
      });
}

}  // namespace firth::exchange

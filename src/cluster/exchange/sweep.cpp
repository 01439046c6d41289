#include "cluster/exchange/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/rng.hpp"

namespace firth::exchange {
namespace {

/// Units scored against the same state: a tenth of them all. What the moves of a batch change for its other
/// units is seen when they move; MATH.md has what larger shares cost.
constexpr std::size_t kBatches = 10;
constexpr std::size_t kMinBatch = 32;
/// A last batch that is as many times smaller is scored by every rank: that takes less time than to tell the others.
constexpr std::size_t kSharesOfTail = 256;
/// Moves that are decided by what they gain in the same state: as many as there are units, divided by this.
constexpr std::size_t kGroups = 256;

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
    : team_(&team), run_(&run), rules_(rules), ranks_(run), workers_(team.size()) {}

void Sweeper::report(std::size_t units) {
  if (progress_) progress_(units);
}

void Sweeper::unfreeze_all() {
  frozen_for_.clear();
}

void Sweeper::prepare(const State& state) {
  for (Worker& worker : workers_) worker.contexts.resize(state.classes());
}

std::size_t Sweeper::batch_size(const State& state) const {
  return std::max(state.problem().units() / kBatches, kMinBatch);
}

Sweeper::Batch Sweeper::next_batch(const State& state, std::span<const UnitId> units, std::size_t begin) {
  const std::size_t step = batch_size(state);
  const Batch batch = units.subspan(begin, std::min(step, units.size() - begin));
  const bool is_tail = begin > 0 && batch.size() <= step / kSharesOfTail;
  shared_ = !ranks_.alone() && (state.problem().sharded() || !is_tail);
  return batch;
}

void Sweeper::choose_active(const State& state, std::span<const UnitId> order) {
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
void Sweeper::propose(const State& state, Batch batch, std::size_t i, Worker& worker, const Choose& choose) {
  const UnitId unit = batch[i];
  const ClassId home = state.class_of()[unit];
  const std::span<float> scores(worker.scores.data(), state.classes());
  if (rules_ != nullptr) rules_->mask(unit, state.class_of(), scores);
  const float home_score = std::exchange(scores[home], -std::numeric_limits<float>::infinity());
  Proposal& proposal = proposals_[i];
  proposal = {best_class(scores), 0, 0};
  proposal.margin = home_score - scores[proposal.target];
  scores[home] = home_score;
  choose(unit, home, worker, proposal);
  proposal.gain = scores[proposal.target] - home_score;
  if (proposal.target != home && state.problem().sharded()) moves_.propose(i, worker.contexts);
}

void Sweeper::deal(const State& state, Batch batch) {
  shares_.places.assign(ranks_.size(), {});
  shares_.pieces.assign(ranks_.size(), {});
  if (deals_pieces(state)) {
    predicted_.update(state);
    return predicted_.deal(batch, shares_);
  }
  for (std::size_t i = 0; i < batch.size(); ++i)
    shares_.places[shared_ ? state.problem().owner(batch[i]) : ranks_.rank()].push_back(i);
  if (team_->size() == 1) return;
  predicted_.update(state);
  shares_.pieces[ranks_.rank()] = predicted_.cut(batch, own());
}

void Sweeper::write_proposals(base::MessageWriter& writer) const {
  const bool heated = std::isfinite(freeze_margin_);
  std::uint64_t silent = 0;
  for (const std::size_t i : own()) {
    const Proposal& proposal = proposals_[i];
    const bool frozen = proposal.margin > freeze_margin_;
    if (!frozen && !moves_.proposed(i)) {
      ++silent;
      continue;
    }
    writer.put_number(4 * std::exchange(silent, 0) + (frozen ? 2 : 0) + (moves_.proposed(i) ? 1 : 0));
    if (!moves_.proposed(i)) continue;
    writer.put_number(proposal.target);
    if (heated) writer.put(proposal.gain);
    moves_.write(i, writer);
  }
}

void Sweeper::read_proposals(const State& state, Batch batch, Places places, base::MessageReader& reader) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const bool heated = std::isfinite(freeze_margin_);
  for (const std::size_t i : places) proposals_[i] = {state.class_of()[batch[i]], 0, -kInfinity};
  for (std::size_t next = 0; !reader.done(); ++next) {
    const std::uint64_t head = reader.get_number();
    next += head / 4;
    const std::size_t i = places[next];
    Proposal& proposal = proposals_[i];
    if ((head & 2) != 0) proposal.margin = kInfinity;
    if ((head & 1) == 0) continue;
    proposal.target = static_cast<ClassId>(reader.get_number());
    if (heated) proposal.gain = reader.get<float>();
    moves_.read(i, reader);
  }
}

std::uint64_t Sweeper::gather_with_contexts(const State& state, Batch batch, std::uint64_t wishes) {
  base::MessageWriter writer;
  writer.put_number(wishes);
  write_proposals(writer);
  const std::vector<std::vector<std::byte>> messages = gather_.gather(ranks_, writer.take());
  for (unsigned r = 0; r < ranks_.size(); ++r) {
    base::MessageReader reader(messages[r]);
    wishes |= reader.get_number();
    if (r != ranks_.rank()) read_proposals(state, batch, shares_.places[r], reader);
  }
  moves_.link({*team_, ranks_}, shares_.places);
  return wishes;
}

void Sweeper::share_proposals(const State& state, Batch batch) {
  if (!shared_) return;
  std::uint64_t wishes = wishes_.own ? wishes_.own() : 0;
  if (state.problem().sharded()) {
    wishes = gather_with_contexts(state, batch, wishes);
  } else {
    const BatchView view{batch, state.class_of(), state.classes(), std::isfinite(freeze_margin_),
                         freeze_margin_};
    wishes = proposal_gather_.gather(ranks_, shares_, view, wishes, {proposals_, piece_scores_});
  }
  if (wishes != 0) wishes_.agreed(wishes);
}

void Sweeper::score_pieces(const State& state, Batch batch) {
  const CutUnits::Rules rules = {temperature_ == 0 ? 0 : static_cast<float>(1 / temperature_),
                                 [&](UnitId unit, std::span<float> scores) {
                                   if (rules_ != nullptr) rules_->mask(unit, state.class_of(), scores);
                                 }};
  piece_scores_.assign(ranks_.size(), {});
  const std::vector<Piece>& pieces = shares_.pieces[ranks_.rank()];
  piece_scores_[ranks_.rank()] = cut_units_.score(state, batch, pieces, rules, *team_);
}

template <typename Choose>
void Sweeper::propose_joined(const State& state, Batch batch, Pieces pieces, Worker& worker,
                             const Choose& choose) {
  const std::size_t i = pieces.front().place;
  const UnitId unit = batch[i];
  const ClassId home = state.class_of()[unit];
  JoinedScores joined;
  for (const PieceOfPlace& piece : pieces) joined.add(*piece.scores);
  Proposal& proposal = proposals_[i];
  proposal = {joined.best.c, 0, joined.home - joined.best.score};
  if (temperature_ > 0) {
    worker.scores.assign(state.counts().after.stride(), PieceScores::kNone);
    for (const PieceOfPlace& piece : pieces)
      for (const auto& [c, score] : piece.scores->near) worker.scores[c] = score;
  }
  choose(unit, home, worker, proposal);
  if (proposal.target == home) return;
  const float score = proposal.target == joined.best.c ? joined.best.score : worker.scores[proposal.target];
  proposal.gain = score - joined.home;
  if (state.problem().sharded()) moves_.propose(i, cut_units_.contexts(i));
}

template <typename Choose>
void Sweeper::propose_cut(const State& state, Batch batch, const Choose& choose) {
  cut_.clear();
  for (std::size_t r = 0; r < shares_.pieces.size(); ++r) {
    for (std::size_t p = 0; p < shares_.pieces[r].size(); ++p)
      cut_.push_back({shares_.pieces[r][p].place, &piece_scores_[r][p]});
  }
  std::ranges::sort(cut_, {}, &PieceOfPlace::place);
  std::vector<std::size_t> begins;
  for (std::size_t p = 0; p < cut_.size(); ++p)
    if (p == 0 || cut_[p].place != cut_[p - 1].place) begins.push_back(p);
  const std::size_t units = begins.size();
  begins.push_back(cut_.size());
  team_->run(units, 1, [&](unsigned worker, std::size_t u, std::size_t) {
    propose_joined(state, batch, Pieces(cut_).subspan(begins[u], begins[u + 1] - begins[u]), workers_[worker],
                   choose);
  });
}

template <typename Choose>
void Sweeper::propose_all(const State& state, Batch batch, const Choose& choose) {
  if (proposals_.size() < batch.size()) proposals_.resize(batch.size());
  moves_.begin(state, batch, state.problem().sharded());
  deal(state, batch);
  score_pieces(state, batch);
  std::vector<bool> is_cut(batch.size());
  for (const Piece& piece : shares_.pieces[ranks_.rank()]) is_cut[piece.place] = true;
  team_->run(own().size(), kGrain, [&](unsigned index, std::size_t first, std::size_t last) {
    for (const std::size_t i : own().subspan(first, last - first)) {
      if (run_->stop.stop_requested()) return;
      if (is_cut[i]) continue;
      Worker& worker = workers_[index];
      state.collect(batch[i], worker.contexts);
      score_classes(state, batch[i], worker.contexts, worker.scores);
      propose(state, batch, i, worker, choose);
    }
  });
  run_->check_stop();
  // Where only threads share units, ranks need their proposals; else they get pieces.
  const bool everywhere = deals_pieces(state);
  if (!everywhere) propose_cut(state, batch, choose);
  share_proposals(state, batch);
  if (everywhere) propose_cut(state, batch, choose);
}

void Sweeper::find_wanted(const State& state, Batch batch) {
  wanted_.clear();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const UnitId unit = batch[i];
    const ClassId home = state.class_of()[unit];
    if (proposals_[i].margin > freeze_margin_) frozen_for_[unit] = kFrozenPasses;
    if (proposals_[i].target != home) wanted_.push_back({i, {unit, home, proposals_[i].target}});
  }
}

bool Sweeper::may_move(const State& state, const UnitMove& move) const {
  if (state.members(move.from) == 1) return false;  // a class keeps its last unit
  return rules_ == nullptr || rules_->allows(move.unit, state.class_of(), move.to);
}

template <typename Accept>
void Sweeper::apply(State& state, Batch batch, const Accept& accept, PassResult& result) {
  find_wanted(state, batch);
  const MoveDecisions decisions = {
      [&](const UnitMove& move) { return may_move(state, move); },
      [&](std::int64_t gain, std::size_t place) { return accept(gain, batch[place], proposals_[place]); },
      climbing_};
  GroupMoves groups(state, moves_, *team_);
  const std::span<WantedMove> wanted(wanted_);
  const std::size_t step = std::max<std::size_t>(state.problem().units() / kGroups, 1);
  for (std::size_t begin = 0; begin < wanted.size(); begin += step)
    result.gain += groups.move(wanted.subspan(begin, std::min(step, wanted.size() - begin)), decisions);
  result.moved += groups.made();
  groups.refresh();
}

template <typename Choose, typename Accept>
PassResult Sweeper::pass(State& state, std::span<const UnitId> order, const Choose& choose,
                         const Accept& accept) {
  PassResult result;
  if (state.classes() < 2) return result;
  prepare(state);
  choose_active(state, order);
  const std::span<const UnitId> active(active_);
  const std::size_t step = batch_size(state);
  std::size_t reported = 0;
  for (std::size_t begin = 0; begin < active.size(); begin += step) {
    run_->check_stop();
    state.refresh_bounds();
    const Batch batch = next_batch(state, active, begin);
    propose_all(state, batch, choose);
    apply(state, batch, accept, result);
    if (begin - reported < kReportEvery) continue;
    report(begin - reported);
    reported = begin;
  }
  report(order.size() - reported);
  return result;
}

void Sweeper::propose_again(const State& state, Batch batch, std::size_t i) {
  Worker& worker = workers_[0];
  const UnitId unit = batch[i];
  if (state.problem().owns(unit)) {
    state.collect(unit, worker.contexts);
    score_classes(state, unit, worker.contexts, worker.scores);
    propose(state, batch, i, worker, [](UnitId, ClassId, Worker&, Proposal&) {});
  } else {
    moves_.load(i, worker.contexts);
  }
  if (!state.problem().sharded()) return;
  const std::span<Proposal> proposal(&proposals_[i], 1);
  ranks_.world().broadcast(std::as_writable_bytes(proposal), state.problem().owner(unit));
}

void Sweeper::place(State& state, std::span<const UnitId> units) {
  freeze_margin_ = std::numeric_limits<float>::infinity();
  temperature_ = 0;
  prepare(state);
  const std::size_t step = batch_size(state);
  const auto keep_best = [](UnitId, ClassId, Worker&, Proposal&) {};
  for (std::size_t begin = 0; begin < units.size(); begin += step) {
    state.refresh_bounds();
    const Batch batch = next_batch(state, units, begin);
    propose_all(state, batch, keep_best);
    Worker& worker = workers_[0];
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const UnitId unit = batch[i];
      if (rules_ != nullptr && !rules_->allows(unit, state.class_of(), proposals_[i].target)) {
        propose_again(state, batch, i);
      } else {
        moves_.load(i, worker.contexts);
      }
      const ClassId home = state.class_of()[unit];
      const ClassId target = proposals_[i].target;
      state.move(unit, worker.contexts, target, state.gain(unit, worker.contexts, target));
      moves_.moved(i, home, target);
    }
  }
}

PassResult Sweeper::greedy_pass(State& state, std::span<const UnitId> order) {
  freeze_margin_ = std::numeric_limits<float>::infinity();  // no unit is left out of a greedy pass
  temperature_ = 0;
  climbing_ = true;
  return pass(
      state, order,
      [](UnitId, ClassId home, Worker&, Proposal& proposal) {
        if (proposal.margin >= 0) proposal.target = home;
      },
      [](std::int64_t gain, UnitId, const Proposal&) { return gain > 0; });
}

PassResult Sweeper::heat_pass(State& state, std::span<const UnitId> order, double temperature,
                              std::uint64_t seed) {
  freeze_margin_ = static_cast<float>(kFreezeMargin * temperature);
  temperature_ = temperature;
  climbing_ = false;
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
      },
      // Metropolis' rule for what other moves of the batch have changed since the draw.
      [&](std::int64_t gain, UnitId unit, const Proposal& proposal) {
        const double change = state.tables().nats(gain) - static_cast<double>(proposal.gain);
        if (change >= 0) return true;
        base::Rng rng = base::Rng::stream(seed, unit);
        rng.uniform();  // was for the draw
        return rng.uniform() < std::exp(change / temperature);
      });
}

}  // namespace firth::exchange

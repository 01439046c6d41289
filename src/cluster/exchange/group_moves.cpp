#include "cluster/exchange/group_moves.hpp"

#include <algorithm>
#include <utility>

namespace firth::exchange {
namespace {

constexpr std::size_t kMovesPerPiece = 8;  // moves that a thread takes at a time

}  // namespace

GroupMoves::GroupMoves(State& state, BatchMoves& batch, base::WorkerTeam& team)
    : state_(state), batch_(batch), team_(team), workers_(team.size()) {
  for (Worker& worker : workers_) worker.contexts.resize(state.classes());
}

GroupMoves::Held GroupMoves::hold(unsigned index, std::size_t place) {
  Worker& worker = workers_[index];
  Held held{index, worker.pool.size(), 0, 0, worker.links.size(), 0, 0};
  batch_.load(place, worker.contexts);
  worker.contexts.right.append_to(worker.pool);
  held.left = worker.pool.size();
  worker.contexts.left.append_to(worker.pool);
  held.end = worker.pool.size();
  held.left_links = batch_.find_links(place, worker.links);
  held.links_end = worker.links.size();
  return held;
}

void GroupMoves::measure(std::span<WantedMove> group) {
  group_ = group;
  held_.resize(group.size());
  entered_.clear();
  for (Worker& worker : workers_) {
    worker.pool.clear();
    worker.links.clear();
  }
  places_.clear();
  for (const WantedMove& wanted : group) places_.push_back(wanted.place);
  batch_.begin_group(places_);
  team_.run(group.size(), kMovesPerPiece, [this](unsigned worker, std::size_t begin, std::size_t end) {
    measure_piece(worker, begin, end);
  });
}

// What a move needs is far apart in memory, so it is asked for while others are examined.
void GroupMoves::measure_piece(unsigned worker, std::size_t begin, std::size_t end) {
  constexpr std::size_t kListsAhead = 4;
  const Problem& problem = state_.problem();
  const auto gain = [this](std::size_t i) { group_[i].gain = state_.gain(group_[i].move, held(i)); };
  for (std::size_t i = begin; i < end; ++i) {
    if (i + 2 * kListsAhead < group_.size()) problem.prefetch(group_[i + 2 * kListsAhead].move.unit, false);
    if (i + kListsAhead < group_.size()) problem.prefetch(group_[i + kListsAhead].move.unit, true);
    held_[i] = hold(worker, group_[i].place);
    for (const ClassId c : {group_[i].move.from, group_[i].move.to}) state_.prefetch(held(i), c);
    if (i > begin) gain(i - 1);
  }
  gain(end - 1);
}

ContextSpans GroupMoves::held(std::size_t index) const {
  const Held& held = held_[index];
  const std::span<const Context> pool(workers_[held.worker].pool);
  return {pool.subspan(held.right, held.left - held.right), pool.subspan(held.left, held.end - held.left)};
}

void GroupMoves::enter(std::size_t index) {
  const WantedMove& wanted = group_[index];
  entered_gain_ += state_.enter(wanted.move);
  batch_.moved(wanted.place, wanted.move.from, wanted.move.to);
  entered_.push_back(index);
}

std::span<const Context> GroupMoves::followed(std::span<const Context> held, std::span<const PlaceLink> links,
                                              std::vector<Context>& scratch) const {
  if (links.empty()) return held;
  scratch.assign(held.begin(), held.end());
  for (const PlaceLink& link : links) batch_.follow(link, scratch);
  return scratch;
}

ContextSpans GroupMoves::contexts(Worker& worker, std::size_t index) const {
  const Held& held = held_[index];
  const auto [right, left] = this->held(index);
  const std::span<const PlaceLink> links(workers_[held.worker].links);
  return {followed(right, links.subspan(held.right_links, held.left_links - held.right_links), worker.right),
          followed(left, links.subspan(held.left_links, held.links_end - held.left_links), worker.left)};
}

std::int64_t GroupMoves::change_pairs(bool back) {
  constexpr std::size_t kAhead = 2;
  const bool shared = team_.size() > 1 && state_.can_share();
  const auto for_entered = [&](ClassId UnitMove::*changed, const auto& change) {
    const auto piece = [&](unsigned index, std::size_t begin, std::size_t end) {
      Worker& worker = workers_[index];
      for (std::size_t e = begin; e < end; ++e) {
        if (e + kAhead < end) {
          const std::size_t next = entered_[e + kAhead];
          state_.prefetch(held(next), group_[next].move.*changed);
        }
        const UnitMove& move = group_[entered_[e]].move;
        worker.gain += change(back ? move.back() : move, contexts(worker, entered_[e]));
      }
    };
    if (shared) {
      team_.run(entered_.size(), kMovesPerPiece, piece);
    } else {
      piece(0, 0, entered_.size());
    }
  };
  for_entered(back ? &UnitMove::from : &UnitMove::to, [&](const UnitMove& move, const ContextSpans& around) {
    return state_.add_pairs(move, around, shared);
  });
  for_entered(back ? &UnitMove::to : &UnitMove::from, [&](const UnitMove& move, const ContextSpans& around) {
    return state_.take_pairs(move, around, shared);
  });
  std::int64_t gain = std::exchange(entered_gain_, 0);
  for (Worker& worker : workers_) gain += std::exchange(worker.gain, 0);
  state_.add_gain(gain);
  return gain;
}

std::int64_t GroupMoves::finish() {
  made_ += entered_.size();
  return change_pairs(false);
}

void GroupMoves::undo() {
  for (const std::size_t i : entered_) entered_gain_ += state_.enter(group_[i].move.back());
  change_pairs(true);
  for (const std::size_t i : entered_) batch_.stayed(group_[i].place);
  made_ -= entered_.size();
  entered_.clear();
}

std::int64_t GroupMoves::move_singly(const MoveDecisions& decisions) {
  refresh();
  Contexts& contexts = workers_[0].contexts;
  std::int64_t sum = 0;
  for (const WantedMove& wanted : group_) {
    const UnitMove& move = wanted.move;
    if (!decisions.allowed(move)) continue;
    batch_.load(wanted.place, contexts);
    const std::int64_t gain = state_.gain(move.unit, contexts, move.to);
    if (!decisions.accepted(gain, wanted.place)) continue;
    state_.move(move.unit, contexts, move.to, gain);
    batch_.moved(wanted.place, move.from, move.to);
    ++made_;
    sum += gain;
  }
  return sum;
}

std::int64_t GroupMoves::move(std::span<WantedMove> group, const MoveDecisions& decisions) {
  if (group.size() == 1) {
    group_ = group;
    return move_singly(decisions);
  }
  measure(group);
  for (std::size_t i = 0; i < group.size(); ++i)
    if (decisions.allowed(group[i].move) && decisions.accepted(group[i].gain, group[i].place)) enter(i);
  const std::int64_t gain = finish();
  if (gain >= 0 || !decisions.climbing) return gain;
  undo();  // moves that pay one by one need not pay together
  return move_singly(decisions);
}

}  // namespace firth::exchange

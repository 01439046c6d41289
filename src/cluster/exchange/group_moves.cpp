#include "cluster/exchange/group_moves.hpp"

#include <numeric>
#include <utility>

namespace firth::exchange {
namespace {

constexpr std::size_t kMovesPerPiece = 8;  // moves that a thread takes at a time

}  // namespace

GroupMoves::GroupMoves(State& state, BatchMoves& batch, base::WorkerTeam& team)
    : state_(state), batch_(batch), team_(team), contexts_(team.size()) {
  for (Contexts& contexts : contexts_) contexts.resize(state.classes());
}

void GroupMoves::measure(std::span<WantedMove> moves) {
  team_.run(moves.size(), kMovesPerPiece, [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (WantedMove& wanted : moves.subspan(begin, end - begin)) {
      batch_.load(wanted.place, contexts_[worker]);
      wanted.gain = state_.gain(wanted.move.unit, contexts_[worker], wanted.move.to);
    }
  });
}

void GroupMoves::enter(const WantedMove& wanted) {
  entered_gain_ += state_.enter(wanted.move);
  batch_.moved(wanted.place, wanted.move.from, wanted.move.to);
  made_.push_back(wanted);
}

std::int64_t GroupMoves::change_pairs(std::span<const WantedMove> moves, bool back) {
  const bool shared = team_.size() > 1 && state_.can_share();
  std::vector<std::int64_t> sums(contexts_.size(), 0);
  for (const bool add : {true, false}) {
    const auto piece = [&](unsigned worker, std::size_t begin, std::size_t end) {
      Contexts& contexts = contexts_[worker];
      for (const WantedMove& wanted : moves.subspan(begin, end - begin)) {
        batch_.load(wanted.place, contexts);
        const UnitMove move = back ? wanted.move.back() : wanted.move;
        sums[worker] +=
            add ? state_.add_pairs(move, contexts, shared) : state_.take_pairs(move, contexts, shared);
      }
    };
    if (shared) {
      team_.run(moves.size(), kMovesPerPiece, piece);
    } else {
      piece(0, 0, moves.size());
    }
  }
  return std::accumulate(sums.begin(), sums.end(), std::exchange(entered_gain_, 0));
}

std::int64_t GroupMoves::finish(std::size_t first) {
  const std::int64_t gain = change_pairs(std::span(made_).subspan(first), false);
  state_.add_gain(gain);
  return gain;
}

void GroupMoves::undo(std::size_t first) {
  const std::span<const WantedMove> moves = std::span(made_).subspan(first);
  for (const WantedMove& wanted : moves) entered_gain_ += state_.enter(wanted.move.back());
  state_.add_gain(change_pairs(moves, true));
  for (const WantedMove& wanted : moves) batch_.stayed(wanted.place);
  made_.resize(first);
}

std::int64_t GroupMoves::move_singly(std::span<const WantedMove> group, const MoveDecisions& decisions) {
  Contexts& contexts = contexts_[0];
  std::int64_t sum = 0;
  for (const WantedMove& wanted : group) {
    const UnitMove& move = wanted.move;
    if (!decisions.allowed(move)) continue;
    batch_.load(wanted.place, contexts);
    const std::int64_t gain = state_.gain(move.unit, contexts, move.to);
    if (!decisions.accepted(gain, wanted.place)) continue;
    state_.move(move.unit, contexts, move.to, gain);
    batch_.moved(wanted.place, move.from, move.to);
    made_.push_back(wanted);
    sum += gain;
  }
  return sum;
}

std::int64_t GroupMoves::move(std::span<WantedMove> group, const MoveDecisions& decisions) {
  if (group.size() == 1) return move_singly(group, decisions);
  measure(group);
  const std::size_t first = made_.size();
  for (const WantedMove& wanted : group)
    if (decisions.allowed(wanted.move) && decisions.accepted(wanted.gain, wanted.place)) enter(wanted);
  const std::int64_t gain = finish(first);
  if (gain >= 0 || !decisions.climbing) return gain;
  undo(first);  // moves that pay one by one need not pay together
  return move_singly(group, decisions);
}

void GroupMoves::refresh() {
  team_.run(made_.size(), kMovesPerPiece, [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (const WantedMove& wanted : std::span(made_).subspan(begin, end - begin)) {
      batch_.load(wanted.place, contexts_[worker]);
      state_.refresh_steps(wanted.move, contexts_[worker]);
    }
  });
  state_.refresh_marginals();
}

}  // namespace firth::exchange

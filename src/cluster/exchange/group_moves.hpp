// Moves that are decided and made together, by all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/worker_team.hpp"
#include "cluster/exchange/batch_moves.hpp"
#include "cluster/exchange/state.hpp"

namespace firth::exchange {

/// A move that a unit of the batch wants to make.
struct WantedMove {
  std::size_t place;  // in the batch
  UnitMove move;
  std::int64_t gain = 0;  // by measure()
};

/// What decides about moves.
struct MoveDecisions {
  std::function<bool(const UnitMove&)> allowed;  ///< by the state as it is
  std::function<bool(std::int64_t gain, std::size_t place)> accepted;
  bool climbing;  ///< F must not fall
};

/// Takes the moves of a batch through their steps (state.hpp), group by group.
class GroupMoves {
 public:
  GroupMoves(State& state, BatchMoves& batch, base::WorkerTeam& team);

  /// Decides about the moves of a group by what each gains before the group, and makes those that are accepted; returns
  /// what they gained together.
  std::int64_t move(std::span<WantedMove> group, const MoveDecisions& decisions);
  /// Moves that were made so far.
  std::size_t made() const { return made_.size(); }
  /// To be called after the last group: scores are up to date afterwards.
  void refresh();

  /// The steps of move(). What each of the moves alone would gain in the state as it is:
  void measure(std::span<WantedMove> moves);
  /// One of them is to be made.
  void enter(const WantedMove& wanted);
  /// Makes the moves since `first`, which must be all that were entered and not finished; returns their gain.
  std::int64_t finish(std::size_t first);
  /// Takes them back again.
  void undo(std::size_t first);

 private:
  std::int64_t change_pairs(std::span<const WantedMove> moves, bool back);
  /// Makes moves one after the other, each if it pays after the others.
  std::int64_t move_singly(std::span<const WantedMove> group, const MoveDecisions& decisions);

  State& state_;
  BatchMoves& batch_;
  base::WorkerTeam& team_;
  std::vector<Contexts> contexts_;  // by worker
  std::vector<WantedMove> made_;
  std::int64_t entered_gain_ = 0;
};

}  // namespace firth::exchange

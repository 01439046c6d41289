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
  std::size_t made() const { return made_; }
  /// To be called after the last group: scores are up to date afterwards.
  void refresh() { state_.refresh(team_); }

  /// The steps of move(). A group begins: what each of the moves alone would gain in the state as it is.
  void measure(std::span<WantedMove> group);
  /// A move of the group is to be made; in their order.
  void enter(std::size_t index);
  /// Makes the moves that were entered, and returns their gain.
  std::int64_t finish();
  /// Takes them back again.
  void undo();

 private:
  /// Of a move: its contexts before the group and its neighbours in the group, in the pools of a worker.
  struct Held {
    unsigned worker;
    std::size_t right;  // where contexts begin
    std::size_t left;
    std::size_t end;
    std::size_t right_links;
    std::size_t left_links;
    std::size_t links_end;
  };
  struct Worker {
    Contexts contexts;
    std::vector<Context> pool;
    std::vector<PlaceLink> links;
    std::vector<Context> right;  // brought up to date
    std::vector<Context> left;
    std::int64_t gain = 0;
  };

  Held hold(unsigned worker, std::size_t place);
  /// Contexts before the group.
  ContextSpans held(std::size_t index) const;
  void measure_piece(unsigned worker, std::size_t begin, std::size_t end);
  /// The contexts of a move, after those of the group that were entered before it. Valid until the next call with the
  /// same worker.
  ContextSpans contexts(Worker& worker, std::size_t index) const;
  std::span<const Context> followed(std::span<const Context> held, std::span<const PlaceLink> links,
                                    std::vector<Context>& scratch) const;
  std::int64_t change_pairs(bool back);
  /// Makes moves one after the other, each if it pays after the others.
  std::int64_t move_singly(const MoveDecisions& decisions);

  State& state_;
  BatchMoves& batch_;
  base::WorkerTeam& team_;
  std::vector<Worker> workers_;
  std::span<WantedMove> group_;
  std::vector<std::size_t> places_;   // of the group
  std::vector<Held> held_;            // by index in the group
  std::vector<std::size_t> entered_;  // indices
  std::int64_t entered_gain_ = 0;
  std::size_t made_ = 0;
};

}  // namespace firth::exchange

// Passes over the units: greedy ones that only climb, and heat-bath ones that also step down.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/ranks.hpp"
#include "base/repeated_gather.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/batch_moves.hpp"
#include "cluster/exchange/cut_units.hpp"
#include "cluster/exchange/group_moves.hpp"
#include "cluster/exchange/kernel.hpp"
#include "cluster/exchange/proposals.hpp"
#include "cluster/exchange/state.hpp"
#include "cluster/exchange/work.hpp"
#include "firth/run.hpp"

namespace firth::exchange {

/// Which classes a unit may not enter, and which units do not move at all.
class MoveRules {
 public:
  virtual ~MoveRules() = default;
  /// Whether the unit stays where it is.
  virtual bool fixed(UnitId unit) const = 0;
  /// Sets the scores of classes the unit may not enter, in this partition, to minus infinity.
  virtual void mask(UnitId unit, std::span<const ClassId> class_of, std::span<float> scores) const = 0;
  /// Whether the unit may enter `target` now.
  virtual bool allows(UnitId unit, std::span<const ClassId> class_of, ClassId target) const = 0;
};

/// What a pass did.
struct PassResult {
  std::uint64_t moved = 0;
  std::int64_t gain = 0;  ///< change of F
};

/// Runs passes over one state. Units of a batch are scored in parallel against the state at the start of the
/// batch and moved one after the other, each only if it still pays in the state as it is by then; batches do
/// not depend on the number of threads, so neither does the result. Ranks score parts of a batch, tell each other
/// what they propose, and make the same moves. Large because every step of a pass needs the batch, who scores what of
/// it, and what was proposed.
class Sweeper {
 public:
  Sweeper(base::WorkerTeam& team, const RunOptions& run, const MoveRules* rules = nullptr);

  /// Called by the calling thread now and then with the number of units scored since the last call.
  void on_progress(std::function<void(std::size_t units)> callback) { progress_ = std::move(callback); }

  /// Bits that travel with the proposals of a batch: those of this rank, and what to do with those of all, if any is
  /// set. Ranks get them at the same place.
  struct Wishes {
    std::function<std::uint64_t()> own;
    std::function<void(std::uint64_t)> agreed;
  };
  void on_share(Wishes wishes) { wishes_ = std::move(wishes); }

  /// Every unit takes part in the next pass: to be called when passes go on with another state.
  void unfreeze_all();
  /// Passes that each unit is left out of; may be empty.
  std::span<const std::uint8_t> frozen_for() const { return frozen_for_; }
  void freeze(std::vector<std::uint8_t> passes) { frozen_for_ = std::move(passes); }

  /// Every unit in `order` moves to its best class if that raises F. F never falls.
  PassResult greedy_pass(State& state, std::span<const UnitId> order);

  /// Every unit in `order` draws its class with probability ~ exp(F / temperature), temperature in nats.
  PassResult heat_pass(State& state, std::span<const UnitId> order, double temperature, std::uint64_t seed);

  /// Every unit moves to the class where it is worth most, other than its own.
  void place(State& state, std::span<const UnitId> units);

 private:
  struct Worker {
    Contexts contexts;
    base::AlignedVector<float> scores;
    DrawScratch draw;
  };
  /// What one piece of the unit at a place says.
  struct PieceOfPlace {
    std::size_t place;
    const PieceScores* scores;
  };
  using Batch = std::span<const UnitId>;
  using Pieces = std::span<const PieceOfPlace>;
  using Places = std::span<const std::size_t>;

  void prepare(const State& state);
  void choose_active(const State& state, std::span<const UnitId> order);
  std::size_t batch_size(const State& state) const;
  /// The units from `begin` on that are scored against the same state.
  Batch next_batch(const State& state, std::span<const UnitId> units, std::size_t begin);
  void report(std::size_t units);

  template <typename Choose, typename Accept>
  PassResult pass(State& state, std::span<const UnitId> order, const Choose& choose, const Accept& accept);
  /// Deals out the batch: about the same work to each rank, or each place to the rank that has the lists of its unit.
  void deal(const State& state, Batch batch);
  /// Whether all ranks score all units together.
  bool deals_pieces(const State& state) const { return shared_ && !state.problem().sharded(); }
  /// The places that this rank scores.
  Places own() const { return shares_.places[ranks_.rank()]; }
  /// Tells the other ranks what is proposed here.
  void share_proposals(const State& state, Batch batch);
  /// The same where lists are on their ranks: only about units that want to move, with their contexts, or are to be frozen.
  /// Returns the wishes of all.
  std::uint64_t gather_with_contexts(const State& state, Batch batch, std::uint64_t wishes);
  void write_proposals(base::MessageWriter& writer) const;
  void read_proposals(const State& state, Batch batch, Places places, base::MessageReader& reader);
  /// Proposals for all units of the batch, by all threads and ranks.
  template <typename Choose>
  void propose_all(const State& state, Batch batch, const Choose& choose);
  /// Scores of the pieces of this rank.
  void score_pieces(const State& state, Batch batch);
  /// Proposals for the units that were cut, from the scores of all their pieces.
  template <typename Choose>
  void propose_cut(const State& state, Batch batch, const Choose& choose);
  template <typename Choose>
  void propose_joined(const State& state, Batch batch, Pieces pieces, Worker& worker, const Choose& choose);
  /// The proposal for one unit, from scores that are complete but for the rules.
  template <typename Choose>
  void propose(const State& state, Batch batch, std::size_t i, Worker& worker, const Choose& choose);
  template <typename Accept>
  void apply(State& state, Batch batch, const Accept& accept, PassResult& result);
  /// The moves that units of the batch want to make, in their order. Units with a clear margin are frozen.
  void find_wanted(const State& state, Batch batch);
  bool may_move(const State& state, const UnitMove& move) const;
  /// A proposal for the unit at place i in the state as it is now, with its contexts in workers_[0]; by the rank that has
  /// its lists, for all.
  void propose_again(const State& state, Batch batch, std::size_t i);

  std::function<void(std::size_t)> progress_;
  Wishes wishes_;
  base::WorkerTeam* team_;
  const RunOptions* run_;
  const MoveRules* rules_;
  base::Ranks ranks_;
  std::vector<Worker> workers_;  // by thread
  Shares shares_;                // of the batch, by rank
  PredictedWork predicted_;
  CutUnits cut_units_;
  std::vector<std::vector<PieceScores>> piece_scores_;  // by rank, as in shares_
  std::vector<PieceOfPlace> cut_;                       // all pieces that are known here, by place
  std::vector<Proposal> proposals_;                     // by place in the batch
  ProposalGather proposal_gather_;
  base::RepeatedGather gather_;
  BatchMoves moves_;
  std::vector<WantedMove> wanted_;
  bool shared_ = false;                   // the batch, among ranks
  bool climbing_ = false;                 // F must not fall
  std::vector<std::uint8_t> frozen_for_;  // passes that a unit is left out of
  std::vector<UnitId> active_;            // units of this pass
  float freeze_margin_ = 0;               // margin beyond which a unit is frozen
  double temperature_ = 0;                // of a heat-bath pass; 0: a greedy one
};

}  // namespace firth::exchange

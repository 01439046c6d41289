// Units that take so long that their classes are shared out among threads and ranks.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/kernel.hpp"
#include "cluster/exchange/state.hpp"
#include "cluster/exchange/work.hpp"

namespace firth::exchange {

struct ClassScore {
  ClassId c;
  float score;
};

/// What the classes of a piece say about its unit: all that a proposal can depend on.
struct PieceScores {
  static constexpr float kNone = -std::numeric_limits<float>::infinity();

  ClassScore best = {0, kNone};  ///< the first of the best, the unit's own class left out
  float home = kNone;            ///< of the unit's own class, if the piece has it
  std::vector<ClassScore>
      near;  ///< in the heat bath: classes that may be drawn as far as this piece can tell
};

/// What the pieces of a unit say together.
struct JoinedScores {
  ClassScore best = {0, PieceScores::kNone};
  float home = PieceScores::kNone;

  void add(const PieceScores& piece);
};

/// Scores pieces.
class CutUnits {
 public:
  /// `inverse_temperature` is 0 in greedy passes; `mask` is called with scores by class.
  struct Rules {
    float inverse_temperature;
    std::function<void(UnitId unit, std::span<float> scores)> mask;
  };

  /// By all threads of the team, against the state as it is.
  std::vector<PieceScores> score(const State& state, std::span<const UnitId> batch,
                                 std::span<const Piece> pieces, const Rules& rules, base::WorkerTeam& team);
  /// Contexts of a unit of which a piece was scored.
  const Contexts& contexts(std::size_t place) const;

 private:
  void collect(const State& state, std::span<const UnitId> batch, base::WorkerTeam& team);

  std::vector<std::size_t> places_;  // of the units, in rising order
  std::vector<Contexts> contexts_;   // by place; more than there are units where there were more before
  std::vector<base::AlignedVector<float>> scores_;  // by worker
};

}  // namespace firth::exchange

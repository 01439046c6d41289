// Finds the pair of least loss: rows whose bounds reach below the best known loss are looked at, and only
// pairs whose own bounds do are evaluated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "base/parallel.hpp"
#include "cluster/brown/window/bounds.hpp"
#include "cluster/brown/window/engine.hpp"
#include "cluster/brown/window/row_scorer.hpp"
#include "cluster/brown/window/window.hpp"

namespace firth::brown {

inline constexpr Score kNoLoss = std::numeric_limits<Score>::max();

/// A pair that might merge; the smaller one wins: less loss, then the rule for ties.
struct Candidate {
  Score loss = kNoLoss;
  std::uint32_t first = UINT32_MAX;   ///< rank of the cluster that ranks first
  std::uint32_t second = UINT32_MAX;  ///< rank of the other
  Slot v = kNoSlot;
  Slot w = kNoSlot;

  static Candidate of(Score loss, Slot v, std::uint32_t rank_v, Slot w, std::uint32_t rank_w) {
    return {loss, std::min(rank_v, rank_w), std::max(rank_v, rank_w), v, w};
  }
  bool operator<(const Candidate& other) const {
    return std::tie(loss, first, second) < std::tie(other.loss, other.first, other.second);
  }
};

template <class Cell>
class Search {
 public:
  Search(const Window<Cell>& window, Bounds& bounds, base::Team& team, const RunOptions& run);

  /// The least of all pairs inside the window.
  Candidate least();

  /// Whether some pair inside loses at most `loss`. Raises stale bounds on the way.
  bool any_at_most(Score loss);

  /// Whether clusters with so many neighbours have so few that all losses of one together take less time than
  /// some of them one by one.
  bool is_short(std::size_t neighbours) const { return neighbours * kShortRow < window_.lanes(); }
  /// Losses of one cluster with all others, by lane; valid until the next call. Free lanes have any value.
  std::span<const Score> row_losses(Slot v);

  void add_to(EngineStats& stats) const;

  /// Throws std::logic_error if least() is not the least of all.
  void check();

 private:
  static constexpr std::size_t kShortRow = 16;

  struct Evaluated {
    Slot v;
    Slot w;
    Score loss;
  };

  /// The least of the pairs of a row, and when that was so. As long as the row has not changed, none loses
  /// less, but for pairs with rows that have: the covers of those are low enough for them (README.md, section
  /// 3).
  struct Known {
    Candidate best;  ///< v is the row
    std::uint64_t row_state = 0;
    std::uint64_t partner_state = 0;
  };

  bool is_known(Slot v) const;
  bool may_beat(Slot v, const Candidate& best) const;
  void learn(Slot v, Bound limit);
  void learn_pair(const Candidate& pair);
  Candidate known_pairs();
  Candidate first_pairs(Candidate best);
  Candidate visit(std::span<const std::uint32_t> rows, Candidate best);
  void list_pairs(std::span<const std::uint32_t> rows, Bound limit);
  void evaluate_row(Slot v, Bound limit);
  void evaluate_pairs();

  const Window<Cell>& window_;
  Bounds& bounds_;
  base::Team& team_;
  const RunOptions& run_;
  std::vector<std::uint32_t> rows_;
  std::vector<Bound> row_;
  std::vector<std::uint32_t> lanes_;
  std::vector<Evaluated> pairs_;
  std::vector<Evaluated> row_pairs_;  ///< of rows that were evaluated as a whole
  RowScorer<Cell> scorer_;
  std::vector<Neighbour> meetings_;
  std::vector<Score> losses_;
  std::vector<Bound> pending_;
  std::vector<Known> known_;            ///< by row
  std::vector<Candidate> round_best_;   ///< by row: the least of the pairs evaluated in this round
  std::vector<std::uint8_t> in_round_;  ///< rows of the current round, so that no pair is evaluated twice
  Bound typical_ = 0;                   ///< running mean of evaluated losses
  std::uint64_t evaluations_ = 0;
  std::uint64_t scans_ = 0;
};

extern template class Search<std::uint32_t>;
extern template class Search<std::uint64_t>;

}  // namespace firth::brown

// Finds the pair of least loss: rows whose bounds reach below the best known loss are looked at, and only
// pairs whose own bounds do are evaluated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "base/parallel.hpp"
#include "cluster/brown/bounds.hpp"
#include "cluster/brown/engine.hpp"
#include "cluster/brown/window.hpp"

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

  void add_to(EngineStats& stats) const;

 private:
  struct Evaluated {
    Slot v;
    Slot w;
    Score loss;
  };

  Candidate first_pairs();
  Candidate visit(std::span<const std::uint32_t> rows, Candidate best);
  void list_pairs(std::span<const std::uint32_t> rows, Bound limit);
  void evaluate_pairs();

  const Window<Cell>& window_;
  Bounds& bounds_;
  base::Team& team_;
  const RunOptions& run_;
  std::vector<std::uint32_t> rows_;
  std::vector<Bound> row_;
  std::vector<std::uint32_t> lanes_;
  std::vector<Evaluated> pairs_;
  std::vector<Bound> pending_;
  std::vector<std::uint8_t> in_round_;  ///< rows of the current round, so that no pair is evaluated twice
  Bound typical_ = 0;                   ///< running mean of evaluated losses
  std::uint64_t evaluations_ = 0;
  std::uint64_t scans_ = 0;
};

extern template class Search<std::uint32_t>;
extern template class Search<std::uint64_t>;

}  // namespace firth::brown

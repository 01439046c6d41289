// Finds the pair of least loss: only rows whose bounds reach below the best known loss are read, and only
// pairs whose own bounds do are evaluated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "cluster/brown/window/bounded_window.hpp"
#include "cluster/brown/window/candidate.hpp"
#include "cluster/brown/window/known_pairs.hpp"
#include "firth/run.hpp"

namespace firth::brown {

template <class Cell>
class Search {
 public:
  Search(BoundedWindow<Cell>& clusters, base::Team& team, const RunOptions& run);

  /// The least of all pairs inside the window that may merge; no slots if there is none.
  Candidate least();

  /// Whether some pair inside loses at most `loss`. Raises stale bounds on the way.
  bool any_at_most(Score loss);

  /// Throws std::logic_error if least() is not the least of all.
  void check();

 private:
  struct Evaluated {
    Slot v;
    Slot w;
    Score loss;
  };

  /// The rows that are read together.
  struct Round {
    explicit Round(std::size_t slots) : contains(slots), best(slots) {}
    std::vector<std::uint8_t> contains;  ///< by row, so that no pair is evaluated twice
    std::vector<Candidate> best;         ///< by row: the least of the pairs evaluated
    std::vector<Evaluated> pairs;        ///< to evaluate, then evaluated
    std::vector<Evaluated> row_pairs;    ///< of rows that were evaluated as a whole
  };

  Candidate candidate(Slot v, Slot w, Score loss) const {
    return Candidate::of(loss, v, window_.rank(v), w, window_.rank(w));
  }
  Candidate known_pairs();
  Candidate first_pairs(Candidate best);
  Candidate visit(std::span<const std::uint32_t> rows, Candidate best);
  void list_pairs(std::span<const std::uint32_t> rows, Bound limit);
  void evaluate_row(Slot v, Bound limit);
  void evaluate_pairs();
  Candidate learn_pairs(Candidate best);

  const Window<Cell>& window_;
  Bounds& bounds_;
  base::Team& team_;
  const RunOptions& run_;
  ClusterScorer<Cell>& scorer_;
  KnownPairs known_;
  Round round_;
  std::vector<Bound> pending_;        ///< covers of rows to read
  std::vector<Bound> row_;            ///< bounds of the row at hand
  std::vector<std::uint32_t> rows_;   ///< that may have the least pair
  std::vector<std::uint32_t> lanes_;  ///< of the row at hand whose pairs must be evaluated
  Bound typical_ = 0;                 ///< running mean of evaluated losses
};

extern template class Search<std::uint32_t>;
extern template class Search<std::uint64_t>;

}  // namespace firth::brown

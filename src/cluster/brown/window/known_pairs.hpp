// The least pair of each row, as long as it is known.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/brown/window/bounds.hpp"
#include "cluster/brown/window/candidate.hpp"

namespace firth::brown {

/// As long as a row has not changed, none of its pairs loses less than the one kept here, but for pairs with
/// rows that have changed: the covers of those are low enough for them (MATH.md, section 3).
class KnownPairs {
 public:
  KnownPairs(const Bounds& bounds, std::size_t rows) : bounds_(bounds), known_(rows) {}

  /// Whether the least pair of the row is still what it was.
  bool is_known(Slot v) const {
    const Known& known = known_[v];
    return has_bound(v) && known.partner_state == bounds_.state(known.best.w);
  }
  /// The pair, its row first.
  const Candidate& best(Slot v) const { return known_[v].best; }

  /// Whether the row, whose rank is given, may have a better pair. Of many pairs that lose the same, one whose
  /// first cluster ranks first wins: the row of that cluster will do.
  bool may_beat(Slot v, std::uint32_t rank, const Candidate& best) const {
    if (!has_bound(v)) return true;
    const Candidate& own = known_[v].best;
    return own.loss < best.loss || (own.loss == best.loss && rank <= best.first);
  }

  /// All pairs of row `best.v` with bounds up to `limit` have been evaluated, and `best` is the least of them.
  void learn_row(const Candidate& best, Bound limit) {
    if (best.w == kNoSlot || bounds_.units(best.loss) > limit) return;
    set(best);
  }

  /// A pair has been evaluated because its second row has changed.
  void learn_pair(const Candidate& pair) {
    if (!has_bound(pair.v)) return;
    const Candidate& own = known_[pair.v].best;
    if (pair.loss < own.loss || (is_known(pair.v) && pair < own)) set(pair);
  }

 private:
  struct Known {
    Candidate best;  ///< v is the row
    std::uint64_t row_state = 0;
    std::uint64_t partner_state = 0;
  };

  /// Whether no pair of the row loses less than its best, pairs with changed rows apart.
  bool has_bound(Slot v) const {
    return known_[v].best.w != kNoSlot && known_[v].row_state == bounds_.state(v);
  }
  void set(const Candidate& best) { known_[best.v] = {best, bounds_.state(best.v), bounds_.state(best.w)}; }

  const Bounds& bounds_;
  std::vector<Known> known_;  ///< by row
};

}  // namespace firth::brown

#include "cluster/brown/groups/best_citizens.hpp"

#include <algorithm>

namespace firth::brown {

void BestCitizens::change(Slot lane, Slot citizen, Score loss, bool exact) {
  const bool best_known = is_best_known(lane);
  const Score old = partner_loss_[lane];
  if (partner_[lane] == citizen) {
    set(lane, citizen, loss, others_[lane]);
    // At a new loss, it may be tied with others that come first.
    best_known_[lane] = loss < others_[lane] || (best_known && loss == old);
  } else if (exact && (loss < least_[lane] ||
                       (best_known && loss == old && candidate(loss, lane, citizen) < best(lane)))) {
    set(lane, citizen, loss, least_[lane]);
    best_known_[lane] = 1;
  } else {
    set(lane, partner_[lane], old, std::min(others_[lane], loss));
    best_known_[lane] = best_known && (loss > old || (exact && loss == old));
  }
}

}  // namespace firth::brown

#include "cluster/brown/groups/best_citizens.hpp"

#include <algorithm>

namespace firth::brown {

void BestCitizens::change(Slot lane, Slot citizen, Score loss, bool exact) {
  const bool settled = is_settled(lane);
  const Score old = partner_loss_[lane];
  if (partner_[lane] == citizen) {
    set(lane, citizen, loss, others_[lane]);
    // At a new loss, it may be tied with others that come first.
    settled_[lane] = loss < others_[lane] || (settled && loss == old);
  } else if (exact && (loss < least_[lane] ||
                       (settled && loss == old && candidate(loss, lane, citizen) < best(lane)))) {
    set(lane, citizen, loss, least_[lane]);
    settled_[lane] = 1;
  } else {
    set(lane, partner_[lane], old, std::min(others_[lane], loss));
    settled_[lane] = settled && (loss > old || (exact && loss == old));
  }
}

}  // namespace firth::brown

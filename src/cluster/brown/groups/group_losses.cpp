#include "cluster/brown/groups/group_losses.hpp"

#include <algorithm>
#include <stdexcept>

namespace firth::brown {

template <class Cell>
std::uint64_t GroupLosses<Cell>::bytes(std::size_t citizens, std::size_t clusters) {
  const std::uint64_t lanes = padded(clusters);
  return LossState<Cell>::bytes(citizens, lanes) + MergeUpdate<Cell>::bytes(lanes) + lanes * sizeof(Slot);
}

template <class Cell>
void GroupLosses<Cell>::add_citizen(Slot lane) {
  const Row row = window_.row_of(lane);
  LossTable& table = state_.table;
  table.start_row(row);
  table.start_lane(lane);
  state_.shapes.set_inexact(lane);
  state_.best.set_bound(lane, -kTouchSlack);  // losses are >= 0, rounding apart
  for (Slot other = 0; other < window_.lanes(); ++other) table.set(row, other, -kTouchSlack);
  for (Row other = 0; other < window_.rows(); ++other) table.set(other, lane, -kTouchSlack);
}

template <class Cell>
void GroupLosses<Cell>::remove(Slot lane) {
  state_.shapes.set_inexact(lane);
  state_.best.remove(lane);
}

template <class Cell>
void GroupLosses<Cell>::prepare_lane(Slot lane) {
  state_.table.start_lane(lane);
  Score least = kNoLoss;
  for (Row row = 0; row < window_.rows(); ++row) {
    if (!window_.may_merge(row, lane)) continue;
    const Score loss = window_.immigrant_loss(lane, row);
    state_.table.set(row, lane, loss);
    least = std::min(least, loss);
  }
  state_.best.set_bound(lane, least);
}

/// Losses of citizens have not fallen (fact 1), rounding apart.
template <class Cell>
void GroupLosses<Cell>::prepare() {
  state_.table.lower_all(state_.slack());
  state_.shapes.find(window_);
  state_.list_inexact();
  state_.to_self.clear();
  for (Slot lane = 0; lane < window_.lanes(); ++lane) {
    if (window_.is_immigrant(lane)) {
      prepare_lane(lane);
      if (window_.self(lane) > 0) state_.to_self.push_back(lane);
    } else {
      state_.best.lower(lane, state_.slack());
    }
    if (lane % 256 == 0) run_.check_stop();
  }
}

/// The best citizen for a cluster: those whose bounds reach below the least loss are evaluated.
template <class Cell>
Candidate GroupLosses<Cell>::find_best(Slot lane) {
  if (state_.best.is_best_known(lane)) return state_.best.best(lane);
  Row first = kNoRow;
  Score least = kNoLoss;
  for (Row row = 0; row < window_.rows(); ++row)
    if (window_.may_merge(row, lane) && state_.table.get(row, lane) < least)
      least = state_.table.get(first = row, lane);
  Candidate best;
  Score others = kNoLoss;
  const auto consider = [&](Row row) {
    const Score loss = state_.evaluate(lane, row);
    others = std::min(others, std::max(loss, best.loss));
    best = std::min(best, state_.best.candidate(loss, lane, window_.lane_of(row)));
  };
  if (first != kNoRow) consider(first);
  for (Row row = 0; row < window_.rows(); ++row) {
    if (row == first || !window_.may_merge(row, lane)) continue;
    if (const Score low = state_.table.get(row, lane); low > best.loss)
      others = std::min(others, low);
    else
      consider(row);
  }
  state_.best.set_best(lane, best, others);
  run_.check_stop();
  return best;
}

template <class Cell>
Candidate GroupLosses<Cell>::least() {
  const std::span<const Score> least = state_.best.all().first(window_.lanes());
  const auto first =
      static_cast<Slot>(std::find(least.begin(), least.end(), smallest(least)) - least.begin());
  Candidate best = find_best(first);
  near_.clear();
  collect(least, best.loss, near_);
  for (const Slot lane : near_)
    if (lane != first && least[lane] != kNoLoss && least[lane] <= best.loss)
      best = std::min(best, find_best(lane));
  return best;
}

template <class Cell>
bool GroupLosses<Cell>::is_right(Slot lane, Row row) const {
  const BestCitizens& best = state_.best;
  const Slot citizen = window_.lane_of(row);
  const Score loss = window_.loss(lane, citizen);
  const Score known = state_.table.get(row, lane);
  if (state_.is_exact(lane) ? known != loss : known > loss) return false;
  if (best.partner(lane) == citizen) return best.partner_loss(lane) == loss;
  // Of two citizens, one will do.
  if (window_.row_of(lane) != kNoRow && best.least(citizen) <= loss) return true;
  return best.others(lane) <= loss &&
         (!best.is_best_known(lane) || best.best(lane) < best.candidate(loss, lane, citizen));
}

template <class Cell>
void GroupLosses<Cell>::check() const {
  for (Slot lane = 0; lane < window_.lanes(); ++lane) {
    if (!window_.is_live(lane)) continue;
    for (Row row = 0; row < window_.rows(); ++row)
      if (window_.may_merge(row, lane) && !is_right(lane, row))
        throw std::logic_error("Brown clustering: a loss kept up to date differs from its evaluation");
  }
}

template class GroupLosses<std::uint32_t>;
template class GroupLosses<std::uint64_t>;

}  // namespace firth::brown

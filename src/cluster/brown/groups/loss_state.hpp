// What is known of the losses in a GroupWindow; the search reads it, merges change it.
#pragma once

#include <vector>

#include "cluster/brown/groups/best_citizens.hpp"
#include "cluster/brown/groups/group_window.hpp"
#include "cluster/brown/groups/loss_table.hpp"
#include "cluster/brown/groups/word_shapes.hpp"
#include "cluster/brown/window/loss_drops.hpp"

namespace firth::brown {

template <class Cell>
struct LossState {
  LossState(const GroupWindow<Cell>& of, std::size_t citizens)
      : window(of), table(citizens, of.stride()), best(of.slots(), of.stride()), shapes(of.stride()) {}

  static std::uint64_t bytes(std::uint64_t citizens, std::uint64_t lanes) {
    return LossTable::bytes(citizens, lanes) + lanes * (BestCitizens::kBytesPerLane + 3 * sizeof(Slot));
  }

  const GroupWindow<Cell>& window;
  LossTable table;
  BestCitizens best;
  WordShapes shapes;
  std::vector<Slot> inexact;  ///< live clusters whose losses are bounds; some may have gone meanwhile
  std::vector<Slot> to_self;  ///< immigrants that follow themselves

  /// More than all rounding errors of a loss.
  Score slack() const { return kTouchSlack + static_cast<Score>(16 * window.lanes()); }

  /// Whether losses of the lane are kept exact.
  bool is_exact(Slot lane) const { return shapes.is_exact(lane); }

  /// The exact loss.
  Score evaluate(Slot lane, Row row) {
    if (is_exact(lane)) return table.get(row, lane);
    const Slot other = window.lane_of(row);
    const Score loss = window.loss(lane, other);
    table.set(row, lane, loss);
    if (window.row_of(lane) != kNoRow) table.set(window.row_of(lane), other, loss);
    return loss;
  }

  void list_inexact() {
    inexact.clear();
    for (Slot lane = 0; lane < window.lanes(); ++lane)
      if (window.is_live(lane) && !is_exact(lane)) inexact.push_back(lane);
  }
};

}  // namespace firth::brown

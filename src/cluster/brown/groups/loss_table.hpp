// Lower bounds of the losses of all citizens with all clusters; exact for some lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/brown/groups/group_window.hpp"

namespace firth::brown {

/// A loss is at least its key minus the falls of its row, of its lane and of all. A pair of citizens has two
/// keys.
class LossTable {
 public:
  LossTable(std::size_t rows, std::size_t lanes)
      : stride_(lanes), keys_(rows * lanes), row_falls_(rows), lane_falls_(lanes) {}

  static std::uint64_t bytes(std::uint64_t rows, std::uint64_t lanes) {
    return (rows + 1) * lanes * sizeof(Score);
  }

  Score get(Row row, Slot lane) const { return keys_[row * stride_ + lane] - falls(row, lane); }
  void set(Row row, Slot lane, Score loss) { keys_[row * stride_ + lane] = loss + falls(row, lane); }
  void change(Row row, Slot lane, Score by) { keys_[row * stride_ + lane] += by; }

  /// Keys of a row by lane, and what to subtract from each besides the fall of its lane.
  Score* keys(Row row) { return keys_.data() + row * stride_; }
  Score row_fall(Row row) const { return row_falls_[row] + all_falls_; }
  Score lane_fall(Slot lane) const { return lane_falls_[lane]; }

  /// All losses of the row, of the lane or of all may have fallen.
  void lower_row(Row row, Score fall) { row_falls_[row] += fall; }
  void lower_lane(Slot lane, Score fall) { lane_falls_[lane] += fall; }
  void lower_all(Score fall) { all_falls_ += fall; }
  /// All losses of the row or of the lane are about to be set.
  void start_row(Row row) { row_falls_[row] = 0; }
  void start_lane(Slot lane) { lane_falls_[lane] = 0; }

 private:
  Score falls(Row row, Slot lane) const { return row_falls_[row] + lane_falls_[lane] + all_falls_; }

  std::size_t stride_;
  std::vector<Score> keys_;  ///< by row and lane
  std::vector<Score> row_falls_, lane_falls_;
  Score all_falls_ = 0;
};

}  // namespace firth::brown

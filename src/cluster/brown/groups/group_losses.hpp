// What merging a citizen with any other cluster of a GroupWindow would lose: exact for most immigrants, a
// lower bound for other clusters (README.md, section 4).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cluster/brown/groups/group_window.hpp"
#include "cluster/brown/window/loss_drops.hpp"
#include "cluster/brown/window/search.hpp"

namespace firth::brown {

template <class Cell>
class GroupLosses {
 public:
  GroupLosses(const GroupWindow<Cell>& window, std::size_t citizens, const RunOptions& run);

  /// Bytes that the constructor will ask for.
  static std::uint64_t bytes(std::size_t citizens, std::size_t clusters);

  /// An immigrant has become a citizen.
  void add_citizen(Slot lane);
  /// A cluster is about to become part of another one.
  void remove(Slot lane);
  /// Words have entered: computes all losses of immigrants.
  void prepare();

  /// The pair of least loss.
  Candidate least();

  /// After prepare(): `gone` is about to become part of the citizen for `loss` ...
  void before_merge(Row kept, Slot gone, Score loss);
  /// ... and has done so.
  void after_merge(Row kept);

  void add_to(EngineStats& stats) const;

  /// After prepare(): evaluates every loss; throws std::logic_error if what is known of one is wrong.
  void check() const;

 private:
  /// Immigrants with the same marginals and degrees. The number 0 is for clusters whose losses may be mere
  /// bounds: citizens, and immigrants of kinds that come after the first 255.
  using Shape = std::uint8_t;
  static constexpr std::size_t kMaxShapes = 256;

  Score slack() const { return kTouchSlack + static_cast<Score>(16 * window_.lanes()); }
  Score* keys(Row row) { return keys_.data() + row * window_.stride(); }
  Score& key(Row row, Slot lane) { return keys(row)[lane]; }
  Score falls(Row row, Slot lane) const { return row_falls_[row] + lane_falls_[lane] + all_falls_; }
  Score bound(Row row, Slot lane) const { return keys_[row * window_.stride() + lane] - falls(row, lane); }
  void set_bound(Row row, Slot lane, Score bound) { key(row, lane) = bound + falls(row, lane); }
  bool may_merge(Row row, Slot lane) const {
    return window_.lane_of(row) != kNoSlot && window_.lane_of(row) != lane;
  }
  bool is_exact(Slot lane) const { return shape_[lane] != 0; }

  void find_shapes();
  void prepare_lane(Slot lane);
  Candidate candidate(Score loss, Slot v, Slot w) const {
    return Candidate::of(loss, v, window_.rank(v), w, window_.rank(w));
  }
  Candidate refresh(Slot lane);
  Score evaluate(Slot lane, Row row);
  void set_least(Slot lane, Score rest);
  void set_least(Slot lane, Slot partner, Score mine, Score rest);
  void changed(Slot lane, Slot citizen, Score loss, bool exact);

  void forget_exact_losses(Score fall);
  void join_contexts(Row kept, Slot gone);
  void join_contexts_for(Row w, Row kept, Slot gone);
  void join_contexts_of(Slot x, Row w, Row kept);
  void grow_contexts(Row kept, Slot gone);
  void grow_context(Row kept, const Neighbour& met, const Neighbour& own);
  void list_to_evaluate(Row kept, Slot gone);
  void renew_exact(Row kept);
  void renew_bounds(Row kept);
  void list_bounded();

  const GroupWindow<Cell>& window_;
  const Measure& measure_;
  const RunOptions& run_;
  // A loss is at least its key minus the falls of its row, of its lane and of all; for exact lanes it is just
  // that. A pair of citizens has two keys.
  std::vector<Score> keys_;  ///< by row and lane
  std::vector<Score> row_falls_, lane_falls_;
  Score all_falls_ = 0;
  // By lane: the loss with one citizen, exact, a lower bound of all others, and the smaller of the two.
  std::vector<Slot> partner_;  ///< kNoSlot: nobody, and the loss is kNoLoss
  std::vector<Score> mine_, rest_, least_;
  std::vector<Shape> shape_;
  std::vector<typename GroupWindow<Cell>::Sides> shapes_;  ///< by shape
  std::array<Score, kMaxShapes> marginals_{};  ///< by shape: what losses with the citizen at hand change by
  std::vector<Slot> to_self_;                  ///< immigrants that follow themselves
  std::vector<Count> met_after_, met_before_;  ///< by lane: how the immigrant at hand meets it
  std::vector<std::uint32_t> near_;
  std::vector<Row> rows_;
  std::vector<Slot> bounded_;  ///< live clusters that are not exact; some may have gone meanwhile
  std::vector<Slot> again_;    ///< lanes to evaluate after the merge
  bool by_shape_ = false;      ///< an immigrant is about to merge
  std::uint64_t evaluations_ = 0;
  std::uint64_t scans_ = 0;
};

extern template class GroupLosses<std::uint32_t>;
extern template class GroupLosses<std::uint64_t>;

}  // namespace firth::brown

// What merging a citizen with any other cluster of a GroupWindow would lose: exact for most immigrants, a
// lower bound for other clusters (MATH.md, section 4).
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/brown/groups/loss_state.hpp"
#include "cluster/brown/groups/merge_update.hpp"
#include "cluster/brown/window/candidate.hpp"
#include "firth/run.hpp"

namespace firth::brown {

template <class Cell>
class GroupLosses {
 public:
  GroupLosses(const GroupWindow<Cell>& window, std::size_t citizens, const RunOptions& run)
      : window_(window), run_(run), state_(window, citizens), update_(state_) {}

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
  void before_merge(Row kept, Slot gone, Score loss) { update_.before_merge(kept, gone, loss); }
  /// ... and has done so.
  void after_merge(Row kept) { update_.after_merge(kept); }

  /// After prepare(): evaluates every loss; throws std::logic_error if what is known of one is wrong.
  void check() const;

 private:
  void prepare_lane(Slot lane);
  Candidate find_best(Slot lane);
  bool is_right(Slot lane, Row row) const;

  const GroupWindow<Cell>& window_;
  const RunOptions& run_;
  LossState<Cell> state_;
  MergeUpdate<Cell> update_;
  std::vector<std::uint32_t> near_;  ///< lanes that may have the pair of least loss
};

extern template class GroupLosses<std::uint32_t>;
extern template class GroupLosses<std::uint64_t>;

}  // namespace firth::brown

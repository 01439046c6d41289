// What a merge in a GroupWindow changes of the losses (MATH.md, section 4).
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/brown/groups/loss_state.hpp"

namespace firth::brown {

template <class Cell>
class MergeUpdate {
 public:
  explicit MergeUpdate(LossState<Cell>& state)
      : window_(state.window), terms_(state.window.terms()), state_(state), gone_(state.window.stride()) {}

  static std::uint64_t bytes(std::uint64_t lanes) { return lanes * (2 * sizeof(Count) + 2 * sizeof(Slot)); }

  /// `gone` is about to become part of the citizen for `loss` ...
  void before_merge(Row kept, Slot gone, Score loss);
  /// ... and has done so.
  void after_merge(Row kept);

 private:
  /// How often the immigrant that merges is next to each cluster.
  struct GoneCounts {
    explicit GoneCounts(std::size_t lanes) : after(lanes), before(lanes) {}
    bool has(Slot lane) const { return after[lane] + before[lane] > 0; }
    std::vector<Count> after, before;  ///< by lane
  };

  void forget_exact_losses(Score fall);
  void join_contexts(Row kept, Slot gone);
  void join_contexts_for(Row w, Row kept, Slot gone);
  void join_contexts_of(Slot x, Row w, Row kept);
  void grow_contexts(Row kept, Slot gone);
  void grow_context(Row kept, const Neighbour& gone, const Neighbour& own);
  void list_to_evaluate(Row kept, Slot gone);
  void update_exact(Row kept);
  void update_bounds(Row kept);

  const GroupWindow<Cell>& window_;
  const ObjectiveTerms& terms_;
  LossState<Cell>& state_;
  GoneCounts gone_;
  bool is_immigrant_ = false;        ///< the cluster that merges
  Score fall_ = 0;                   ///< no loss with the citizen falls by more
  std::vector<Slot> to_evaluate_;    ///< exact lanes, after the merge
  std::vector<std::uint32_t> near_;  ///< lanes whose best citizen may change
};

extern template class MergeUpdate<std::uint32_t>;
extern template class MergeUpdate<std::uint64_t>;

}  // namespace firth::brown

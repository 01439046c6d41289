#include "cluster/brown/groups/merge_update.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace firth::brown {
namespace {

/// A citizen's cell grows from `cell` to `cell` + `more`: the change of its phi with a cell n of an
/// immigrant, which is nearly always the same few numbers.
class CellGrowth {
 public:
  CellGrowth(const ObjectiveTerms& terms, Count cell, Count more)
      : terms_(terms), cell_(cell), grown_(cell + more), own_(terms.h(cell + more) - terms.h(cell)) {
    for (Count n = 0; n < few_.size(); ++n) few_[n] = compute(n);
  }
  Score operator()(Count n) const { return n < few_.size() ? few_[n] : compute(n); }

 private:
  Score compute(Count n) const { return n == 0 ? 0 : own_ + terms_.h(n + cell_) - terms_.h(n + grown_); }

  const ObjectiveTerms& terms_;
  Count cell_, grown_;
  Score own_;
  std::array<Score, 4> few_;
};

}  // namespace

template <class Cell>
void MergeUpdate<Cell>::before_merge(Row kept, Slot gone, Score loss) {
  fall_ = loss + state_.slack();
  is_immigrant_ = window_.is_immigrant(gone);
  if (!is_immigrant_) return forget_exact_losses(fall_);
  const Slot citizen = window_.lane_of(kept);
  state_.shapes.before_growth(window_.marginals(citizen), terms_);
  join_contexts(kept, gone);
  grow_contexts(kept, gone);
  list_to_evaluate(kept, gone);
  // Fact 3 for the citizen itself.
  state_.table.lower_row(kept, fall_);
  state_.table.lower_lane(citizen, fall_);
  state_.best.lower(citizen, fall_);
}

template <class Cell>
void MergeUpdate<Cell>::after_merge(Row kept) {
  if (!is_immigrant_) return;
  state_.shapes.after_growth(window_.marginals(window_.lane_of(kept)), terms_, fall_);
  update_exact(kept);
  update_bounds(kept);
}

/// Two citizens merge: no loss falls by more (facts 2 and 3), but all may change.
template <class Cell>
void MergeUpdate<Cell>::forget_exact_losses(Score fall) {
  state_.table.lower_all(fall);
  state_.shapes.set_all_inexact();
  state_.list_inexact();
  for (const Slot lane : state_.inexact) state_.best.lower(lane, fall);
}

/// Two contexts, an immigrant `gone` and a citizen, become one. This changes losses of a cluster x with a
/// citizen w if both are neighbours of one of the two, and one of them of `gone`: by the same integers as if
/// they were computed anew.
template <class Cell>
void MergeUpdate<Cell>::join_contexts(Row kept, Slot gone) {
  const std::span<const Neighbour> neighbours = window_.neighbours(gone);
  for (const auto& [lane, after, before] : neighbours) {
    gone_.after[lane] = after;
    gone_.before[lane] = before;
  }
  for (const auto& [x, after, before] : neighbours) {
    if (window_.row_of(x) == kept) continue;
    for (Row row = 0; row < window_.rows(); ++row)
      if (row != kept && window_.may_merge(row, x)) join_contexts_of(x, row, kept);
  }
  for (const Neighbour& w : neighbours)
    if (const Row row = window_.row_of(w.slot); row != kNoRow && row != kept)
      join_contexts_for(row, kept, gone);
  for (const Neighbour& neighbour : neighbours)
    gone_.after[neighbour.slot] = gone_.before[neighbour.slot] = 0;
}

/// The same for one citizen w that is a neighbour of `gone` and all clusters that are neighbours of the other
/// context only: for them, a cell of w grows.
template <class Cell>
void MergeUpdate<Cell>::join_contexts_for(Row w, Row kept, Slot gone) {
  const Slot citizen = window_.lane_of(kept);
  const Slot partner = window_.lane_of(w);
  const Score common = state_.table.row_fall(w);
  Score* const row = state_.table.keys(w);
  const auto join = [&](const Cell* cells, const std::uint64_t* bits, Count cell, Count more) {
    if (more == 0) return;
    const CellGrowth growth(terms_, cell, more);
    for_each_bit(window_.lanes() / 64, bits, [&](Slot x) {
      if (x == gone || x == citizen || gone_.has(x)) return;
      row[x] += growth(cells[x]);
      const Score loss = row[x] - state_.table.lane_fall(x) - common;
      state_.best.update(x, partner, loss, state_.is_exact(x));
    });
  };
  const Cell* const after = window_.after(kept);
  const Cell* const before = window_.before(kept);
  join(before, window_.before_bits(kept), before[partner], gone_.before[partner]);
  join(after, window_.after_bits(kept), after[partner], gone_.after[partner]);
}

// Counts of w with the two contexts are read where the contexts have them: in one row and one list.
template <class Cell>
void MergeUpdate<Cell>::join_contexts_of(Slot x, Row w, Row kept) {
  const Slot partner = window_.lane_of(w);
  const auto change = [&](Count x_gone, Count w_gone, Count x_kept, Count w_kept) {
    if (w_gone + w_kept == 0) return Score{0};
    return terms_.phi(x_gone + x_kept, w_gone + w_kept) - terms_.phi(x_gone, w_gone) -
           terms_.phi(x_kept, w_kept);
  };
  const Cell* const after = window_.after(kept);
  const Cell* const before = window_.before(kept);
  const Score by = change(gone_.before[x], gone_.before[partner], before[x], before[partner]) +
                   change(gone_.after[x], gone_.after[partner], after[x], after[partner]);
  if (by == 0) return;
  state_.table.change(w, x, by);
  state_.best.update(x, partner, state_.table.get(w, x), state_.is_exact(x));
}

/// The citizen's cells with the contexts of `gone` grow: changes the losses of immigrants that share one.
template <class Cell>
void MergeUpdate<Cell>::grow_contexts(Row kept, Slot gone) {
  const Slot citizen = window_.lane_of(kept);
  for (const Neighbour& context : window_.neighbours(gone))
    if (context.slot != citizen)
      grow_context(kept, context,
                   {context.slot, window_.after(kept)[context.slot], window_.before(kept)[context.slot]});
}

/// `gone`, `own`: the context as `gone` and the citizen have it.
template <class Cell>
void MergeUpdate<Cell>::grow_context(Row kept, const Neighbour& gone, const Neighbour& own) {
  const CellGrowth after(terms_, own.after, gone.after);
  const CellGrowth before(terms_, own.before, gone.before);
  Score* const row = state_.table.keys(kept);
  const Row context = window_.row_of(gone.slot);
  if (context == kNoRow) {
    // As the context has it: what comes after x for x comes before it for the context.
    for (const auto& [x, x_before, x_after] : window_.neighbours(gone.slot))
      if (state_.is_exact(x)) row[x] += after(x_after) + before(x_before);
    return;
  }
  const std::size_t words = window_.lanes() / 64;
  const Cell* const x_after = window_.before(context);
  const Cell* const x_before = window_.after(context);
  if (gone.after > 0)
    for_each_bit(words, window_.before_bits(context), [&](Slot x) {
      if (state_.is_exact(x)) row[x] += after(x_after[x]);
    });
  if (gone.before > 0)
    for_each_bit(words, window_.after_bits(context), [&](Slot x) {
      if (state_.is_exact(x)) row[x] += before(x_before[x]);
    });
}

/// Immigrants that are neighbours of the one that goes; and if the citizen will follow itself more often than
/// before, all neighbours of the citizen and all that follow themselves.
template <class Cell>
void MergeUpdate<Cell>::list_to_evaluate(Row kept, Slot gone) {
  const Slot citizen = window_.lane_of(kept);
  to_evaluate_.clear();
  const auto add = [&](Slot lane) {
    if (state_.is_exact(lane)) to_evaluate_.push_back(lane);
  };
  bool own = window_.self(gone) > 0;
  for (const Neighbour& neighbour : window_.neighbours(gone)) {
    add(neighbour.slot);
    own |= neighbour.slot == citizen;
  }
  if (!own) return;
  const auto either = [&](std::size_t i) {
    return window_.after_bits(kept)[i] | window_.before_bits(kept)[i];
  };
  for_each_bit(window_.lanes() / 64, either, add);
  std::for_each(state_.to_self.begin(), state_.to_self.end(), add);
  std::sort(to_evaluate_.begin(), to_evaluate_.end());
  to_evaluate_.erase(std::unique(to_evaluate_.begin(), to_evaluate_.end()), to_evaluate_.end());
}

/// All losses of exact lanes with a citizen that an immigrant has joined.
template <class Cell>
void MergeUpdate<Cell>::update_exact(Row kept) {
  const std::span<Score> row(state_.table.keys(kept), window_.lanes());
  add_by_kind(row, state_.shapes.by_lane(), state_.shapes.changes());
  for (const Slot lane : to_evaluate_) state_.table.set(kept, lane, window_.immigrant_loss(lane, kept));
  // Nothing has made losses of immigrants fall: their lanes have no falls of their own.
  const Slot citizen = window_.lane_of(kept);
  const Score common = state_.table.row_fall(kept);
  near_.clear();
  collect_changed(row, common, {state_.best.others_data(), state_.best.partners_data()}, citizen, near_);
  for (const Slot lane : near_)
    if (state_.is_exact(lane)) state_.best.update(lane, citizen, row[lane] - common, true);
}

/// Losses of the others, where they may be the least of a cluster.
template <class Cell>
void MergeUpdate<Cell>::update_bounds(Row kept) {
  const Slot citizen = window_.lane_of(kept);
  for (const Slot lane : state_.inexact) {
    if (lane == citizen || state_.best.least(lane) == kNoLoss) continue;
    const Score low = state_.table.get(kept, lane);
    if (low <= state_.best.least(lane))
      state_.best.update(lane, citizen, state_.evaluate(lane, kept), true);
    else if (state_.best.partner(lane) == citizen)
      state_.best.set_bound(lane, std::min(state_.best.others(lane), low));
    else
      state_.best.update(lane, citizen, low, false);
  }
}

template class MergeUpdate<std::uint32_t>;
template class MergeUpdate<std::uint64_t>;

}  // namespace firth::brown

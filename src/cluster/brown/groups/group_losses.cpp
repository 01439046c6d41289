#include "cluster/brown/groups/group_losses.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>

namespace firth::brown {
namespace {

constexpr Score kNobody = std::numeric_limits<Score>::min();  // in empty lanes: no loss is below it

/// A citizen's cell grows from `cell` to `cell` + `more`: the change of its phi with a cell n of an
/// immigrant, which is nearly always the same few numbers.
class CellGrowth {
 public:
  CellGrowth(const Measure& measure, Count cell, Count more)
      : measure_(measure), cell_(cell), grown_(cell + more), own_(measure.h(cell + more) - measure.h(cell)) {
    for (Count n = 0; n < few_.size(); ++n) few_[n] = compute(n);
  }
  Score operator()(Count n) const { return n < few_.size() ? few_[n] : compute(n); }

 private:
  Score compute(Count n) const { return n == 0 ? 0 : own_ + measure_.h(n + cell_) - measure_.h(n + grown_); }

  const Measure& measure_;
  Count cell_, grown_;
  Score own_;
  std::array<Score, 4> few_;
};

}  // namespace

template <class Cell>
GroupLosses<Cell>::GroupLosses(const GroupWindow<Cell>& window, std::size_t citizens, const RunOptions& run)
    : window_(window),
      measure_(window.measure()),
      run_(run),
      keys_(citizens * window.stride()),
      row_falls_(citizens),
      lane_falls_(window.stride()),
      partner_(window.stride(), kNoSlot),
      mine_(window.stride(), kNoLoss),
      rest_(window.stride(), kNobody),
      least_(window.stride(), kNoLoss),
      shape_(window.stride()),
      met_after_(window.stride()),
      met_before_(window.stride()) {}

template <class Cell>
std::uint64_t GroupLosses<Cell>::bytes(std::size_t citizens, std::size_t clusters) {
  const std::uint64_t stride = clusters + kLaneBlock;
  return (citizens + 6) * stride * sizeof(Score) + stride * 48;
}

/// Nothing is known but that every loss is at least `rest`.
template <class Cell>
void GroupLosses<Cell>::set_least(Slot lane, Score rest) {
  set_least(lane, kNoSlot, kNoLoss, rest);
}

template <class Cell>
void GroupLosses<Cell>::set_least(Slot lane, Slot partner, Score mine, Score rest) {
  partner_[lane] = partner;
  mine_[lane] = mine;
  rest_[lane] = rest;
  least_[lane] = std::min(mine, rest);
}

/// The loss with one citizen is now `loss`, or no less than that, if it is not `exact` (that with the partner
/// always is).
template <class Cell>
void GroupLosses<Cell>::changed(Slot lane, Slot citizen, Score loss, bool exact) {
  if (partner_[lane] == citizen)
    set_least(lane, citizen, loss, rest_[lane]);
  else if (exact && loss < least_[lane])
    set_least(lane, citizen, loss, least_[lane]);
  else
    set_least(lane, partner_[lane], mine_[lane], std::min(rest_[lane], loss));
}

template <class Cell>
void GroupLosses<Cell>::add_citizen(Slot lane) {
  const Row row = window_.row_of(lane);
  row_falls_[row] = lane_falls_[lane] = 0;
  shape_[lane] = 0;
  set_least(lane, -kTouchSlack);  // losses are >= 0, rounding apart
  for (Slot other = 0; other < window_.lanes(); ++other) set_bound(row, other, -kTouchSlack);
  for (Row other = 0; other < window_.rows(); ++other) set_bound(other, lane, -kTouchSlack);
}

template <class Cell>
void GroupLosses<Cell>::remove(Slot lane) {
  shape_[lane] = 0;
  set_least(lane, kNoLoss);
  rest_[lane] = kNobody;
}

template <class Cell>
void GroupLosses<Cell>::find_shapes() {
  std::map<std::tuple<Count, Count, Count, Count>, Shape> known;
  shapes_.assign(1, {});
  to_self_.clear();
  std::fill(shape_.begin(), shape_.end(), Shape{0});
  for (Slot lane = 0; lane < window_.lanes(); ++lane) {
    if (!window_.is_immigrant(lane)) continue;
    if (window_.self(lane) > 0) to_self_.push_back(lane);
    const auto& [left, right] = window_.sides(lane);
    const auto next = static_cast<Shape>(shapes_.size());
    const std::tuple shape(left.count, left.degree, right.count, right.degree);
    if (const auto found = known.find(shape); found != known.end()) {
      shape_[lane] = found->second;
    } else if (shapes_.size() < kMaxShapes) {
      known.emplace(shape, next);
      shapes_.push_back(window_.sides(lane));
      shape_[lane] = next;
    }
  }
}

template <class Cell>
void GroupLosses<Cell>::prepare_lane(Slot lane) {
  lane_falls_[lane] = 0;
  Score least = kNoLoss;
  for (Row row = 0; row < window_.rows(); ++row) {
    if (!may_merge(row, lane)) continue;
    const Score loss = window_.immigrant_loss(lane, row);
    ++evaluations_;
    set_bound(row, lane, loss);
    least = std::min(least, loss);
  }
  set_least(lane, least);
}

/// Losses of citizens have not fallen (fact 1), rounding apart.
template <class Cell>
void GroupLosses<Cell>::prepare() {
  all_falls_ += slack();
  find_shapes();
  list_bounded();
  for (Slot lane = 0; lane < window_.lanes(); ++lane) {
    if (window_.is_immigrant(lane))
      prepare_lane(lane);
    else if (least_[lane] != kNoLoss)
      set_least(lane, least_[lane] - slack());
    if (lane % 256 == 0) run_.check_stop();
  }
}

template <class Cell>
Score GroupLosses<Cell>::evaluate(Slot lane, Row row) {
  if (is_exact(lane)) return bound(row, lane);
  const Slot other = window_.lane_of(row);
  const Score loss = window_.any_loss(lane, other);
  ++evaluations_;
  set_bound(row, lane, loss);
  if (window_.row_of(lane) != kNoRow) set_bound(window_.row_of(lane), other, loss);
  return loss;
}

/// The best partner for a cluster: citizens whose bounds reach below the least loss are evaluated.
template <class Cell>
Candidate GroupLosses<Cell>::refresh(Slot lane) {
  if (mine_[lane] < rest_[lane]) return candidate(mine_[lane], lane, partner_[lane]);
  Row first = kNoRow;
  Score least = kNoLoss;
  for (Row row = 0; row < window_.rows(); ++row)
    if (may_merge(row, lane) && bound(row, lane) < least) least = bound(first = row, lane);
  Candidate best;
  Score rest = kNoLoss;
  const auto consider = [&](Row row) {
    const Candidate next = candidate(evaluate(lane, row), lane, window_.lane_of(row));
    rest = std::min(rest, std::max(next.loss, best.loss));
    best = std::min(best, next);
  };
  if (first != kNoRow) consider(first);
  for (Row row = 0; row < window_.rows(); ++row) {
    if (row == first || !may_merge(row, lane)) continue;
    if (const Score low = bound(row, lane); low > best.loss)
      rest = std::min(rest, low);
    else
      consider(row);
  }
  set_least(lane, best.w, best.loss, rest);
  run_.check_stop();
  return best;
}

template <class Cell>
Candidate GroupLosses<Cell>::least() {
  const std::span<const Score> least(least_.data(), window_.lanes());
  const auto first =
      static_cast<Slot>(std::find(least.begin(), least.end(), smallest(least)) - least.begin());
  Candidate best = refresh(first);
  near_.clear();
  collect(least, best.loss, near_);
  for (const Slot lane : near_)
    if (lane != first && least_[lane] != kNoLoss && least_[lane] <= best.loss)
      best = std::min(best, refresh(lane));
  ++scans_;
  return best;
}

template <class Cell>
void GroupLosses<Cell>::before_merge(Row kept, Slot gone, Score loss) {
  const Score fall = loss + slack();
  by_shape_ = window_.is_immigrant(gone);
  if (!by_shape_) return forget_exact_losses(fall);
  const Slot citizen = window_.lane_of(kept);
  for (std::size_t shape = 1; shape < shapes_.size(); ++shape)
    marginals_[shape] = fall - window_.marginal_loss(shapes_[shape], window_.sides(citizen));
  join_contexts(kept, gone);
  grow_contexts(kept, gone);
  list_to_evaluate(kept, gone);
  // Fact 3 for the citizen itself.
  row_falls_[kept] += fall;
  lane_falls_[citizen] += fall;
  set_least(citizen, least_[citizen] == kNoLoss ? kNoLoss : least_[citizen] - fall);
}

template <class Cell>
void GroupLosses<Cell>::after_merge(Row kept) {
  if (!by_shape_) return;
  const auto& sides = window_.sides(window_.lane_of(kept));
  for (std::size_t shape = 1; shape < shapes_.size(); ++shape)
    marginals_[shape] += window_.marginal_loss(shapes_[shape], sides);
  renew_exact(kept);
  renew_bounds(kept);
}

/// Two citizens merge: no loss falls by more (facts 2 and 3), but all may change.
template <class Cell>
void GroupLosses<Cell>::forget_exact_losses(Score fall) {
  all_falls_ += fall;
  std::fill(shape_.begin(), shape_.end(), Shape{0});
  list_bounded();
  for (const Slot lane : bounded_)
    if (least_[lane] != kNoLoss) set_least(lane, least_[lane] - fall);
}

/// Two contexts, an immigrant `gone` and a citizen, become one. This changes losses of a cluster x with a
/// citizen w if both have to do with the two, and one of them with `gone`: by the same integers as if they
/// were computed anew.
template <class Cell>
void GroupLosses<Cell>::join_contexts(Row kept, Slot gone) {
  near_.clear();
  rows_.clear();
  for (const auto& [lane, after, before] : window_.meetings(gone)) {
    met_after_[lane] = after;
    met_before_[lane] = before;
    if (window_.row_of(lane) == kept) continue;
    near_.push_back(lane);
    if (window_.row_of(lane) != kNoRow) rows_.push_back(window_.row_of(lane));
  }
  for (const Slot lane : near_)
    for (Row row = 0; row < window_.rows(); ++row)
      if (row != kept && may_merge(row, lane)) join_contexts_of(lane, row, kept);
  for (const Row row : rows_) join_contexts_for(row, kept, gone);
  for (const Neighbour& meeting : window_.meetings(gone))
    met_after_[meeting.slot] = met_before_[meeting.slot] = 0;
}

/// The same for one citizen w that meets `gone` and all clusters that meet the other context only: for them,
/// a cell of w grows.
template <class Cell>
void GroupLosses<Cell>::join_contexts_for(Row w, Row kept, Slot gone) {
  const Slot citizen = window_.lane_of(kept);
  const Slot partner = window_.lane_of(w);
  const Score common = row_falls_[w] + all_falls_;
  Score* const row = keys(w);
  const auto join = [&](const Cell* cells, const std::uint64_t* bits, Count cell, Count more) {
    if (more == 0) return;
    const CellGrowth growth(measure_, cell, more);
    for_each_bit(window_.lanes() / 64, bits, [&](Slot x) {
      if (x == gone || x == citizen || met_after_[x] + met_before_[x] > 0) return;
      row[x] += growth(cells[x]);
      const Score loss = row[x] - lane_falls_[x] - common;
      if (loss < rest_[x] || partner_[x] == partner) changed(x, partner, loss, is_exact(x));
    });
  };
  const Cell* const after = window_.after(kept);
  const Cell* const before = window_.before(kept);
  join(before, window_.before_bits(kept), before[partner], met_before_[partner]);
  join(after, window_.after_bits(kept), after[partner], met_after_[partner]);
}

// Counts of w with the two contexts are read where the contexts have them: in one row and one list.
template <class Cell>
void GroupLosses<Cell>::join_contexts_of(Slot x, Row w, Row kept) {
  const Slot partner = window_.lane_of(w);
  const auto change = [&](Count x_gone, Count w_gone, Count x_kept, Count w_kept) {
    if (w_gone + w_kept == 0) return Score{0};
    return measure_.phi(x_gone + x_kept, w_gone + w_kept) - measure_.phi(x_gone, w_gone) -
           measure_.phi(x_kept, w_kept);
  };
  const Cell* const after = window_.after(kept);
  const Cell* const before = window_.before(kept);
  const Score by = change(met_before_[x], met_before_[partner], before[x], before[partner]) +
                   change(met_after_[x], met_after_[partner], after[x], after[partner]);
  if (by == 0) return;
  key(w, x) += by;
  changed(x, partner, bound(w, x), is_exact(x));
}

/// The citizen's cells with the contexts of `gone` grow: changes the losses of immigrants that share one.
template <class Cell>
void GroupLosses<Cell>::grow_contexts(Row kept, Slot gone) {
  const Slot citizen = window_.lane_of(kept);
  for (const Neighbour& met : window_.meetings(gone))
    if (met.slot != citizen)
      grow_context(kept, met, {met.slot, window_.after(kept)[met.slot], window_.before(kept)[met.slot]});
}

/// `met`, `own`: how `gone` and the citizen meet the context.
template <class Cell>
void GroupLosses<Cell>::grow_context(Row kept, const Neighbour& met, const Neighbour& own) {
  const CellGrowth after(measure_, own.after, met.after);
  const CellGrowth before(measure_, own.before, met.before);
  Score* const row = keys(kept);
  const Row context = window_.row_of(met.slot);
  if (context == kNoRow) {
    // As the context sees it: what follows x for x stands before x for it.
    for (const auto& [x, x_before, x_after] : window_.meetings(met.slot))
      if (is_exact(x)) row[x] += after(x_after) + before(x_before);
    return;
  }
  const std::size_t words = window_.lanes() / 64;
  const Cell* const x_after = window_.before(context);
  const Cell* const x_before = window_.after(context);
  if (met.after > 0)
    for_each_bit(words, window_.before_bits(context), [&](Slot x) {
      if (is_exact(x)) row[x] += after(x_after[x]);
    });
  if (met.before > 0)
    for_each_bit(words, window_.after_bits(context), [&](Slot x) {
      if (is_exact(x)) row[x] += before(x_before[x]);
    });
}

/// Immigrants that meet the one that goes; and if the citizen will follow itself more often than before, all
/// that meet the citizen or themselves.
template <class Cell>
void GroupLosses<Cell>::list_to_evaluate(Row kept, Slot gone) {
  const Slot citizen = window_.lane_of(kept);
  again_.clear();
  const auto add = [&](Slot lane) {
    if (is_exact(lane)) again_.push_back(lane);
  };
  bool own = window_.self(gone) > 0;
  for (const Neighbour& met : window_.meetings(gone)) {
    add(met.slot);
    own |= met.slot == citizen;
  }
  if (!own) return;
  const auto either = [&](std::size_t i) {
    return window_.after_bits(kept)[i] | window_.before_bits(kept)[i];
  };
  for_each_bit(window_.lanes() / 64, either, add);
  std::for_each(to_self_.begin(), to_self_.end(), add);
  std::sort(again_.begin(), again_.end());
  again_.erase(std::unique(again_.begin(), again_.end()), again_.end());
}

/// All losses of exact lanes with a citizen that an immigrant has joined.
template <class Cell>
void GroupLosses<Cell>::renew_exact(Row kept) {
  const std::span<Score> row(keys(kept), window_.lanes());
  add_by_kind(row, shape_.data(), marginals_.data());
  for (const Slot lane : again_) {
    set_bound(kept, lane, window_.immigrant_loss(lane, kept));
    ++evaluations_;
  }
  // Nothing has made losses of immigrants fall: their lanes have no falls of their own.
  const Slot citizen = window_.lane_of(kept);
  const Score common = row_falls_[kept] + all_falls_;
  near_.clear();
  collect_changed(row, common, {rest_.data(), partner_.data()}, citizen, near_);
  for (const Slot lane : near_)
    if (is_exact(lane)) changed(lane, citizen, row[lane] - common, true);
}

/// Losses of the others, where they may be the least of a cluster.
template <class Cell>
void GroupLosses<Cell>::renew_bounds(Row kept) {
  const Slot citizen = window_.lane_of(kept);
  for (const Slot lane : bounded_) {
    if (lane == citizen || least_[lane] == kNoLoss) continue;
    const Score low = bound(kept, lane);
    if (low <= least_[lane])
      changed(lane, citizen, evaluate(lane, kept), true);
    else if (partner_[lane] == citizen)
      set_least(lane, std::min(rest_[lane], low));
    else
      changed(lane, citizen, low, false);
  }
}

/// Which lanes are not exact.
template <class Cell>
void GroupLosses<Cell>::list_bounded() {
  bounded_.clear();
  for (Slot lane = 0; lane < window_.lanes(); ++lane)
    if (window_.is_live(lane) && !is_exact(lane)) bounded_.push_back(lane);
}

template <class Cell>
void GroupLosses<Cell>::add_to(EngineStats& stats) const {
  stats.evaluations += evaluations_;
  stats.scans += scans_;
}

template <class Cell>
void GroupLosses<Cell>::check() const {
  for (Slot lane = 0; lane < window_.lanes(); ++lane) {
    if (!window_.is_live(lane)) continue;
    for (Row row = 0; row < window_.rows(); ++row) {
      if (!may_merge(row, lane)) continue;
      const Slot citizen = window_.lane_of(row);
      const Score loss = window_.any_loss(lane, citizen);
      const bool known = is_exact(lane) ? bound(row, lane) == loss : bound(row, lane) <= loss;
      const bool is_partner = partner_[lane] == citizen;
      const bool least = is_partner ? mine_[lane] == loss : rest_[lane] <= loss;
      // Of two citizens, one will do.
      const bool covered = !is_partner && window_.row_of(lane) != kNoRow && least_[citizen] <= loss;
      if (!known || !(least || covered))
        throw std::logic_error("Brown clustering: a loss kept up to date differs from its evaluation");
    }
  }
}

template class GroupLosses<std::uint32_t>;
template class GroupLosses<std::uint64_t>;

}  // namespace firth::brown

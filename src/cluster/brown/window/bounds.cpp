#include "cluster/brown/window/bounds.hpp"

#include <algorithm>
#include <bit>

namespace firth::brown {
namespace {

constexpr int kUnitsOfLargest = 34;  // resolution against range: the last few dozen merges may be cut
constexpr int kMinUnit = 16;         // coarser than all rounding errors of a loss together
constexpr std::uint32_t kRebaseAt = 1u << 28;

}  // namespace

Bounds::Bounds(std::size_t capacity, Score largest, const ClosedPairs& closed)
    : closed_(closed),
      unit_shift_(std::max(
          kMinUnit, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largest))) - kUnitsOfLargest)),
      stride_(padded(capacity)),
      keys_(stride_ * stride_),
      potentials_(stride_),
      exact_potentials_(stride_),
      covers_(stride_, kNever),
      floors_(stride_, kNever),
      changes_(stride_) {
  for (std::vector<Bound>& row : scratch_) row.resize(stride_);
}

std::uint64_t Bounds::bytes(std::size_t capacity) {
  const std::uint64_t stride = padded(capacity);
  return stride * stride * sizeof(std::uint32_t) + stride * 47;
}

void Bounds::store(Slot v, Slot w, Bound bound) {
  const std::uint32_t key =
      static_cast<std::uint32_t>(std::max(bound, kMin)) + potentials_[v] + potentials_[w];
  keys_[v * stride_ + w] = key;
  keys_[w * stride_ + v] = key;
}

void Bounds::set_pair(Slot v, Slot w, Score loss) {
  store(v, w, fresh(loss));
}

void Bounds::begin_row(Slot v) {
  ++changes_[v];
  potentials_[v] = 0;
  exact_potentials_[v] = 0;
  covers_[v] = kMin;
  floors_[v] = kMin;
}

void Bounds::add_row(Slot v) {
  begin_row(v);
  for (Slot w = 0; w < lanes_; ++w) store(v, w, kMin);
}

void Bounds::add_row(Slot v, std::span<const Score> losses) {
  begin_row(v);
  Bound least = kNever;
  for (Slot w = 0; w < lanes_; ++w) {
    if (w == v || floors_[w] == kNever) continue;
    const Bound bound = std::max(fresh(losses[w]), kMin);
    store(v, w, bound);
    covers_[w] = std::min(covers_[w], bound);
    least = std::min(least, bound);
  }
  covers_[v] = least;
}

void Bounds::remove_row(Slot v) {
  ++changes_[v];
  floors_[v] = covers_[v] = kNever;
}

void Bounds::lower(Slot v, Score drop) {
  ++changes_[v];
  if ((drop >> unit_shift_) >= kRebaseAt) return forget(v);
  exact_potentials_[v] += drop;
  const auto units = static_cast<std::uint32_t>((exact_potentials_[v] >> unit_shift_) + 1);
  const auto step = static_cast<Bound>(units - potentials_[v]);
  potentials_[v] = units;
  // A pair falls by the steps of both its rows, at most twice the larger.
  covers_[v] = std::max(covers_[v] - 2 * step, kMin);
  if (units > kRebaseAt) rebase(v);
}

void Bounds::lower(std::span<const Score> drops) {
  ++changes_of_all_;
  if ((largest(drops) >> unit_shift_) >= kRebaseAt) return lower_one_by_one(drops);
  const PotentialLanes lanes{exact_potentials_.data(), potentials_.data(), covers_.data()};
  if (lower_covers(drops, lanes, unit_shift_, kMin) <= kRebaseAt) return;
  for (Slot v = 0; v < drops.size(); ++v)
    if (potentials_[v] > kRebaseAt) rebase(v);
}

void Bounds::lower_one_by_one(std::span<const Score> drops) {
  for (Slot v = 0; v < drops.size(); ++v)
    if (drops[v] > 0) lower(v, drops[v]);
}

void Bounds::lower_pair(Slot v, Slot w, Score drop) {
  if (drop == 0) return;
  ++changes_[v];
  const auto units = std::min<Score>((drop >> unit_shift_) + 1, kLargest);
  const auto bound = static_cast<Bound>(keys_[v * stride_ + w] - potentials_[v] - potentials_[w]);
  store(v, w, static_cast<Bound>(bound - units));
  covers_[v] = std::min(covers_[v], std::max(static_cast<Bound>(bound - units), kMin));
}

void Bounds::forget(Slot v) {
  potentials_[v] = 0;
  exact_potentials_[v] = 0;
  covers_[v] = kMin;
  for (Slot w = 0; w < lanes_; ++w) store(v, w, kMin);
}

void Bounds::rebase(Slot v) {
  std::vector<Bound>& row = scratch_[2];
  read(v, row);
  potentials_[v] = 0;
  exact_potentials_[v] = 0;
  for (Slot w = 0; w < lanes_; ++w) store(v, w, row[w] == kNever ? kMin : row[w]);
}

void Bounds::read(Slot v, std::span<Bound> row) const {
  read_bounds(row.first(lanes_), {keys_.data() + v * stride_, potentials_.data(), floors_.data()},
              potentials_[v]);
  row[v] = kNever;
  closed_.mask(v, row.first(lanes_), kNever);
}

void Bounds::finish(Slot v) {
  std::vector<Bound>& row = scratch_[0];
  read(v, row);
  finish(v, {row.data(), lanes_});
}

void Bounds::merge_rows(Slot kept, Slot gone, Score loss, std::span<const Score> drops) {
  ++changes_[kept];
  std::vector<Bound>& kept_row = scratch_[0];
  std::vector<Bound>& gone_row = scratch_[1];
  read(kept, kept_row);
  read(gone, gone_row);
  remove_row(gone);
  lower_one_by_one(drops);
  potentials_[kept] = 0;
  exact_potentials_[kept] = 0;
  const Score fall = (loss >> unit_shift_) + 1;
  Bound least = kNever;
  for (Slot w = 0; w < lanes_; ++w) {
    if (w == kept || floors_[w] == kNever) continue;
    const Bound bound = static_cast<Bound>(std::max<Score>(std::max(kept_row[w], gone_row[w]) - fall, kMin));
    store(kept, w, bound);
    covers_[w] = std::min(covers_[w], bound);
    least = std::min(least, bound);
  }
  covers_[kept] = least;
}

void Bounds::compact(const std::vector<Slot>& moved, std::size_t stride, std::size_t lanes) {
  ++changes_of_all_;
  for (Slot v = 0; v < lanes_; ++v) {
    const Slot to = moved[v];
    if (to == kNoSlot) continue;
    for (Slot w = 0; w < lanes_; ++w)
      if (moved[w] != kNoSlot) keys_[to * stride + moved[w]] = keys_[v * stride_ + w];
    potentials_[to] = potentials_[v];
    exact_potentials_[to] = exact_potentials_[v];
    covers_[to] = covers_[v];
    floors_[to] = floors_[v];
  }
  const auto kept = static_cast<std::size_t>(
      std::count_if(moved.begin(), moved.end(), [](Slot slot) { return slot != kNoSlot; }));
  for (std::vector<Bound>* values : {&covers_, &floors_})
    std::fill(values->begin() + static_cast<std::ptrdiff_t>(kept), values->end(), kNever);
  stride_ = stride;
  lanes_ = lanes;
}

}  // namespace firth::brown

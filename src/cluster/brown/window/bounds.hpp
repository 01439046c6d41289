// Lower bounds of all merge losses, cheap to keep while the window changes.
//
// A pair's bound is key(v,w) - P(v) - P(w): the key holds the loss when it was last evaluated plus the
// potentials P of that time, and a potential grows by at most what one cluster can make a loss fall
// (MATH.md, section 3). So one event costs one addition per cluster, not per pair. Bounds are 32-bit
// integers in coarse units, rounded down, in wrapping arithmetic.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/count_rows.hpp"
#include "cluster/brown/objective_terms.hpp"
#include "cluster/brown/window/closed_pairs.hpp"

namespace firth::brown {

/// A loss in coarse units, rounded down.
using Bound = std::int32_t;

class Bounds {
 public:
  /// `largest`: no loss is larger; sets the unit. `closed`, which must outlive this, has pairs that read() shows as kNever.
  Bounds(std::size_t capacity, Score largest, const ClosedPairs& closed);

  static std::uint64_t bytes(std::size_t capacity);

  const ClosedPairs& closed() const noexcept { return closed_; }

  /// Losses of at most `loss` have bounds of at most this; losses above the range are cut, never raised.
  Bound units(Score loss) const {
    const Score whole = loss >> unit_shift_;
    return whole > kLargest ? kLargest : static_cast<Bound>(whole);
  }

  /// The bound of a pair whose loss is exactly known. The potentials that will be taken off are rounded up
  /// one by one: their difference may fall short by one unit each.
  Bound fresh(Score loss) const { return units(loss) - 2; }

  /// A cluster appears in slot v. Nothing is known of its losses, or all of them are (by lane).
  void add_row(Slot v);
  void add_row(Slot v, std::span<const Score> losses);

  /// The cluster has become part of another one.
  void remove_row(Slot v);

  void set_pair(Slot v, Slot w, Score loss);

  /// Every loss of a pair with `v` may have fallen by `drop`.
  void lower(Slot v, Score drop);
  /// The same for all clusters, by lane; 0: no change.
  void lower(std::span<const Score> drops);

  /// The loss of one pair falls by `drop`.
  void lower_pair(Slot v, Slot w, Score drop);

  /// `kept` and `gone` become one for `loss`: losses of the new cluster are at least the larger of the two
  /// minus `loss` (fact 3), those of any other v fall by at most drops[v] (fact 2; none: nothing).
  void merge_rows(Slot kept, Slot gone, Score loss, std::span<const Score> drops);

  /// Bounds of row v by lane; kNever for itself, for closed pairs, and where there is no cluster.
  void read(Slot v, std::span<Bound> row) const;
  /// Pairs of row v have been evaluated: makes its cover as high as its bounds allow.
  void finish(Slot v);
  /// The same with what read() gave.
  void finish(Slot v, std::span<const Bound> row) { covers_[v] = cover({covers_.data(), lanes_}, row); }

  /// Changes whenever losses of v may have.
  std::uint64_t state(Slot v) const { return (std::uint64_t{changes_of_all_} << 32) | changes_[v]; }

  /// Every pair (v,w) has a loss of at least min(covers[v], covers[w]).
  std::span<const Bound> covers() const { return {covers_.data(), lanes_}; }

  void set_lanes(std::size_t lanes) { lanes_ = lanes; }
  void compact(const std::vector<Slot>& moved, std::size_t stride, std::size_t lanes);

  static constexpr Bound kLargest = (1 << 29) - 1;
  static constexpr Bound kNever = INT32_MAX;  ///< no pair
  static constexpr Bound kMin = -8;           ///< below every loss: losses are >= 0 but for rounding

 private:
  void begin_row(Slot v);
  void lower_one_by_one(std::span<const Score> drops);
  void store(Slot v, Slot w, Bound bound);
  void rebase(Slot v);
  void forget(Slot v);

  const ClosedPairs& closed_;
  int unit_shift_;
  std::size_t stride_;
  std::size_t lanes_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> potentials_;  ///< P in units, rounded up, modulo 2^32
  std::vector<Score> exact_potentials_;
  std::vector<Bound> covers_;
  std::vector<Bound> floors_;           ///< kNever for lanes without a cluster, else kMin
  std::vector<std::uint32_t> changes_;  ///< by row, modulo 2^32
  std::uint32_t changes_of_all_ = 0;
  std::array<std::vector<Bound>, 3> scratch_;  ///< rows
};

}  // namespace firth::brown

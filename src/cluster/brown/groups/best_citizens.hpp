// The best citizen for every cluster, as far as it is known.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cluster/brown/window/candidate.hpp"
#include "cluster/brown/window/slot_table.hpp"

namespace firth::brown {

/// By lane: the loss with one citizen, its partner, exact; a lower bound of the losses with all others; and
/// the smaller of the two.
class BestCitizens {
 public:
  /// `slots` must outlive this.
  BestCitizens(const SlotTable& slots, std::size_t lanes)
      : slots_(slots),
        partner_(lanes, kNoSlot),
        partner_loss_(lanes, kNoLoss),
        others_(lanes, kEmptyLane),
        least_(lanes, kNoLoss),
        best_known_(lanes) {}

  static constexpr std::uint64_t kBytesPerLane = 3 * sizeof(Score) + sizeof(Slot) + 1;

  Score least(Slot lane) const { return least_[lane]; }
  std::span<const Score> all() const { return least_; }
  Slot partner(Slot lane) const { return partner_[lane]; }  ///< kNoSlot: nobody
  Score partner_loss(Slot lane) const { return partner_loss_[lane]; }
  Score others(Slot lane) const { return others_[lane]; }
  /// Bounds and partners by lane, for the kernel: update() matters only where a loss is at most the bound, or
  /// is that with the partner.
  const Score* others_data() const { return others_.data(); }
  const Slot* partners_data() const { return partner_.data(); }

  /// Whether no other citizen is better for the lane than its partner, the rule for ties included.
  bool is_best_known(Slot lane) const { return best_known_[lane] != 0; }
  Candidate best(Slot lane) const { return candidate(partner_loss_[lane], lane, partner_[lane]); }
  Candidate candidate(Score loss, Slot v, Slot w) const {
    return Candidate::of(loss, v, slots_.rank(v), w, slots_.rank(w));
  }

  /// Nothing is known but that every loss is at least `bound`.
  void set_bound(Slot lane, Score bound) { set(lane, kNoSlot, kNoLoss, bound); }
  void lower(Slot lane, Score fall) {
    if (least_[lane] != kNoLoss) set_bound(lane, least_[lane] - fall);
  }
  /// The best citizen is known, and the others lose at least `others`.
  void set_best(Slot lane, const Candidate& best, Score others) {
    set(lane, best.w, best.loss, others);
    best_known_[lane] = best.w != kNoSlot;
  }
  /// There is no cluster in the lane.
  void remove(Slot lane) {
    set_bound(lane, kNoLoss);
    others_[lane] = kEmptyLane;
  }

  /// The loss with one citizen is now `loss`, or no less than that if it is not `exact` (that with the partner
  /// always is).
  void update(Slot lane, Slot citizen, Score loss, bool exact) {
    if (loss <= others_[lane] || partner_[lane] == citizen) change(lane, citizen, loss, exact);
  }

 private:
  static constexpr Score kEmptyLane = std::numeric_limits<Score>::min();  // no loss is below it

  void change(Slot lane, Slot citizen, Score loss, bool exact);
  void set(Slot lane, Slot partner, Score loss, Score others) {
    partner_[lane] = partner;
    partner_loss_[lane] = loss;
    others_[lane] = others;
    least_[lane] = std::min(loss, others);
    best_known_[lane] = 0;
  }

  const SlotTable& slots_;
  std::vector<Slot> partner_;
  std::vector<Score> partner_loss_, others_, least_;
  std::vector<std::uint8_t> best_known_;
};

}  // namespace firth::brown

// The slots of a window: which are in use, and by whom.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/count_rows.hpp"
#include "firth/types.hpp"

namespace firth::brown {

class SlotTable {
 public:
  explicit SlotTable(std::size_t slots) : info_(slots) {}

  std::size_t used() const noexcept { return used_; }    ///< slots in use or free
  std::size_t lanes() const noexcept { return lanes_; }  ///< the same, padded
  std::size_t live() const noexcept { return live_; }    ///< slots in use
  bool is_live(Slot slot) const { return info_[slot].live; }
  std::span<const Slot> free() const noexcept { return free_; }

  std::uint32_t rank(Slot slot) const { return info_[slot].rank; }
  std::uint32_t node(Slot slot) const { return info_[slot].node; }
  WordId head(Slot slot) const { return info_[slot].head; }  ///< the smallest word id
  void set_node(Slot slot, std::uint32_t node) { info_[slot].node = node; }

  /// A slot for a new cluster of one word.
  Slot take(WordId word, std::uint32_t rank) {
    Slot slot = static_cast<Slot>(used_);
    if (free_.empty()) {
      lanes_ = padded(++used_);
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    ++live_;
    info_[slot] = {rank, word, word, true};
    return slot;
  }

  /// A word, or a cluster with its head and rank, becomes part of a cluster.
  void join(Slot slot, WordId head, std::uint32_t rank) {
    info_[slot].rank = std::min(info_[slot].rank, rank);
    info_[slot].head = std::min(info_[slot].head, head);
  }

  void release(Slot slot) {
    info_[slot].live = false;
    --live_;
    free_.push_back(slot);
  }

  /// The slots in use, rising.
  std::vector<Slot> list_live() const {
    std::vector<Slot> slots;
    for (Slot slot = 0; slot < used_; ++slot)
      if (is_live(slot)) slots.push_back(slot);
    return slots;
  }

  /// The slot of a node; kNoSlot if there is none.
  Slot find_node(std::uint32_t node) const {
    for (Slot slot = 0; slot < used_; ++slot)
      if (info_[slot].live && info_[slot].node == node) return slot;
    return kNoSlot;
  }

  /// The slots in use, `kept`, move to the front; none is free.
  void compact(std::span<const Slot> kept) {
    for (std::size_t i = 0; i < kept.size(); ++i) info_[i] = info_[kept[i]];
    std::fill(info_.begin() + static_cast<std::ptrdiff_t>(kept.size()), info_.end(), SlotInfo{});
    free_.clear();
    used_ = kept.size();
    lanes_ = padded(used_);
  }

 private:
  struct SlotInfo {
    std::uint32_t rank = 0;
    std::uint32_t node = 0;
    WordId head = 0;
    bool live = false;
  };

  std::vector<SlotInfo> info_;
  std::vector<Slot> free_;
  std::size_t used_ = 0;
  std::size_t live_ = 0;
  std::size_t lanes_ = 0;
};

}  // namespace firth::brown

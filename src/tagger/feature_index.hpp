// Features by their hash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tagger/hashing.hpp"

namespace firth::tagger {

/// A hash table from features to numbers 0, 1, 2, ... in the order in which they came.
class FeatureIndex {
 public:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  FeatureIndex() : slots_(kFirstSlots) {}

  std::size_t size() const noexcept { return keys_.size(); }
  std::span<const Hash> keys() const noexcept { return keys_; }

  /// The keys; nothing else is left.
  std::vector<Hash> take_keys() {
    slots_ = std::vector<Slot>(kFirstSlots);
    return std::exchange(keys_, {});
  }

  std::uint32_t find(Hash key) const {
    for (std::size_t at = key & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].number == kNone || slots_[at].key == key) return slots_[at].number;
    }
  }

  std::uint32_t find_or_add(Hash key) {
    const std::uint32_t found = find(key);
    if (found != kNone) return found;
    if (keys_.size() * 2 >= slots_.size()) resize(slots_.size() * 2);
    const auto number = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(key);
    place(key, number);
    return number;
  }

  /// Memory for as many keys, at least those that are there.
  std::uint64_t bytes_for(std::size_t keys) const {
    std::uint64_t slots = slots_.size();
    while (slots < 2 * keys) slots *= 2;
    return slots * sizeof(Slot) + std::max<std::uint64_t>(keys, keys_.capacity()) * sizeof(Hash);
  }

  /// Brings the place of a key closer before it is needed.
  void prefetch(Hash key) const { __builtin_prefetch(&slots_[key & (slots_.size() - 1)]); }

  /// For as many keys without growing again.
  void reserve(std::size_t keys) {
    keys_.reserve(keys);
    std::size_t slots = slots_.size();
    while (slots < 2 * keys) slots *= 2;
    if (slots > slots_.size()) resize(slots);
  }

 private:
  static constexpr std::size_t kFirstSlots = 1024;

  struct Slot {
    Hash key = 0;
    std::uint32_t number = kNone;
  };

  void place(Hash key, std::uint32_t number) {
    std::size_t at = key & (slots_.size() - 1);
    while (slots_[at].number != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {key, number};
  }

  void resize(std::size_t slots) {
    std::vector<Slot>().swap(slots_);  // before there are others: they take most of the memory
    slots_.resize(slots);
    for (std::size_t i = 0; i < keys_.size(); ++i) place(keys_[i], static_cast<std::uint32_t>(i));
  }

  std::vector<Slot> slots_;
  std::vector<Hash> keys_;
};

}  // namespace firth::tagger

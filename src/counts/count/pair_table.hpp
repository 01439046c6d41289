// One thread's pairs: a hash table that empties itself to disk when it is full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/temp_file.hpp"
#include "counts/pairs/pair_source.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

/// Counts pairs of word ids. Memory grows with the number of different pairs up to the limit; beyond that,
/// pairs go to an anonymous temporary file, where one pair may stand several times.
class PairTable {
 public:
  /// `max_bytes` = 0: no limit. `temp_folder` must outlive the table.
  PairTable(std::size_t max_bytes, const std::string& temp_folder);

  /// Counts (ids[i], ids[i + distance]) for every i where both lie in `ids`.
  void add_sequence(std::span<const WordId> ids, std::size_t distance);
  void add(WordId left, WordId right, Count count);

  /// What was counted, from memory and from disk; `ranks[id]` takes the place of each id.
  void append_sources(std::span<const WordId> ranks, std::vector<std::unique_ptr<PairSource>>& sources) const;

  std::size_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t pair;
    Count count;  // 0 = the slot is free
  };
  class TableSource;
  class FileSource;

  // Zeroed, in huge pages where the system has them: nearly every access is to another page.
  class Slots {
   public:
    Slots() = default;
    explicit Slots(std::size_t size);
    std::size_t size() const noexcept { return size_; }
    Slot& operator[](std::size_t place) const noexcept { return data_.get()[place]; }
    Slot* begin() const noexcept { return data_.get(); }
    Slot* end() const noexcept { return data_.get() + size_; }

   private:
    std::size_t size_ = 0;
    std::shared_ptr<Slot> data_;
  };

  static std::uint64_t join(WordId left, WordId right) noexcept {
    return (std::uint64_t{left} << 32) | right;
  }
  std::size_t place_of(std::uint64_t pair) const noexcept {
    const std::uint64_t mixed = pair * base::kGoldenRatio;
    return ((mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9u) >> shift_;
  }
  void add(std::uint64_t pair, std::size_t place, Count count);
  void make_room();
  void resize(std::size_t slots);
  void spill();

  std::size_t max_slots_;
  const std::string& temp_folder_;
  Slots slots_;
  unsigned shift_ = 0;
  std::size_t used_ = 0;
  std::shared_ptr<base::TempFile> file_;
  std::uint64_t spilled_ = 0;
};

}  // namespace firth::counts

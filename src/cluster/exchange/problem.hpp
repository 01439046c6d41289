// What exchange works on: units (words, or groups of words that must stay together) and their neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ranks.hpp"
#include "cluster/units.hpp"
#include "firth/counts.hpp"
#include "firth/types.hpp"

namespace firth::exchange {

using clusters::UnitId;

/// The neighbours of a unit on one side, the unit itself left out. Most pairs of a corpus were seen once:
/// those take four bytes instead of eight. A neighbour may come more than once; its counts add up.
struct Neighbours {
  std::span<const UnitId> once;              ///< neighbours seen once
  std::span<const UnitId> often;             ///< neighbours seen more than once ...
  std::span<const std::uint32_t> frequency;  ///< ... and how often
};

/// Entries of the lists of a unit on one side.
struct ListSizes {
  std::uint64_t once = 0;
  std::uint64_t often = 0;
};

/// Entries for a neighbour that was seen `count` times.
ListSizes entries_of(Count count);

/// By unit: the number of its lists among those of this rank.
using ListNumbers = std::vector<UnitId>;

/// Neighbour lists on one side, of all units or of those of one rank.
class Side {
 public:
  explicit Side(std::size_t lists, std::shared_ptr<const ListNumbers> numbers = nullptr)
      : numbers_(std::move(numbers)), once_begin_(lists + 1, 0), often_begin_(lists + 1, 0) {}

  /// `unit` must have its lists here.
  Neighbours of(UnitId unit) const {
    const UnitId list = number(unit);
    return {span(once_, once_begin_, list), span(often_, often_begin_, list),
            span(frequency_, often_begin_, list)};
  }

  /// of() will be called soon.
  void prefetch(UnitId unit) const {
    const UnitId list = number(unit);
    __builtin_prefetch(once_begin_.data() + list);
    __builtin_prefetch(often_begin_.data() + list);
  }
  /// The lists will be read soon: their beginnings, which are all there is of most.
  void prefetch_lists(UnitId unit) const {
    constexpr std::size_t kLine = 16;  // units
    const Neighbours lists = of(unit);
    __builtin_prefetch(lists.once.data());
    __builtin_prefetch(lists.once.data() + kLine);
    __builtin_prefetch(lists.often.data());
    __builtin_prefetch(lists.frequency.data());
  }

  /// Filling: first all sizes are counted, then, after allocate(), the same pairs are put into their places.
  void count(UnitId unit, Count count) { add(unit, entries_of(count)); }
  void add(UnitId unit, ListSizes sizes);
  void allocate();
  void put(UnitId unit, UnitId other, Count count);
  /// After the last put().
  void finish();

 private:
  template <typename T>
  static std::span<const T> span(const std::vector<T>& data, const std::vector<std::uint64_t>& begin,
                                 UnitId list) {
    return std::span<const T>(data).subspan(begin[list], begin[list + 1] - begin[list]);
  }
  UnitId number(UnitId unit) const { return numbers_ == nullptr ? unit : (*numbers_)[unit]; }

  std::shared_ptr<const ListNumbers> numbers_;  // nullptr: a list for every unit
  std::vector<std::uint64_t> once_begin_;
  std::vector<std::uint64_t> often_begin_;
  std::vector<UnitId> once_;
  std::vector<UnitId> often_;
  std::vector<std::uint32_t> frequency_;
};

/// The bigrams of a corpus between units, from both ends.
class Problem {
 public:
  /// The most bigrams that sums of logarithms can hold (base/fixed_log.hpp).
  static constexpr Count kMaxTotal = Count{1} << 50;

  /// `unit_of[w]` is the unit of word w, numbered without gaps. Throws ResourceError beyond kMaxTotal bigrams.
  Problem(const PairCounts& bigrams, std::span<const UnitId> unit_of, std::size_t units);

  /// Every rank gets the lists of some of the units, about as much as the others; the bigrams are those of rank 0. To
  /// be called by all ranks.
  Problem(const PairCounts& bigrams, std::span<const UnitId> unit_of, std::size_t units,
          const base::Ranks& ranks);

  /// Whether this rank has only some of the lists.
  bool sharded() const noexcept { return !owner_.empty(); }
  /// The ranks that have the lists together; one if they are all here.
  const base::Ranks& ranks() const noexcept { return ranks_; }
  /// The rank that has the lists of a unit.
  unsigned owner(UnitId unit) const { return sharded() ? owner_[unit] : ranks_.rank(); }
  bool owns(UnitId unit) const { return owner(unit) == ranks_.rank(); }
  std::size_t units() const noexcept { return self_.size(); }
  /// T of the formulas: all bigrams.
  Count total() const noexcept { return total_; }
  const Side& right() const noexcept { return right_; }
  const Side& left() const noexcept { return left_; }
  /// Lists that are here will be read: soon with `lists`, else later.
  void prefetch(UnitId unit, bool lists) const {
    if (!owns(unit)) return;
    for (const Side* side : {&right_, &left_}) {
      if (lists) {
        side->prefetch_lists(unit);
      } else {
        side->prefetch(unit);
      }
    }
  }
  /// N(x,x).
  Count self(UnitId unit) const { return self_[unit]; }
  /// Nl(x): bigrams that start with x, N(x,x) included.
  Count out(UnitId unit) const { return out_[unit]; }
  /// Nr(x): bigrams that end with x, N(x,x) included.
  Count in(UnitId unit) const { return in_[unit]; }

 private:
  friend class ListShards;

  /// Adds to the marginals.
  void add(UnitId left, UnitId right, Count count);
  void check_total() const;

  base::Ranks ranks_;
  std::vector<std::uint16_t> owner_;  // of lists, by unit; empty: all lists are here
  Count total_ = 0;
  Side right_;
  Side left_;
  std::vector<Count> self_;
  std::vector<Count> out_;
  std::vector<Count> in_;
};

}  // namespace firth::exchange

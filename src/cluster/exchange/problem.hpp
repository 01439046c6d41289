// What exchange works on: units (words, or groups of words that must stay together) and their neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

/// Neighbour lists of all units on one side.
class Side {
 public:
  explicit Side(std::size_t units) : once_begin_(units + 1, 0), often_begin_(units + 1, 0) {}

  Neighbours of(UnitId unit) const {
    return {span(once_, once_begin_, unit), span(often_, often_begin_, unit),
            span(frequency_, often_begin_, unit)};
  }

  /// Filling: first all sizes are counted, then, after allocate(), the same pairs are put into their places.
  void count(UnitId unit, Count count);
  void allocate();
  void put(UnitId unit, UnitId other, Count count);
  /// After the last put().
  void finish();

 private:
  template <typename T>
  static std::span<const T> span(const std::vector<T>& data, const std::vector<std::uint64_t>& begin,
                                 UnitId unit) {
    return std::span<const T>(data).subspan(begin[unit], begin[unit + 1] - begin[unit]);
  }

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

  std::size_t units() const noexcept { return self_.size(); }
  /// T of the formulas: all bigrams.
  Count total() const noexcept { return total_; }
  const Side& right() const noexcept { return right_; }
  const Side& left() const noexcept { return left_; }
  /// N(x,x).
  Count self(UnitId unit) const { return self_[unit]; }
  /// Nl(x): bigrams that start with x, N(x,x) included.
  Count out(UnitId unit) const { return out_[unit]; }
  /// Nr(x): bigrams that end with x, N(x,x) included.
  Count in(UnitId unit) const { return in_[unit]; }

 private:
  Count total_ = 0;
  Side right_;
  Side left_;
  std::vector<Count> self_;
  std::vector<Count> out_;
  std::vector<Count> in_;
};

}  // namespace firth::exchange

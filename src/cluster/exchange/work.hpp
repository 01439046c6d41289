// How long units take to score, and who scores what.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cluster/exchange/kernel.hpp"
#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/state.hpp"

namespace firth::exchange {

/// Some of the classes of the unit at a place of the batch.
struct Piece {
  std::size_t place;
  Lanes lanes;
};

/// What each rank scores of a batch: units by their places, and pieces of those that take longest.
struct Shares {
  std::vector<std::vector<std::size_t>> places;
  std::vector<std::vector<Piece>> pieces;
};

/// By unit: contexts in which it is scored, and what reading its neighbours adds, in lanes of the kernel.
class PredictedWork {
 public:
  /// To be called first, with the same problem every time: the work depends on the number of classes. Units whose lists
  /// are on another rank have none.
  void update(const State& state);

  /// Pieces of those of the units at `places` that take longest, if there are any: the longest first, pieces of a unit
  /// together. They do not depend on who will score them.
  std::vector<Piece> cut(std::span<const UnitId> batch, std::span<const std::size_t> places) const;

  /// Deals out a batch, about the same work to each of the ranks that `shares` has places for: pieces and units that take
  /// long one by one, then the others in stretches.
  void deal(std::span<const UnitId> batch, Shares& shares) const;

 private:
  class Dealer;

  std::vector<std::size_t> work_;
  ClassId classes_ = 0;
};

}  // namespace firth::exchange

// How long units take to score.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/state.hpp"

namespace firth::exchange {

/// Contexts of a unit times classes.
std::size_t scoring_work(const State& state, UnitId unit);

/// By unit: contexts in which it is scored, and what reading its neighbours adds, in lanes of the kernel.
class PredictedWork {
 public:
  /// To be called first, with the same problem every time: the work depends on the number of classes.
  void update(const State& state);
  /// Deals out the places of a batch, about the same work to each of places.size() ranks: those that take long one by
  /// one, then the others in stretches.
  void deal(std::span<const UnitId> batch, std::span<std::vector<std::size_t>> places) const;

 private:
  using WorkOfPlace = std::pair<std::size_t, std::size_t>;
  /// Places that take longer than `limit`, longest first.
  std::vector<WorkOfPlace> longer_than(std::size_t limit, std::span<const UnitId> batch) const;

  std::vector<std::size_t> work_;
  ClassId classes_ = 0;
};

}  // namespace firth::exchange

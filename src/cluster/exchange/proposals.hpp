// What the units of a batch want, and how ranks tell each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks.hpp"
#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/state.hpp"

namespace firth::exchange {

/// What one unit of a batch wants.
struct Proposal {
  ClassId target;
  float gain;    // by the scores at the start of the batch
  float margin;  // by which the unit's class is better than the best other
};

/// A batch, as far as its proposals depend on it.
struct BatchView {
  std::span<const UnitId> units;
  std::span<const ClassId> class_of;
  ClassId classes;
  bool heated;          // whether gains matter
  float freeze_margin;  // margins matter only if they are beyond
};

/// Every rank has made the proposals of its places of the batch (stretches, by rank); afterwards all have all. They take a
/// fixed number of bytes, so one call of the world is enough. Bits of the ranks go with them; those that any rank has
/// set are returned.
std::uint64_t gather_proposals(const base::Ranks& ranks, std::span<const std::vector<std::size_t>> places,
                               const BatchView& batch, std::uint64_t bits, std::span<Proposal> proposals);

}  // namespace firth::exchange

// The counts of a partition: pairs of classes and their marginals.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/pair_matrix.hpp"
#include "cluster/exchange/tables.hpp"

namespace firth::exchange {

/// Nl or Nr of every class, with what its logarithm's series needs.
struct MarginalRow {
  std::vector<Count> counts;
  base::AlignedVector<float> values;    ///< n in single precision; rows of floats are padded
  base::AlignedVector<float> slopes;    ///< ln n + 1
  base::AlignedVector<float> inverses;  ///< 1 / n
  float largest_inverse = 0;            ///< an upper bound of all 1 / n; infinite while some n is 0

  void resize(ClassId classes);
  Count operator[](ClassId c) const { return counts[c]; }
  void set(ClassId c, Count count);
  /// Makes what the series needs fit counts[c] again.
  void refresh(ClassId c) { set(c, counts[c]); }
  /// Makes the bound tight again after counts have changed.
  void refresh_bound();
};

/// Class counts as the kernel reads them.
struct ClassCounts {
  const Tables* tables = nullptr;
  PairMatrix after;   ///< row c holds N(B,c) for every class B: what a right neighbour of class c sees
  PairMatrix before;  ///< row c holds N(c,B) for every class B: what a left neighbour of class c sees
  MarginalRow out;    ///< Nl
  MarginalRow in;     ///< Nr
  std::vector<std::uint64_t> changed;  ///< a bit for each pair, by its left class: since the last refresh()

  void resize(ClassId classes);
  Count pair(ClassId left, ClassId right) const { return before.at(left, right); }
  void set(ClassId left, ClassId right, Count count);
  /// Whether counts up to `total` fit the cells as they are.
  bool holds(Count total) const { return before.is_wide() || total <= kMaxCell; }
  /// Adds to a count, below 0 by wrapping, and returns what it was. Until refresh(), only pair() knows. With `shared`, several
  /// threads may do so at the same time; what they add up to must fit the cells.
  Count change(ClassId left, ClassId right, Count change, bool shared);
  /// Everything fits the changed counts again.
  void refresh(base::WorkerTeam& team);
  void add(ClassId left, ClassId right, Count change) { set(left, right, pair(left, right) + change); }
  void subtract(ClassId left, ClassId right, Count change) { set(left, right, pair(left, right) - change); }
};

}  // namespace firth::exchange

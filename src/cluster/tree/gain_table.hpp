// The gain of every pair of classes, and the best of each row, so that the best pair is found without looking
// at all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/aligned.hpp"
#include "base/worker_team.hpp"

namespace firth::clusters {

/// Pairs v < w only; row v holds the pairs of v with every later class.
class GainTable {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

  struct Best {
    std::size_t v;
    std::size_t w;
    std::int64_t gain;
  };

  /// All pairs at kNever.
  explicit GainTable(std::size_t size);

  std::size_t size() const noexcept { return best_gain_.size(); }

  /// The pair of two different classes, in any order.
  std::int64_t& at(std::size_t v, std::size_t w) {
    return row(std::min(v, w))[v < w ? w - v - 1 : v - w - 1];
  }

  /// The first of the best pairs. Changes count from the refresh() after them.
  Best best() const;

  /// Brings the best of each row up to date: `changed` are classes in ascending order, at least one of every
  /// pair whose gain has changed.
  void refresh(const std::vector<std::size_t>& changed, base::WorkerTeam& team);

  /// Leaves only the classes of `places`, which ascend; they move up.
  void keep(const std::vector<std::size_t>& places);

 private:
  /// The pairs of v with v + 1 and so on.
  std::int64_t* row(std::size_t v) { return gains_.data() + v * (2 * size() - v - 1) / 2; }
  void scan(std::size_t v);
  void compare(std::size_t v, const std::vector<std::size_t>& changed);

  base::AlignedVector<std::int64_t> gains_;
  std::vector<std::int64_t> best_gain_;   // of each row
  std::vector<std::size_t> best_column_;  // the first that has it
};

}  // namespace firth::clusters

// Searches of one run that go on at the same time, each on a group of its ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/ranks.hpp"
#include "cluster/exchange/anytime.hpp"
#include "cluster/exchange/search_checkpoint.hpp"

namespace firth::exchange {

/// Ranks part into groups and come together again. While they are apart, all ranks of the run meet after every pass:
/// there they agree on an early end, rank 0 gets the snapshots of the others, and a group that has finished learns
/// whether those it waits for have.
class RankGroups {
 public:
  RankGroups(const RunOptions& run, SearchEnd& end, SearchCheckpoint& checkpoint)
      : ranks_(run), end_(end), checkpoint_(checkpoint) {}

  bool apart() const noexcept { return depth_ > 0; }

  /// Groups of the same size for up to `tasks` tasks at once; 1 if the ranks cannot be parted evenly, or
  /// hold the neighbour lists together.
  static unsigned count_for(const base::Ranks& ranks, unsigned tasks);

  /// Parts `ranks`, all or a group of the ranks of the run, into `groups` groups of neighbours, and calls
  /// body(world, group) on each. Returns when all of them are done.
  void run(const base::Ranks& ranks, unsigned groups,
           const std::function<void(World& world, unsigned group)>& body);

  /// To be called by every search on a group after every pass; does nothing while the ranks are together. Throws
  /// Cancelled on all ranks when one of them wants an end.
  void meet() {
    if (apart()) (void)meet(0);
  }

 private:
  /// By rank of the run: how deep the groups go that a rank waits for; 0 = it is at work.
  std::vector<std::uint64_t> meet(std::uint64_t waiting);
  void wait_for(const base::Ranks& ranks);

  base::Ranks ranks_;
  SearchEnd& end_;
  SearchCheckpoint& checkpoint_;
  std::uint64_t depth_ = 0;
};

}  // namespace firth::exchange

#include "cluster/exchange/rank_groups.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace firth::exchange {

unsigned RankGroups::count_for(const base::Ranks& ranks, unsigned tasks) {
  if (ranks.shard_lists()) return 1;  // a group would need the lists of the others
  unsigned groups = std::min(ranks.size(), std::max(tasks, 1U));
  while (ranks.size() % groups != 0) --groups;
  return groups;
}

void RankGroups::run(const base::Ranks& ranks, unsigned groups,
                     const std::function<void(World& world, unsigned group)>& body) {
  const unsigned group = ranks.rank() / (ranks.size() / groups);
  const std::unique_ptr<World> world = ranks.world().split(group);
  ++depth_;
  end_.set_apart(true);
  body(*world, group);
  wait_for(ranks);
  --depth_;
  end_.set_apart(apart());
}

std::vector<std::uint64_t> RankGroups::meet(std::uint64_t waiting) {
  checkpoint_.collect();
  end_.agree();
  end_.run().check_stop();
  std::vector<std::uint64_t> all(ranks_.size());
  all[ranks_.rank()] = waiting;
  ranks_.gather(std::span(all));
  return all;
}

void RankGroups::wait_for(const base::Ranks& ranks) {
  // Groups are made of neighbours: these are the ranks of `ranks` among those of the run.
  const unsigned first = ranks_.rank() - ranks.rank();
  for (;;) {
    const std::vector<std::uint64_t> waiting = meet(depth_);
    const auto arrived = [&](std::uint64_t depth) { return depth == depth_; };
    if (std::ranges::all_of(std::span(waiting).subspan(first, ranks.size()), arrived)) return;
  }
}

}  // namespace firth::exchange

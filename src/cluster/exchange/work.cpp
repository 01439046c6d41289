#include "cluster/exchange/work.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace firth::exchange {

std::size_t scoring_work(const State& state, UnitId unit) {
  std::size_t contexts = 0;
  for (const Side* side : {&state.problem().right(), &state.problem().left()}) {
    const Neighbours neighbours = side->of(unit);
    contexts += std::min<std::size_t>(neighbours.once.size() + neighbours.often.size(), state.classes());
  }
  return contexts * state.classes();
}

namespace {

std::size_t predicted_work(const State& state, UnitId unit) {
  constexpr std::size_t kFixedContexts = 6;
  constexpr std::size_t kLanesPerNeighbour = 4;
  std::size_t all = 0;
  for (const Side* side : {&state.problem().right(), &state.problem().left()}) {
    const Neighbours neighbours = side->of(unit);
    all += neighbours.once.size() + neighbours.often.size();
  }
  return scoring_work(state, unit) + kFixedContexts * state.classes() + kLanesPerNeighbour * all;
}

}  // namespace

void PredictedWork::update(const State& state) {
  if (classes_ == state.classes()) return;
  classes_ = state.classes();
  work_.resize(state.problem().units());
  for (UnitId unit = 0; unit < work_.size(); ++unit) work_[unit] = predicted_work(state, unit);
}

std::vector<PredictedWork::WorkOfPlace> PredictedWork::longer_than(std::size_t limit,
                                                                   std::span<const UnitId> batch) const {
  std::vector<WorkOfPlace> found;
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (work_[batch[i]] > limit) found.emplace_back(work_[batch[i]], i);
  std::ranges::sort(found, std::greater<>());
  return found;
}

void PredictedWork::deal(std::span<const UnitId> batch, std::span<std::vector<std::size_t>> places) const {
  // A place takes long if it takes more than a 32nd of what a rank gets, and than four units of the batch on average.
  constexpr std::size_t kLongShare = 32;
  constexpr std::size_t kLongUnits = 4;
  std::size_t all = 0;
  for (const UnitId unit : batch) all += work_[unit];
  const std::size_t share = all / places.size();
  const std::size_t limit = std::max(share / kLongShare, kLongUnits * all / batch.size());
  using Given = std::pair<std::size_t, std::size_t>;  // work and rank
  std::priority_queue<Given, std::vector<Given>, std::greater<>> least;
  std::vector<std::size_t> given(places.size(), 0);
  for (std::size_t r = 0; r < places.size(); ++r) least.emplace(0, r);
  for (const auto& [work, place] : longer_than(limit, batch)) {
    const std::size_t rank = least.top().second;
    least.pop();
    places[rank].push_back(place);
    least.emplace(given[rank] += work, rank);
  }
  std::size_t rank = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::size_t work = work_[batch[i]];
    if (work > limit) continue;
    while (rank + 1 < places.size() && given[rank] >= share) ++rank;
    given[rank] += work;
    places[rank].push_back(i);
  }
}

}  // namespace firth::exchange

#include "cluster/balance/balancer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/stage.hpp"
#include "firth/error.hpp"

namespace firth::balance {
namespace {

constexpr std::size_t kGrain = 16;
constexpr std::size_t kPartners = 4;  // of each kind that a swap is tried with
constexpr double kTokenSlack = 0.01;
constexpr std::uint64_t kUnitsPerMove = 1000;  // passes end when fewer than one unit in this many moves

std::uint64_t wish_key(ClassId from, ClassId to) {
  return std::uint64_t{from} << 32 | to;
}

}  // namespace

Balancer::Balancer(BalanceModel& model, Capacity& capacity, const RunOptions& run)
    : model_(model),
      capacity_(capacity),
      run_(run),
      team_(run.threads),
      gains_(team_.size(), std::vector<float>(capacity.classes())),
      targets_(model.class_of().size()),
      pinned_(model.class_of().size(), false) {
  for (const Capacity::Pin& pin : capacity.pins()) {
    if (home(pin.unit) != pin.home) force(pin.unit, pin.home);
    pinned_[pin.unit] = true;
  }
}

bool Balancer::may_move(std::size_t unit) const {
  return !pinned_[unit] && home(unit) >= capacity_.first() && !model_.fixed(unit);
}

void Balancer::force(std::size_t unit, ClassId target) {
  capacity_.moved(unit, home(unit), target);
  model_.move(unit, target);
}

void Balancer::note(std::size_t unit, std::span<const float> gains, bool with_room) {
  Targets& best = targets_[unit];
  best.fill({});
  for (ClassId c = capacity_.first(); c < gains.size(); ++c) {
    if (c == home(unit) || std::isinf(gains[c])) continue;
    if (with_room && !capacity_.has_room(unit, c)) continue;
    if (best.back().target != kNoClass && gains[c] <= best.back().gain) continue;
    // Sorted insertion; of equals the first stays ahead.
    std::size_t place = kTargets - 1;
    for (; place > 0 && (best[place - 1].target == kNoClass || best[place - 1].gain < gains[c]); --place)
      best[place] = best[place - 1];
    best[place] = {c, gains[c]};
  }
}

void Balancer::score(std::span<const std::size_t> units, bool with_room) {
  team_.run(units.size(), kGrain, [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !run_.stop.stop_requested(); ++i) {
      model_.gains(units[i], worker, gains_[worker]);
      note(units[i], gains_[worker], with_room);
    }
  });
  run_.check_stop();
}

std::vector<std::size_t> Balancer::by_eagerness(std::vector<std::size_t> units) const {
  std::erase_if(units, [&](std::size_t unit) { return targets_[unit].front().target == kNoClass; });
  std::stable_sort(units.begin(), units.end(), [&](std::size_t a, std::size_t b) {
    return targets_[a].front().gain > targets_[b].front().gain;
  });
  return units;
}

ClassId Balancer::open_target(std::size_t unit) const {
  for (const Target& target : targets_[unit])
    if (target.target != kNoClass && capacity_.has_room(unit, target.target)) return target.target;
  return kNoClass;
}

std::size_t Balancer::repair_round(bool whole_units) {
  std::vector<std::size_t> units;
  for (std::size_t unit = 0; unit < model_.class_of().size(); ++unit)
    if (may_move(unit) && capacity_.too_large(home(unit))) units.push_back(unit);
  score(units, true);
  std::size_t moved = 0;
  for (const std::size_t unit : by_eagerness(std::move(units))) {
    const ClassId from = home(unit);
    if (!capacity_.too_large(from)) continue;
    // A unit larger than what is too much leaves a hole: only where no other moves.
    if (!whole_units && capacity_.size(unit) > capacity_.load(from) - capacity_.max(from)) continue;
    const ClassId target = open_target(unit);
    if (target == kNoClass) continue;
    force(unit, target);
    ++moved;
  }
  return moved;
}

bool Balancer::repair() {
  bool whole_units = false;
  while (capacity_.any_too_large()) {
    const std::size_t moved = repair_round(whole_units);
    if (moved == 0 && whole_units) return false;
    whole_units = moved == 0;
  }
  return true;
}

void Balancer::index_wishes() {
  wishes_.clear();
  for (std::size_t unit = 0; unit < targets_.size(); ++unit) {
    if (!may_move(unit)) continue;
    for (const Target& target : targets_[unit]) {
      if (target.target == kNoClass) break;
      wishes_.push_back({wish_key(home(unit), target.target), target.gain, unit});
    }
  }
  std::sort(wishes_.begin(), wishes_.end(), [](const Wish& a, const Wish& b) {
    if (a.key != b.key) return a.key < b.key;
    return a.gain != b.gain ? a.gain > b.gain : a.unit < b.unit;
  });
  light_.assign(capacity_.classes(), {});
  for (std::size_t unit = targets_.size(); unit-- > 0;)
    if (may_move(unit) && light_[home(unit)].size() < kPartners) light_[home(unit)].push_back(unit);
}

std::span<const Balancer::Wish> Balancer::wishes(ClassId from, ClassId to) const {
  const std::uint64_t key = wish_key(from, to);
  const auto begin =
      std::lower_bound(wishes_.begin(), wishes_.end(), key,
                       [](const Wish& wish, std::uint64_t wanted) { return wish.key < wanted; });
  auto end = begin;
  while (end != wishes_.end() && end->key == key) ++end;
  return {begin, end};
}

bool Balancer::may_swap(std::size_t unit, std::size_t other) const {
  return capacity_.may_swap(unit, home(unit), other, home(other));
}

bool Balancer::swap(std::size_t unit, std::size_t other) {
  const ClassId from = home(unit);
  const ClassId to = home(other);
  if (!may_swap(unit, other) || !model_.swap_if_better(unit, other)) return false;
  capacity_.moved(unit, from, to);
  capacity_.moved(other, to, from);
  return true;
}

bool Balancer::swap_into(std::size_t unit, const Target& target) {
  std::size_t tries = 0;
  for (const Wish& wish : wishes(target.target, home(unit))) {
    if (target.gain + wish.gain <= 0 || tries == kPartners) break;
    if (home(wish.unit) != target.target || !may_swap(unit, wish.unit)) continue;
    ++tries;
    if (swap(unit, wish.unit)) return true;
  }
  for (const std::size_t other : light_[target.target])
    if (home(other) == target.target && swap(unit, other)) return true;
  return false;
}

bool Balancer::improve(std::size_t unit) {
  const ClassId from = home(unit);
  for (const Target& target : targets_[unit]) {
    if (target.target == kNoClass || !(target.gain > 0)) return false;
    if (target.target == from) continue;  // it came there as the partner of another
    if (!capacity_.has_room(unit, target.target)) {
      if (swap_into(unit, target)) return true;
    } else if (model_.move_if_better(unit, target.target)) {
      capacity_.moved(unit, from, target.target);
      return true;
    }
  }
  return false;
}

std::uint64_t Balancer::pass() {
  std::vector<std::size_t> units;
  for (std::size_t unit = 0; unit < model_.class_of().size(); ++unit)
    if (may_move(unit)) units.push_back(unit);
  score(units, false);
  index_wishes();
  std::uint64_t changed = 0;
  for (const std::size_t unit : by_eagerness(std::move(units))) {
    if (changed % 256 == 0) run_.check_stop();
    if (improve(unit)) ++changed;
  }
  return changed;
}

void balance(BalanceModel& model, const BalanceProblem& problem, const RunOptions& run) {
  const bool tokens = problem.limits.unit == SizeUnit::tokens;
  Capacity capacity(problem.sizes, model.class_of(), problem.first, problem.classes);
  capacity.limit(problem.limits, tokens ? kTokenSlack : 0, model.class_of());
  Balancer balancer(model, capacity, run);
  base::Stage stage(run, "balancing", "passes", static_cast<std::uint64_t>(problem.max_passes));
  std::uint64_t done = 0;
  const auto improve = [&] {
    for (int pass = 0; pass < problem.max_passes; ++pass) {
      const std::uint64_t changed = balancer.pass();
      stage.advance(++done);
      if (changed * kUnitsPerMove < problem.sizes.size()) break;
    }
  };
  if (!balancer.repair()) balancer.level(LevelGoal::within_limits);
  improve();
  if (tokens && problem.limits.equal) {
    balancer.level(LevelGoal::alike);
    capacity.keep_loads();
    improve();
  } else if (capacity.any_too_large()) {
    throw UsageError("no way was found to fit all words into classes of that size", "allow larger classes",
                     "ClassSizes::max");
  }
  stage.end();
}

}  // namespace firth::balance

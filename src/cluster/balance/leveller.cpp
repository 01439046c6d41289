#include "cluster/balance/leveller.hpp"

#include <algorithm>
#include <numeric>

namespace firth::balance {
namespace {

using Sized = Leveller::Sized;
using Candidate = Leveller::Candidate;

constexpr std::size_t kAgainstSeveral = 8;  // units that are tried against several others, lightest first
constexpr std::size_t kExact = 16;          // units of which every sum is tried

/// The units whose difference is wanted, or at least half of that, which cost least. `theirs` may give nothing. Both are
/// sorted by size, and have one candidate of each.
std::optional<std::pair<Sized, std::optional<Sized>>> cheapest(std::span<const Candidate> ours,
                                                               std::span<const Candidate> theirs,
                                                               std::uint64_t wanted) {
  std::optional<std::pair<Sized, std::optional<Sized>>> best;
  float best_gain = 0;
  for (std::size_t j = 0; j <= theirs.size(); ++j) {
    const std::uint64_t back = j == 0 ? 0 : theirs[j - 1].unit.first;
    const float back_gain = j == 0 ? 0 : theirs[j - 1].gain;
    auto away = std::lower_bound(ours.begin(), ours.end(), back + (wanted + 1) / 2,
                                 [](const Candidate& a, std::uint64_t size) { return a.unit.first < size; });
    for (; away != ours.end() && away->unit.first <= back + wanted; ++away) {
      if (best && away->gain + back_gain <= best_gain) continue;
      best_gain = away->gain + back_gain;
      best = {away->unit, j == 0 ? std::nullopt : std::optional(theirs[j - 1].unit)};
    }
  }
  return best;
}

/// Which of two units to let go and to take back: the difference that is nearest to half of the gap, and within it.
/// `theirs` may give nothing.
std::optional<std::pair<Sized, std::optional<Sized>>> one_for_one(std::span<const Sized> ours,
                                                                  std::span<const Sized> theirs,
                                                                  std::uint64_t gap) {
  std::optional<std::pair<Sized, std::optional<Sized>>> best;
  std::uint64_t best_miss = gap;
  const auto consider = [&](const Sized& away, const std::optional<Sized>& back) {
    const std::uint64_t returned = back ? back->first : 0;
    if (away.first <= returned || away.first - returned >= gap) return;
    const std::uint64_t twice = 2 * (away.first - returned);
    const std::uint64_t miss = twice > gap ? twice - gap : gap - twice;
    if (miss >= best_miss) return;
    best_miss = miss;
    best = {away, back};
  };
  for (std::size_t j = 0; j <= theirs.size(); ++j) {
    const std::optional<Sized> back = j == 0 ? std::nullopt : std::optional(theirs[j - 1]);
    const std::uint64_t wanted = (back ? back->first : 0) + gap / 2;
    const auto place = std::lower_bound(ours.begin(), ours.end(), Sized{wanted, 0});
    if (place != ours.end()) consider(*place, back);
    if (place != ours.begin()) consider(*(place - 1), back);
  }
  return best;
}

/// Some of the units, lightest first, whose sum is from `low` to `high`: the sums of all subsets are tried.
std::optional<std::vector<Sized>> exact_fill(std::span<const Sized> units, std::uint64_t low,
                                             std::uint64_t high) {
  std::uint64_t total = 0;
  for (const Sized& unit : units) total += unit.first;
  if (total < low) return std::nullopt;
  const auto end = static_cast<std::size_t>(std::min(high, total)) + 1;
  constexpr std::size_t kNone = kExact;
  std::vector<std::uint8_t> last(end, kNone);  // the last unit of a subset with that sum
  last[0] = 0;
  for (std::size_t i = 0; i < units.size(); ++i)
    for (std::size_t sum = end; sum-- > units[i].first;)
      if (last[sum] == kNone && last[sum - units[i].first] != kNone) last[sum] = static_cast<std::uint8_t>(i);
  for (std::size_t sum = end; sum-- > low;) {
    if (last[sum] == kNone) continue;
    std::vector<Sized> chosen;
    for (std::size_t left = sum; left > 0; left -= units[last[left]].first)
      chosen.push_back(units[last[left]]);
    return chosen;
  }
  return std::nullopt;
}

/// Some of the units, lightest first, whose sum is from `low` to `high`: heavy ones as long as they fit, then exactly.
std::optional<std::vector<Sized>> fill(std::span<const Sized> units, std::uint64_t low, std::uint64_t high) {
  const std::size_t exact = std::min(units.size(), kExact);
  std::vector<Sized> chosen;
  std::uint64_t sum = 0;
  for (std::size_t i = units.size(); i-- > exact;) {
    if (sum + units[i].first > high) continue;
    sum += units[i].first;
    chosen.push_back(units[i]);
  }
  const auto rest = exact_fill(units.first(exact), low > sum ? low - sum : 0, high - sum);
  if (!rest) return std::nullopt;
  chosen.insert(chosen.end(), rest->begin(), rest->end());
  return chosen;
}

}  // namespace

Leveller::Leveller(BalanceModel& model, Capacity& capacity, std::span<const std::size_t> units)
    : model_(model),
      capacity_(capacity),
      taken_(capacity.classes(), false),
      members_(capacity.classes()),
      gains_(capacity.classes()) {
  std::uint64_t total = 0;
  for (ClassId c = capacity.first(); c < capacity.classes(); ++c) total += capacity.load(c);
  for (const Capacity::Pin& pin : capacity.pins()) {
    taken_[pin.home] = true;
    total -= capacity.size(pin.unit);
  }
  average_ = total / (capacity.classes() - capacity.first() - capacity.pins().size());
  for (const std::size_t unit : units)
    members_[model.class_of()[unit]].emplace_back(capacity.size(unit), unit);
  for (auto& members : members_) std::sort(members.begin(), members.end());
}

std::vector<ClassId> Leveller::by_load() const {
  std::vector<ClassId> order;
  for (ClassId c = capacity_.first(); c < capacity_.classes(); ++c) order.push_back(c);
  std::stable_sort(order.begin(), order.end(),
                   [&](ClassId a, ClassId b) { return capacity_.load(a) > capacity_.load(b); });
  return order;
}

std::vector<Leveller::Sized> Leveller::movable(ClassId from, ClassId to) const {
  std::vector<Sized> units;
  for (const Sized& unit : members_[from])
    if (model_.allows(unit.second, to)) units.push_back(unit);
  return units;
}

void Leveller::move(const Sized& unit, ClassId from, ClassId to) {
  model_.move(unit.second, to);
  capacity_.moved(unit.second, from, to);
  members_[from].erase(std::lower_bound(members_[from].begin(), members_[from].end(), unit));
  members_[to].insert(std::lower_bound(members_[to].begin(), members_[to].end(), unit), unit);
}

/// What was allowed for each unit may not be for all together: then everything stays where it was.
bool Leveller::carry_out(const Exchange& exchange, ClassId large, ClassId small) {
  std::vector<std::pair<Sized, bool>> made;  // whether it went away
  const auto all = [&](const std::vector<Sized>& units, bool away) {
    return std::all_of(units.begin(), units.end(), [&](const Sized& unit) {
      if (!model_.allows(unit.second, away ? small : large)) return false;
      move(unit, away ? large : small, away ? small : large);
      made.emplace_back(unit, away);
      return true;
    });
  };
  // A single unit goes first: the class that it enters can spare any of the others then.
  const bool away_first = exchange.away.size() == 1;
  if (all(away_first ? exchange.away : exchange.back, away_first) &&
      all(away_first ? exchange.back : exchange.away, !away_first))
    return true;
  for (; !made.empty(); made.pop_back()) {
    const auto& [unit, away] = made.back();
    move(unit, away ? small : large, away ? large : small);
  }
  return false;
}

/// Of the units of each size the one that costs least.
std::vector<Leveller::Candidate> Leveller::candidates(std::span<const Sized> units, ClassId to) {
  std::vector<Candidate> found;
  for (const Sized& unit : units) {
    model_.gains(unit.second, 0, gains_);
    const Candidate candidate{unit, gains_[to]};
    if (found.empty() || found.back().unit.first != unit.first) {
      found.push_back(candidate);
    } else if (candidate.gain > found.back().gain) {
      found.back() = candidate;
    }
  }
  return found;
}

bool Leveller::swap_some(ClassId large, ClassId small, std::span<const Sized> ours,
                         std::span<const Sized> theirs) {
  const std::uint64_t least = taken_[large] ? capacity_.max(large) : average_;
  const std::uint64_t excess = capacity_.load(large) - std::min(capacity_.load(large), least);
  const std::uint64_t hole = average_ + 1 - std::min(capacity_.load(small), average_);
  const std::uint64_t wanted = std::max<std::uint64_t>(1, std::min(excess, hole));
  const auto carried = [&](const auto& pair) {
    Exchange exchange{{pair->first}, {}};
    if (pair->second) exchange.back.push_back(*pair->second);
    return carry_out(exchange, large, small);
  };
  const auto liked = cheapest(candidates(ours, small), candidates(theirs, large), wanted);
  if (liked && carried(liked)) return true;
  const auto any = one_for_one(ours, theirs, capacity_.load(large) - capacity_.load(small));
  return any && carried(any);
}

bool Leveller::narrow(ClassId large, ClassId small) {
  const std::uint64_t gap = capacity_.load(large) - capacity_.load(small);
  const std::vector<Sized> ours = movable(large, small);
  const std::vector<Sized> theirs = taken_[large] ? std::vector<Sized>() : movable(small, large);
  if (swap_some(large, small, ours, theirs)) return true;
  for (std::size_t i = 0; i < std::min(ours.size(), kAgainstSeveral); ++i) {
    const std::uint64_t size = ours[i].first;
    if (size == 0) continue;
    const auto back = fill(theirs, size < gap ? 0 : size - gap + 1, size - std::min(size, gap / 2));
    if (back && carry_out({{ours[i]}, *back}, large, small)) return true;
  }
  for (std::size_t i = 0; i < std::min(theirs.size(), kAgainstSeveral); ++i) {
    const std::uint64_t size = theirs[i].first;
    const auto away = fill(ours, size + 1, size + std::max<std::uint64_t>(1, gap / 2));
    if (away && carry_out({*away, {theirs[i]}}, large, small)) return true;
  }
  return false;
}

bool Leveller::level_once(LevelGoal goal, std::vector<bool>& stuck) {
  const std::vector<ClassId> order = by_load();
  for (const ClassId large : order) {
    if (goal == LevelGoal::within_limits && !capacity_.too_large(large)) continue;
    if (stuck[large]) continue;
    for (auto small = order.rbegin(); small != order.rend(); ++small) {
      if (capacity_.load(large) < capacity_.load(*small) + 2) break;
      if (taken_[*small] || !narrow(large, *small)) continue;
      stuck[*small] = false;
      return true;
    }
    stuck[large] = true;
  }
  return false;
}

void Leveller::level(LevelGoal goal, const RunOptions& run) {
  // A class that no unit can leave is asked again only when nothing else is left to do: others may have changed.
  for (bool changed = true; changed;) {
    std::vector<bool> stuck(capacity_.classes(), false);
    changed = false;
    while (level_once(goal, stuck)) {
      changed = true;
      run.check_stop();
    }
  }
}

void Balancer::level(LevelGoal goal) {
  std::vector<std::size_t> units;
  for (std::size_t unit = 0; unit < model_.class_of().size(); ++unit)
    if (may_move(unit)) units.push_back(unit);
  Leveller(model_, capacity_, units).level(goal, run_);
}

}  // namespace firth::balance

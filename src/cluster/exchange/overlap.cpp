#include "cluster/exchange/overlap.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cluster/exchange/search_context.hpp"

namespace firth::exchange {
namespace {

/// The units of one class of each partition.
struct Common {
  std::pair<ClassId, ClassId> classes;
  Count bigrams = 0;
  bool bound = false;  // constraints name one of its units
};

bool more_important(const Common& a, const Common& b) {
  if (a.bound != b.bound) return a.bound;
  if (!a.bound && a.bigrams != b.bigrams) return a.bigrams > b.bigrams;
  return a.classes < b.classes;
}

}  // namespace

bool same_partition(std::span<const ClassId> one, std::span<const ClassId> other) {
  std::map<ClassId, ClassId> there;
  std::map<ClassId, ClassId> back;
  for (std::size_t unit = 0; unit < one.size(); ++unit) {
    if (there.try_emplace(one[unit], other[unit]).first->second != other[unit]) return false;
    if (back.try_emplace(other[unit], one[unit]).first->second != one[unit]) return false;
  }
  return true;
}

Overlap overlap_of(const SearchProblem& search_problem, std::span<const ClassId> one,
                   std::span<const ClassId> other, ClassId max_classes) {
  const Problem& problem = search_problem.problem();
  std::map<std::pair<ClassId, ClassId>, Common> found;
  for (UnitId unit = 0; unit < one.size(); ++unit) {
    Common& common = found[{one[unit], other[unit]}];
    common.classes = {one[unit], other[unit]};
    common.bigrams += problem.out(unit) + problem.in(unit);
    common.bound = common.bound || search_problem.rules().bound(unit);
  }
  std::vector<Common> ranked;
  ranked.reserve(found.size());
  for (const auto& entry : found) ranked.push_back(entry.second);
  std::sort(ranked.begin(), ranked.end(), more_important);
  if (ranked.size() > max_classes && ranked[max_classes].bound) return {};

  Overlap overlap;
  overlap.classes = static_cast<ClassId>(std::min<std::size_t>(max_classes, ranked.size()));
  std::map<std::pair<ClassId, ClassId>, ClassId> number;
  for (ClassId c = 0; c < overlap.classes; ++c) number[ranked[c].classes] = c;
  for (UnitId unit = 0; unit < one.size(); ++unit) {
    const auto at = number.find({one[unit], other[unit]});
    overlap.class_of.push_back(at == number.end() ? overlap.classes : at->second);
    if (at == number.end()) overlap.unplaced.push_back(unit);
  }
  return overlap;
}

}  // namespace firth::exchange

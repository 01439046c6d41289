#include "lm/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace firth::lm {
namespace {

/// At this weight another hypothesis of a list becomes the best.
struct Change {
  double weight;
  std::int64_t errors;  ///< more than before
};

/// Lines of the upper envelope from the left; of parallel lines only the highest, the first of equal ones.
std::vector<MovingHypothesis> envelope(MovingList list, std::vector<double>& begins) {
  std::stable_sort(list.begin(), list.end(), [](const MovingHypothesis& a, const MovingHypothesis& b) {
    return a.slope != b.slope ? a.slope < b.slope : a.offset > b.offset;
  });
  std::vector<MovingHypothesis> lines;
  begins.clear();
  for (const MovingHypothesis& line : list) {
    if (!lines.empty() && lines.back().slope == line.slope) continue;
    double begin = 0;
    while (!lines.empty()) {
      begin = (lines.back().offset - line.offset) / (line.slope - lines.back().slope);
      if (lines.size() == 1 || begin > begins.back()) break;
      lines.pop_back();
      begins.pop_back();
    }
    if (!lines.empty()) begins.push_back(begin);
    lines.push_back(line);
  }
  return lines;
}

/// A stretch of weights without a change: nearer is better, then fewer.
double middle_of(double begin, double end, bool first, bool last) {
  if (first && last) return 0;
  if (first) return end - 1;
  if (last) return begin + 1;
  return begin + (end - begin) / 2;
}

}  // namespace

std::uint64_t errors_at(std::span<const MovingList> lists, double weight) {
  std::uint64_t errors = 0;
  for (const MovingList& list : lists) {
    const MovingHypothesis* best = nullptr;
    double most = 0;
    for (const MovingHypothesis& hypothesis : list) {
      const double total = hypothesis.offset + weight * hypothesis.slope;
      if (best != nullptr && total <= most) continue;
      best = &hypothesis;
      most = total;
    }
    if (best != nullptr) errors += best->errors;
  }
  return errors;
}

BestWeight best_weight(std::span<const MovingList> lists, double now) {
  std::vector<Change> changes;
  std::vector<double> begins;
  std::int64_t errors = 0;
  for (const MovingList& list : lists) {
    const std::vector<MovingHypothesis> lines = envelope(list, begins);
    if (lines.empty()) continue;
    errors += static_cast<std::int64_t>(lines.front().errors);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto more =
          static_cast<std::int64_t>(lines[i].errors) - static_cast<std::int64_t>(lines[i - 1].errors);
      changes.push_back({begins[i - 1], more});
    }
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.weight < b.weight; });
  BestWeight best{now, errors_at(lists, now)};
  bool moved = false;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    if (i > 0) errors += changes[i - 1].errors;
    const bool empty = i > 0 && i < changes.size() && changes[i].weight <= changes[i - 1].weight;
    if (empty) continue;
    const double place = middle_of(i == 0 ? 0 : changes[i - 1].weight,
                                   i == changes.size() ? 0 : changes[i].weight, i == 0, i == changes.size());
    const auto here = static_cast<std::uint64_t>(errors);
    const bool nearer = moved && here == best.errors && std::abs(place - now) < std::abs(best.weight - now);
    if (here > best.errors || (here == best.errors && !nearer)) continue;
    best = {place, here};
    moved = true;
  }
  best.errors = errors_at(lists, best.weight);  // rounding may let another hypothesis win
  const std::uint64_t before = errors_at(lists, now);
  return best.errors < before ? best : BestWeight{now, before};
}

}  // namespace firth::lm

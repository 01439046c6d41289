#include "cluster/brown/groups/word_shapes.hpp"

#include <map>
#include <tuple>

namespace firth::brown {

template <class Cell>
void WordShapes::find(const GroupWindow<Cell>& window) {
  std::map<std::tuple<Count, Count, Count, Count>, Shape> known;
  kinds_.assign(1, {});
  set_all_inexact();
  for (Slot lane = 0; lane < window.lanes(); ++lane) {
    if (!window.is_immigrant(lane)) continue;
    const auto& [left, right] = window.marginals(lane);
    const std::tuple kind(left.count, left.degree, right.count, right.degree);
    if (const auto found = known.find(kind); found != known.end()) {
      shape_[lane] = found->second;
    } else if (kinds_.size() < kMaxShapes) {
      shape_[lane] = static_cast<Shape>(kinds_.size());
      known.emplace(kind, shape_[lane]);
      kinds_.push_back(window.marginals(lane));
    }
  }
}

void WordShapes::before_growth(const MarginalPair& citizen, const ObjectiveTerms& terms) {
  for (std::size_t shape = 1; shape < kinds_.size(); ++shape)
    changes_[shape] = -marginal_loss(kinds_[shape], citizen, terms);
}

void WordShapes::after_growth(const MarginalPair& citizen, const ObjectiveTerms& terms, Score fall) {
  for (std::size_t shape = 1; shape < kinds_.size(); ++shape)
    changes_[shape] += marginal_loss(kinds_[shape], citizen, terms) + fall;
}

template void WordShapes::find(const GroupWindow<std::uint32_t>&);
template void WordShapes::find(const GroupWindow<std::uint64_t>&);

}  // namespace firth::brown

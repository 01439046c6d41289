#include "cluster/brown/window/neighbours.hpp"

#include <algorithm>

namespace firth::brown {

Count NeighbourCounter::self_count(WordId word) const {
  const auto others = input_.counts.bigrams().right_words(word);
  const auto found = std::lower_bound(others.begin(), others.end(), word);
  if (found == others.end() || *found != word) return 0;
  return input_.counts.bigrams().right_counts(word)[static_cast<std::size_t>(found - others.begin())];
}

}  // namespace firth::brown

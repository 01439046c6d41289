// Words from left to right under their tree.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "firth/clustering.hpp"

namespace firth::codes {

/// Two words of one class that has no tree below it never part.
inline constexpr std::uint32_t kSameLeaf = std::numeric_limits<std::uint32_t>::max();

struct LeafOrder {
  std::vector<WordId> words;
  /// gaps[i]: the depth of the lowest node above both words[i - 1] and words[i]; gaps[0] is 0. Without a tree, or
  /// between its parts where it is incomplete, 0.
  std::vector<std::uint32_t> gaps;
};

LeafOrder leaf_order(const Clustering& clustering);

}  // namespace firth::codes

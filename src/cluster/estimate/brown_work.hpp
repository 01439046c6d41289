// How much there is to do in Brown clustering, told from the counts.
#pragma once

#include <cstddef>

#include "firth/counts.hpp"

namespace firth::clusters {

/// What the time depends on. Two clusters have a context in common if both have been seen next to it, on the same side; every
/// computation of the loss of the pair examines it.
struct BrownWork {
  double first_common = 0;  ///< contexts in common, over all pairs of the words that fill the window
  double last_common = 0;   ///< the same once all words have entered
  double last_fill = 0;     ///< share of cells of the window that are not zero then
  double lanes = 0;  ///< losses of words that enter: over their neighbours, clusters that have these, too
};

/// `window`: clusters in it, at most as many as words. Words are taken to join the clusters in turn; clusters that
/// are made have fewer different neighbours. Looks at some million pairs, and at the neighbours of 16 clusters at least.
BrownWork brown_work(const Counts& counts, std::size_t window);

/// CPU seconds on one core, for the plain variant.
double brown_seconds(const Counts& counts, std::size_t window);

}  // namespace firth::clusters

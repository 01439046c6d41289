// The company that makes a class: classes and words before and after it more often than chance has it.
#pragma once

#include <string>

#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "report/page_places.hpp"

namespace firth::report {

/// For every node of the tree above the classes: the classes before it, those after it, the words before it, those after
/// it, at most `count` each, by falling count * log(count / expected count). A list is its length, then pairs of a place
/// and a count, all as varints.
std::string pack_neighbours(const Clustering& clustering, const PagePlaces& places, const Counts& counts,
                            std::size_t count, const RunOptions& run);

}  // namespace firth::report

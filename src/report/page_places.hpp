// Where classes and words are in the page, and the tree above the classes.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/io/page_archive.hpp"
#include "firth/clustering.hpp"

namespace firth::report {

/// The classes of a clustering in the order of the page. Nodes 0..K-1 are the classes by their places, node K + i is
/// made by merge i.
struct PagePlaces {
  clusters::PageOrder order;
  std::vector<std::uint32_t> class_place;  ///< by class
  std::vector<std::uint32_t> word_place;   ///< by word
  std::vector<TreeMerge> merges;           ///< of nodes, above the classes

  explicit PagePlaces(const Clustering& clustering);

  std::uint32_t class_count() const { return static_cast<std::uint32_t>(class_place.size()); }
};

}  // namespace firth::report

// Classes as a tree in Newick's format, which programs for phylogenetic trees draw.
//
//   firth::save_text("tree.nwk", firth::format_newick(firth::load_clustering("out")));
#pragma once

#include <string>

#include "firth/clustering.hpp"

namespace firth {

/// One line. The leaves are the words; the words of a class, most frequent first, are children of a node with the
/// number of the class as its label, and a class of one word is that word. Above the classes every node has two
/// children. Throws UsageError for classes without a tree.
[[nodiscard]] std::string format_newick(const Clustering& clustering);

}  // namespace firth

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.hpp"
#include "firth/newick.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

/// The slow and obvious way: the text of every node is made of the texts of its children.
std::string by_merges(const Clustering& clustering) {
  std::vector<std::string> nodes;
  const auto members = clustering.members();
  for (std::size_t c = 0; c < members.size(); ++c) {
    std::string words;
    for (const WordId word : members[c]) {
      if (!words.empty()) words += ',';
      words += "'" + std::string(clustering.vocabulary().word(word)) + "'";  // they have underscores
    }
    nodes.push_back(members[c].size() == 1 ? words : "(" + words + ")" + std::to_string(c));
  }
  for (const TreeMerge& merge : clustering.tree()->merges)
    nodes.push_back("(" + nodes[merge.left] + "," + nodes[merge.right] + ")");
  return nodes.back() + ";\n";
}

TEST(Newick, AgreesWithGluingTextsTogether) {
  base::Rng rng(7);
  for (int trial = 0; trial < 300; ++trial) {
    const Clustering clustering = reference::random_clustering(rng, 1 + rng.below(40), 1);
    EXPECT_EQ(format_newick(clustering), by_merges(clustering));
  }
}

}  // namespace
}  // namespace firth

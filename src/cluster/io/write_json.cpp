// Written by hand, line by line: a tree may be deeper than the stack that nlohmann's dump() would need.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cluster/io/formats.hpp"
#include "firth/error.hpp"

namespace firth::clusters {
namespace {

std::string quoted(std::string_view word) {
  try {
    return nlohmann::json(std::string(word)).dump();
  } catch (const nlohmann::json::exception&) {
    throw InputError({}, fmt::format("the word '{}' is not UTF-8, so JSON cannot hold it", shown(word)),
                     "write classes or paths instead");
  }
}

std::string leaf_text(const Clustering& clustering, std::uint32_t leaf) {
  if (clustering.tree()->kind == TreeLeaves::classes) return fmt::format("{{\"class\": {}}}", leaf);
  return fmt::format("{{\"word\": {}}}", quoted(clustering.vocabulary().word(leaf)));
}

/// A node and all that is below it, from left to right.
void write_node(const Clustering& clustering, std::uint32_t root, const Sink& sink) {
  const MergeTree& tree = *clustering.tree();
  struct Item {
    std::uint32_t node;
    const char* after;  // closes the parents that end with this node
  };
  // A closing mark is an item of its own: its text follows all that is below the node.
  constexpr auto kClose = static_cast<std::uint32_t>(-1);
  std::vector<Item> open = {{root, ""}};
  while (!open.empty()) {
    const Item item = open.back();
    open.pop_back();
    if (item.node == kClose) {
      sink(item.after);
    } else if (item.node < tree.leaves) {
      sink(leaf_text(clustering, item.node));
    } else {
      const std::size_t step = item.node - tree.leaves;
      const TreeMerge& merge = tree.merges[step];
      const std::string ami =
          std::isnan(merge.ami_bits) ? "" : fmt::format("\"ami_bits\": {}, ", merge.ami_bits);
      sink(fmt::format("{{\"step\": {}, {}\"children\": [\n", step, ami));
      open.push_back({kClose, "]}"});
      open.push_back({merge.right, ""});
      open.push_back({kClose, ",\n"});
      open.push_back({merge.left, ""});
    }
  }
}

/// Nodes that were made but never merged.
std::vector<std::uint32_t> made_roots(const MergeTree& tree) {
  std::vector<bool> merged(tree.leaves + tree.merges.size());
  for (const TreeMerge& merge : tree.merges) merged[merge.left] = merged[merge.right] = true;
  std::vector<std::uint32_t> roots;
  for (std::uint32_t node = tree.leaves; node < merged.size(); ++node) {
    if (!merged[node]) roots.push_back(node);
  }
  return roots;
}

void write_tree(const Clustering& clustering, const Sink& sink) {
  const MergeTree& tree = *clustering.tree();
  sink(fmt::format(",\n\"leaves\": \"{}\"", tree.kind == TreeLeaves::words ? "words" : "classes"));
  if (tree.merges.size() + 1 == tree.leaves) {
    sink(",\n\"tree\": ");
    write_node(clustering, static_cast<std::uint32_t>(tree.leaves + tree.merges.size() - 1), sink);
    return;
  }
  sink(",\n\"forest\": [");
  const char* separator = "\n";
  for (const std::uint32_t root : made_roots(tree)) {
    sink(separator);
    write_node(clustering, root, sink);
    separator = ",\n";
  }
  sink("]");
}

}  // namespace

void write_json(const Clustering& clustering, const Sink& sink) {
  sink("{\"format\": \"firth-clustering\", \"version\": 1,\n\"classes\": [");
  const std::vector<std::vector<WordId>> members = clustering.members();
  for (ClassId id = 0; id < members.size(); ++id) {
    sink(fmt::format("{}\n{{\"class\": {}, \"words\": [", id == 0 ? "" : ",", id));
    for (std::size_t i = 0; i < members[id].size(); ++i) {
      const WordId word = members[id][i];
      sink(fmt::format("{}{{\"word\": {}, \"count\": {}}}", i == 0 ? "" : ", ",
                       quoted(clustering.vocabulary().word(word)), clustering.vocabulary().count(word)));
    }
    sink("]}");
  }
  sink("]");
  if (clustering.tree()) write_tree(clustering, sink);
  sink("}\n");
}

}  // namespace firth::clusters

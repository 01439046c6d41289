#include "firth/build_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/memory_limit.hpp"
#include "base/stage.hpp"
#include "cluster/objective.hpp"
#include "cluster/tree/merge_gains.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

/// First word of each class, in class order. Throws UsageError for a class without one.
std::vector<WordId> first_words(std::span<const ClassId> classes) {
  constexpr WordId kNoWord = std::numeric_limits<WordId>::max();
  std::vector<WordId> first;
  for (WordId word = 0; word < classes.size(); ++word) {
    const ClassId c = classes[word];
    if (c == kNoClass) continue;
    if (c >= first.size()) first.resize(std::size_t{c} + 1, kNoWord);
    first[c] = std::min(first[c], word);
  }
  const auto empty = std::find(first.begin(), first.end(), kNoWord);
  if (empty != first.end()) {
    throw UsageError(fmt::format("class {} has no word of the counts", empty - first.begin()),
                     "number the classes without gaps");
  }
  return first;
}

void check_tree_memory(std::uint64_t classes, const RunOptions& run) {
  const std::uint64_t needed = 20 * classes * classes;
  base::require_memory(run, needed, fmt::format("a tree over {} classes", classes), "ask for fewer classes");
}

}  // namespace

MergeTree build_tree(const Counts& counts, std::span<const ClassId> classes, const RunOptions& run) {
  if (classes.size() != counts.vocabulary().size()) {
    throw UsageError(
        fmt::format("{} classes are given for {} words", classes.size(), counts.vocabulary().size()));
  }
  const std::vector<WordId> first = first_words(classes);
  MergeTree tree{TreeLeaves::classes, static_cast<std::uint32_t>(first.size()), {}};
  if (first.size() < 2) return tree;
  check_tree_memory(first.size(), run);
  std::vector<ClassId> by_rank(first.size());
  std::iota(by_rank.begin(), by_rank.end(), ClassId{0});
  std::sort(by_rank.begin(), by_rank.end(), [&](ClassId a, ClassId b) { return first[a] < first[b]; });
  std::vector<ClassId> place(first.size());
  for (ClassId i = 0; i < by_rank.size(); ++i) place[by_rank[i]] = i;
  std::vector<ClassId> placed(classes.begin(), classes.end());
  for (ClassId& c : placed) c = c == kNoClass ? kNoClass : place[c];

  clusters::MergeGains gains(clusters::class_bigrams(counts.bigrams(), placed, tree.leaves, base::Ranks(run)),
                             run);
  std::vector<std::uint32_t> node(by_rank.begin(), by_rank.end());
  const base::Stage stage(run, "tree", "merges", tree.leaves - 1);
  for (std::uint32_t merge = 0; merge + 1 < tree.leaves; ++merge) {
    run.check_stop();
    const auto step = gains.merge_best();
    tree.merges.push_back({node[step.kept], node[step.gone], step.ami_bits});
    node[step.kept] = tree.leaves + merge;
    stage.advance(merge + 1);
  }
  return tree;
}

}  // namespace firth

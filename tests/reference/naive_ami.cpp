#include "reference/naive_ami.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace firth::reference {

double naive_ami(const Counts& counts, std::span<const ClassId> classes, AmiNorm norm) {
  std::map<std::pair<ClassId, ClassId>, double> pair_counts;
  std::map<ClassId, double> left;
  std::map<ClassId, double> right;
  std::map<ClassId, double> unigrams;
  double pairs = 0;
  for (WordId a = 0; a < classes.size(); ++a) {
    if (classes[a] == kNoClass) continue;
    unigrams[classes[a]] += static_cast<double>(counts.vocabulary().count(a));
    const auto words = counts.bigrams().right_words(a);
    const auto numbers = counts.bigrams().right_counts(a);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (classes[words[i]] == kNoClass) continue;
      const auto n = static_cast<double>(numbers[i]);
      pair_counts[{classes[a], classes[words[i]]}] += n;
      left[classes[a]] += n;
      right[classes[words[i]]] += n;
      pairs += n;
    }
  }
  const double over = norm == AmiNorm::bigrams ? pairs : static_cast<double>(counts.info().tokens);
  double ami = 0;
  for (const auto& [pair, n] : pair_counts) {
    const double pl = (norm == AmiNorm::unigram ? unigrams : left).at(pair.first) / over;
    const double pr = (norm == AmiNorm::unigram ? unigrams : right).at(pair.second) / over;
    ami += n / over * std::log2(n / over / (pl * pr));
  }
  return ami;
}

std::vector<std::vector<std::uint32_t>> naive_merge_sets(const MergeTree& tree, std::size_t merges) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> sets;
  for (std::uint32_t leaf = 0; leaf < tree.leaves; ++leaf) sets[leaf] = {leaf};
  for (std::size_t i = 0; i < merges; ++i) {
    std::vector<std::uint32_t> joined = sets.at(tree.merges[i].left);
    const std::vector<std::uint32_t> other = sets.at(tree.merges[i].right);
    joined.insert(joined.end(), other.begin(), other.end());
    sets.erase(tree.merges[i].left);
    sets.erase(tree.merges[i].right);
    sets[static_cast<std::uint32_t>(tree.leaves + i)] = joined;
  }
  std::vector<std::vector<std::uint32_t>> result;
  for (auto& [node, leaves] : sets) {
    std::sort(leaves.begin(), leaves.end());
    result.push_back(leaves);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace firth::reference

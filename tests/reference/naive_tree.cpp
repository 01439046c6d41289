#include "reference/naive_tree.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "base/fixed_log.hpp"

namespace firth::reference {
namespace {

/// sum h(N(c,c')) - sum h(Nl(c)) - sum h(Nr(c)) over the words that have a class.
std::int64_t objective(const Counts& counts, std::span<const std::uint32_t> node_of,
                       const base::FixedLog& log) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Count> pairs;
  std::map<std::uint32_t, Count> left;
  std::map<std::uint32_t, Count> right;
  for (WordId a = 0; a < node_of.size(); ++a) {
    const auto words = counts.bigrams().right_words(a);
    const auto numbers = counts.bigrams().right_counts(a);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const WordId b = words[i];
      if (node_of[a] == kNoClass || node_of[b] == kNoClass) continue;
      pairs[{node_of[a], node_of[b]}] += numbers[i];
      left[node_of[a]] += numbers[i];
      right[node_of[b]] += numbers[i];
    }
  }
  std::int64_t sum = 0;
  for (const auto& [key, n] : pairs) sum += log.h(n);
  for (const auto& [key, n] : left) sum -= log.h(n);
  for (const auto& [key, n] : right) sum -= log.h(n);
  return sum;
}

Count total_of(const Counts& counts, std::span<const ClassId> classes) {
  Count total = 0;
  for (WordId a = 0; a < classes.size(); ++a) {
    const auto words = counts.bigrams().right_words(a);
    const auto numbers = counts.bigrams().right_counts(a);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (classes[a] != kNoClass && classes[words[i]] != kNoClass) total += numbers[i];
    }
  }
  return total;
}

}  // namespace

MergeTree naive_tree(const Counts& counts, std::span<const ClassId> classes) {
  const Count total = total_of(counts, classes);
  const base::FixedLog log(total);
  std::vector<std::uint32_t> node_of(classes.begin(), classes.end());
  std::map<WordId, std::uint32_t> by_rank;  // first word of a node -> the node
  std::map<std::uint32_t, WordId> first;
  for (WordId word = 0; word < classes.size(); ++word) {
    if (classes[word] != kNoClass) first.emplace(classes[word], word);
  }
  for (const auto& [node, word] : first) by_rank[word] = node;
  MergeTree tree{TreeLeaves::classes, static_cast<std::uint32_t>(first.size()), {}};
  while (by_rank.size() > 1) {
    std::int64_t best = std::numeric_limits<std::int64_t>::min();
    std::pair<WordId, WordId> choice;
    for (auto a = by_rank.begin(); a != by_rank.end(); ++a) {
      for (auto b = std::next(a); b != by_rank.end(); ++b) {
        std::vector<std::uint32_t> merged = node_of;
        std::replace(merged.begin(), merged.end(), b->second, a->second);
        const std::int64_t value = objective(counts, merged, log);
        if (value > best) {
          best = value;
          choice = {a->first, b->first};
        }
      }
    }
    const std::uint32_t left = by_rank[choice.first];
    const std::uint32_t right = by_rank[choice.second];
    const auto node = tree.leaves + static_cast<std::uint32_t>(tree.merges.size());
    const double bits =
        total == 0 ? 0 : log.nats(best + log.h(total)) / (static_cast<double>(total) * std::numbers::ln2);
    tree.merges.push_back({left, right, bits});
    for (std::uint32_t& n : node_of) {
      if (n == left || n == right) n = node;
    }
    by_rank[choice.first] = node;
    by_rank.erase(choice.second);
  }
  return tree;
}

}  // namespace firth::reference

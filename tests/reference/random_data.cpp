#include "reference/random_data.hpp"

#include <fmt/format.h>

#include <limits>

#include "cluster/merge_tree.hpp"

namespace firth::reference {

Counts repeated(const Counts& counts, Count times) {
  std::vector<std::pair<std::string, Count>> words;
  std::vector<PairCount> pairs;
  for (WordId word = 0; word < counts.vocabulary().size(); ++word) {
    words.emplace_back(counts.vocabulary().word(word), counts.vocabulary().count(word) * times);
    const auto rights = counts.bigrams().right_words(word);
    const auto numbers = counts.bigrams().right_counts(word);
    for (std::size_t i = 0; i < rights.size(); ++i) pairs.push_back({word, rights[i], numbers[i] * times});
  }
  CountsInfo info = counts.info();
  info.tokens *= times;
  return {Vocabulary::from_words(std::move(words)),
          PairCounts::from_pairs(counts.vocabulary().size(), std::move(pairs)), info};
}

MergeTree random_tree(base::Rng& rng, TreeLeaves kind, std::uint32_t leaves, std::size_t merges) {
  MergeTree tree{.kind = kind, .leaves = leaves, .merges = {}};
  std::vector<std::uint32_t> open(leaves);
  for (std::uint32_t i = 0; i < leaves; ++i) open[i] = i;
  const auto take = [&] {
    const std::size_t place = rng.below(open.size());
    const std::uint32_t node = open[place];
    open[place] = open.back();
    open.pop_back();
    return node;
  };
  for (std::size_t i = 0; i < merges; ++i) {
    const std::uint32_t left = take();
    const std::uint32_t right = take();
    const double ami = rng.below(8) == 0 ? std::numeric_limits<double>::quiet_NaN() : rng.uniform();
    tree.merges.push_back({left, right, ami});
    open.push_back(leaves + static_cast<std::uint32_t>(i));
  }
  return tree;
}

Clustering random_clustering(base::Rng& rng, std::size_t words, int kind) {
  std::vector<std::pair<std::string, Count>> named;
  for (std::size_t i = 0; i < words; ++i) {
    named.emplace_back(fmt::format("w{}_{}", rng.below(10), i), rng.below(20));
  }
  const Vocabulary vocabulary = Vocabulary::from_words(named);
  const std::size_t classes = 1 + rng.below(words);
  if (kind == 2) {
    const auto tree = random_tree(rng, TreeLeaves::words, static_cast<std::uint32_t>(words), words - 1);
    return {vocabulary, clusters::nodes_after(tree, words - classes), tree};
  }
  std::vector<ClassId> ids = random_classes(rng, words, classes);
  if (kind == 0) return {vocabulary, ids};
  return {vocabulary, ids,
          random_tree(rng, TreeLeaves::classes, static_cast<std::uint32_t>(classes), classes - 1)};
}

}  // namespace firth::reference

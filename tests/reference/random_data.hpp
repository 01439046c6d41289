// Small random inputs for property tests: counts, classes and trees.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "firth/clustering.hpp"
#include "firth/counts.hpp"

namespace firth::reference {

/// A text of random words w0..w(words-1) as counts, one stream; words may be missing from the text.
inline Counts random_counts(base::Rng& rng, std::size_t words, std::size_t tokens) {
  std::vector<std::size_t> text;
  std::vector<Count> counts(words, 0);
  for (std::size_t i = 0; i < tokens; ++i) {
    // The product of two draws makes some words far more frequent than others.
    const auto word = static_cast<std::size_t>(rng.uniform() * rng.uniform() * static_cast<double>(words));
    text.push_back(word);
    ++counts[word];
  }
  std::vector<std::pair<std::string, Count>> named;
  for (std::size_t i = 0; i < words; ++i) named.emplace_back(fmt::format("w{}", i), counts[i]);
  const Vocabulary vocabulary = Vocabulary::from_words(named);
  const WordIndex index(vocabulary);
  std::vector<PairCount> pairs;
  for (std::size_t i = 1; i < text.size(); ++i) {
    pairs.push_back({*index.find(named[text[i - 1]].first), *index.find(named[text[i]].first), 1});
  }
  return {vocabulary, PairCounts::from_pairs(words, std::move(pairs)),
          CountsInfo{.tokens = tokens, .sequences = 1}};
}

/// The counts of a text that repeats everything `times` times.
Counts repeated(const Counts& counts, Count times);

inline std::vector<ClassId> random_classes(base::Rng& rng, std::size_t words, std::size_t classes) {
  std::vector<ClassId> result(words);
  for (ClassId& id : result) id = static_cast<ClassId>(rng.below(classes));
  return result;
}

/// `merges` random merges of `leaves` leaves, with random AMI (some of them unknown).
MergeTree random_tree(base::Rng& rng, TreeLeaves kind, std::uint32_t leaves, std::size_t merges);

/// A random clustering of kind: 0 no tree, 1 tree over classes, 2 tree over words.
Clustering random_clustering(base::Rng& rng, std::size_t words, int kind);

}  // namespace firth::reference

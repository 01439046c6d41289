// Texts whose true classes are known.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "firth/clustering.hpp"
#include "firth/counts.hpp"

namespace firth::reference {

/// A text whose words belong to `classes` hidden classes that follow each other by chance but unevenly.
struct Planted {
  Counts counts;
  std::map<std::string, ClassId> truth;
};

inline Planted planted_text(std::uint64_t seed, ClassId classes, std::size_t words_each, std::size_t tokens) {
  base::Rng rng(seed);
  std::vector<std::pair<std::string, Count>> words;
  Planted planted;
  for (ClassId c = 0; c < classes; ++c) {
    for (std::size_t i = 0; i < words_each; ++i) {
      words.emplace_back(fmt::format("c{}w{}", c, i), 0);
      planted.truth[words.back().first] = c;
    }
  }
  std::vector<std::size_t> text;
  ClassId c = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    // A class is mostly followed by one of two others.
    c = rng.uniform() < 0.85 ? static_cast<ClassId>((3 * c + 1 + rng.below(2)) % classes)
                             : static_cast<ClassId>(rng.below(classes));
    text.push_back(c * words_each + rng.below(words_each));
    ++words[text.back()].second;
  }
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const WordIndex index(vocabulary);
  std::vector<PairCount> pairs;
  for (std::size_t i = 1; i < text.size(); ++i) {
    pairs.push_back({*index.find(words[text[i - 1]].first), *index.find(words[text[i]].first), 1});
  }
  planted.counts = Counts(vocabulary, PairCounts::from_pairs(words.size(), std::move(pairs)), {});
  return planted;
}

/// The class of a word that the clustering has.
inline ClassId class_of(const Clustering& clustering, const std::string& word) {
  return clustering.class_of(*WordIndex(clustering.vocabulary()).find(word));
}

}  // namespace firth::reference

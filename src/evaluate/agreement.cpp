#include <algorithm>
#include <array>
#include <cmath>

#include "firth/compare.hpp"

namespace firth {
namespace {

/// Things that are in class `first` of one partition and in class `second` of the other.
struct Cell {
  ClassId first = 0;
  ClassId second = 0;
  Count things = 0;
};

/// Adds up cells of the same classes; by classes.
std::vector<Cell> summed(std::vector<Cell> cells) {
  const auto key = [](const Cell& cell) { return std::pair(cell.first, cell.second); };
  std::sort(cells.begin(), cells.end(), [&](const Cell& a, const Cell& b) { return key(a) < key(b); });
  std::vector<Cell> sums;
  for (const Cell& cell : cells) {
    if (sums.empty() || key(sums.back()) != key(cell)) sums.push_back({cell.first, cell.second, 0});
    sums.back().things += cell.things;
  }
  return sums;
}

/// Sums over a partition that the measures are made of.
struct Sums {
  double entropy = 0;
  double pairs = 0;  ///< pairs of things that are together

  void add(Count things, double total) {
    if (things == 0) return;
    const auto n = static_cast<double>(things);
    entropy -= n / total * std::log2(n / total);
    pairs += n * (n - 1) / 2;
  }
};

Sums sums_of(const std::vector<Count>& sizes, double total) {
  Sums sums;
  for (const Count size : sizes) sums.add(size, total);
  return sums;
}

PartitionAgreement measure(const std::vector<Cell>& cells, ClassId first_classes, ClassId second_classes) {
  std::vector<Count> first(first_classes);
  std::vector<Count> second(second_classes);
  Count things = 0;
  for (const Cell& cell : cells) {
    first[cell.first] += cell.things;
    second[cell.second] += cell.things;
    things += cell.things;
  }
  if (things == 0) return {};
  const auto total = static_cast<double>(things);
  const Sums a = sums_of(first, total);
  const Sums b = sums_of(second, total);
  Sums both;
  for (const Cell& cell : cells) both.add(cell.things, total);
  PartitionAgreement agreement;
  // Rounding must not make equal partitions a little different.
  agreement.vi_bits = std::max(0.0, both.entropy - a.entropy) + std::max(0.0, both.entropy - b.entropy);
  const double entropies = a.entropy + b.entropy;
  agreement.v_measure = entropies > 0 ? std::clamp(1 - agreement.vi_bits / entropies, 0.0, 1.0) : 1;
  const double expected = total > 1 ? a.pairs * b.pairs / (total * (total - 1) / 2) : 0;
  const double range = (a.pairs + b.pairs) / 2 - expected;
  agreement.adjusted_rand = range > 0 ? (both.pairs - expected) / range : 1;
  return agreement;
}

bool has_counts(const Vocabulary& vocabulary) {
  return !vocabulary.empty() && vocabulary.count(0) > 0;
}

/// Words that both clusterings have, and how much each weighs.
struct CommonWord {
  WordId first = 0;
  WordId second = 0;
  Count weight = 1;
};

std::vector<CommonWord> common_words(const Vocabulary& first, const Vocabulary& second) {
  const WordIndex index(second);
  std::vector<CommonWord> common;
  for (WordId word = 0; word < first.size(); ++word) {
    const auto found = index.find(first.word(word));
    if (!found) continue;
    const Count weight = has_counts(first)    ? first.count(word)
                         : has_counts(second) ? second.count(*found)
                                              : 1;
    common.push_back({word, *found, weight});
  }
  return common;
}

/// The second class of the largest cell of each first class, the smaller number of equals.
std::vector<ClassId> partners_of(const std::vector<Cell>& cells, ClassId classes) {
  std::vector<ClassId> partners(classes, kNoClass);
  std::vector<Count> most(classes, 0);
  for (const Cell& cell : cells) {
    if (partners[cell.first] != kNoClass && cell.things <= most[cell.first]) continue;
    partners[cell.first] = cell.second;
    most[cell.first] = cell.things;
  }
  return partners;
}

}  // namespace

ClusteringAgreement compare_clusterings(const Clustering& first, const Clustering& second) {
  const std::vector<CommonWord> common = common_words(first.vocabulary(), second.vocabulary());
  std::vector<Cell> types;
  std::vector<Cell> tokens;
  for (const CommonWord& word : common) {
    types.push_back({first.class_of(word.first), second.class_of(word.second), 1});
    tokens.push_back({types.back().first, types.back().second, word.weight});
  }
  types = summed(std::move(types));
  tokens = summed(std::move(tokens));
  ClusteringAgreement agreement{.common = common.size(),
                                .only_first = first.word_count() - common.size(),
                                .only_second = second.word_count() - common.size(),
                                .types = measure(types, first.class_count(), second.class_count()),
                                .tokens = measure(tokens, first.class_count(), second.class_count()),
                                .partners = partners_of(tokens, first.class_count()),
                                .moved = {}};
  for (const CommonWord& word : common) {
    if (agreement.partners[first.class_of(word.first)] != second.class_of(word.second))
      agreement.moved.push_back(word.first);
  }
  return agreement;
}

std::optional<double> mean_agreement(std::span<const Clustering> clusterings) {
  double sum = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < clusterings.size(); ++i) {
    for (std::size_t j = i + 1; j < clusterings.size(); ++j, ++pairs)
      sum += compare_clusterings(clusterings[i], clusterings[j]).tokens.v_measure;
  }
  if (pairs == 0) return std::nullopt;
  return sum / pairs;
}

}  // namespace firth

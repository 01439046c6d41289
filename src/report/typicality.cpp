#include "report/typicality.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cluster/objective.hpp"
#include "firth/evaluate.hpp"

namespace firth::report {
namespace {

constexpr double kPriorNeighbours = 5;

char quantised(double tenths) {
  return static_cast<char>(1 + static_cast<int>(std::clamp(std::round(tenths + 20), 0.0, 140.0)));
}

/// Adds to `sums` the bits of the neighbours of each word on one side, and to `seen` their number.
void add_side(const PairCounts& pairs, std::span<const ClassId> classes,
              const std::vector<std::vector<WordId>>& members, std::vector<double>& sums,
              std::vector<double>& seen) {
  const auto class_count = static_cast<ClassId>(members.size());
  const PairCounts table = clusters::class_bigrams(pairs, classes, class_count);
  const std::vector<Count> lefts = table.left_marginals();
  const std::vector<Count> rights = table.right_marginals();
  std::vector<double> bits(class_count);
  for (ClassId id = 0; id < class_count; ++id) {
    const auto others = table.right_words(id);
    const auto counts = table.right_counts(id);
    for (std::size_t i = 0; i < others.size(); ++i) {
      bits[others[i]] = std::log2(static_cast<double>(counts[i]) * static_cast<double>(table.total()) /
                                  (static_cast<double>(lefts[id]) * static_cast<double>(rights[others[i]])));
    }
    for (const WordId word : members[id]) {
      const auto neighbours = pairs.right_words(word);
      const auto times = pairs.right_counts(word);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (classes[neighbours[i]] == kNoClass) continue;
        sums[word] += static_cast<double>(times[i]) * bits[classes[neighbours[i]]];
        seen[word] += static_cast<double>(times[i]);
      }
    }
  }
}

/// The mean of the unit vectors of each class, by place, and the vector that each word of the page has.
struct MeanVectors {
  std::vector<std::vector<double>> means;
  std::vector<std::optional<WordId>> row_of_place;

  MeanVectors(const Clustering& clustering, const PagePlaces& places, const WordVectors& vectors)
      : means(places.class_count(), std::vector<double>(vectors.dimensions)),
        row_of_place(clustering.word_count()) {
    const WordIndex index(vectors.vocabulary);
    for (WordId word = 0; word < clustering.word_count(); ++word) {
      const std::optional<WordId> row = index.find(clustering.vocabulary().word(word));
      row_of_place[places.word_place[word]] = row;
      if (!row) continue;
      const double length = norm(vectors.row(*row));
      if (length == 0) continue;
      std::vector<double>& mean = means[places.class_place[clustering.class_of(word)]];
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += vectors.row(*row)[i] / length;
    }
    for (std::vector<double>& mean : means) {
      const double length = norm(mean);
      for (double& value : mean) value = length == 0 ? 0 : value / length;
    }
  }

  template <typename Values>
  static double norm(const Values& values) {
    double sum = 0;
    for (const auto value : values) sum += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(sum);
  }

  template <typename Values>
  static double dot(const std::vector<double>& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * static_cast<double>(b[i]);
    return sum;
  }
};

}  // namespace

std::string pack_typicality(const Clustering& clustering, const PagePlaces& places, const Counts& counts) {
  const std::vector<ClassId> classes = classes_for(counts.vocabulary(), clustering);
  std::vector<std::vector<WordId>> members(clustering.class_count());
  for (WordId word = 0; word < classes.size(); ++word) {
    if (classes[word] != kNoClass) members[classes[word]].push_back(word);
  }
  std::vector<double> sums(classes.size());
  std::vector<double> seen(classes.size());
  add_side(counts.bigrams(), classes, members, sums, seen);
  add_side(counts.bigrams().transposed(), classes, members, sums, seen);
  std::string bytes(clustering.word_count(), '\0');
  const WordIndex index(clustering.vocabulary());
  for (WordId word = 0; word < classes.size(); ++word) {
    if (classes[word] == kNoClass || seen[word] == 0) continue;
    const std::optional<WordId> known = index.find(counts.vocabulary().word(word));
    bytes[places.word_place[*known]] = quantised(10 * sums[word] / (seen[word] + kPriorNeighbours));
  }
  return bytes;
}

std::string pack_typicality(const Clustering& clustering, const PagePlaces& places,
                            const WordVectors& vectors) {
  const MeanVectors means(clustering, places, vectors);
  std::string bytes(clustering.word_count(), '\0');
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    if (!means.row_of_place[place]) continue;
    const auto row = vectors.row(*means.row_of_place[place]);
    const double length = MeanVectors::norm(row);
    if (length == 0) continue;
    const ClassId id = clustering.class_of(places.order.words[place]);
    bytes[place] = quantised(100 * MeanVectors::dot(means.means[places.class_place[id]], row) / length);
  }
  return bytes;
}

std::string pack_close_classes(const Clustering& clustering, const PagePlaces& places,
                               const WordVectors& vectors, std::size_t count) {
  const MeanVectors means(clustering, places, vectors);
  nlohmann::json lists = nlohmann::json::array();
  for (std::uint32_t place = 0; place < places.class_count(); ++place) {
    std::vector<std::pair<double, std::uint32_t>> close;
    for (std::uint32_t other = 0; other < places.class_count(); ++other) {
      if (other != place)
        close.emplace_back(-MeanVectors::dot(means.means[place], means.means[other]), other);
    }
    const std::size_t kept = std::min(count, close.size());
    std::partial_sort(close.begin(), close.begin() + static_cast<std::ptrdiff_t>(kept), close.end());
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < kept; ++i)
      list.push_back({close[i].second, std::round(-close[i].first * 1000) / 1000});
    lists.push_back(std::move(list));
  }
  return lists.dump();
}

}  // namespace firth::report

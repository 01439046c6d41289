#include "report/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "firth/evaluate.hpp"

namespace firth::report {
namespace {

/// How often each neighbour was seen, neighbours rising.
using Row = std::vector<std::pair<std::uint32_t, Count>>;

Row merged(const Row& a, const Row& b) {
  Row sum;
  sum.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].first < b[j].first)) {
      sum.push_back(a[i++]);
    } else if (i == a.size() || b[j].first < a[i].first) {
      sum.push_back(b[j++]);
    } else {
      sum.emplace_back(a[i].first, a[i].second + b[j].second);
      ++i, ++j;
    }
  }
  return sum;
}

std::string pack_list(const Row& list) {
  std::string bytes;
  clusters::put_varint(bytes, list.size());
  for (const auto& [place, count] : list) {
    clusters::put_varint(bytes, place);
    clusters::put_varint(bytes, count);
  }
  return bytes;
}

/// The words of a text as the page knows them.
struct TextWords {
  std::vector<std::uint32_t> class_place;    ///< by word of the text, kNoClass = not in the clustering
  std::vector<std::uint32_t> word_place;     ///< the same
  std::vector<std::vector<WordId>> members;  ///< words of the text by place of their class

  TextWords(const Vocabulary& text, const Clustering& clustering, const PagePlaces& places)
      : class_place(text.size(), kNoClass), word_place(text.size(), kNoClass), members(places.class_count()) {
    const WordIndex index(clustering.vocabulary());
    for (WordId word = 0; word < text.size(); ++word) {
      const std::optional<WordId> known = index.find(text.word(word));
      if (!known) continue;
      word_place[word] = places.word_place[*known];
      class_place[word] = places.class_place[clustering.class_of(*known)];
      members[class_place[word]].push_back(word);
    }
  }
};

/// One side: what stands after (or, with the transposed pairs, before) the nodes.
class Side {
 public:
  Side(const PairCounts& pairs, const TextWords& words, std::size_t count)
      : pairs_(pairs),
        words_(words),
        count_(count),
        sums_(pairs.rows()),
        word_totals_(pairs.right_marginals()) {
    class_totals_.resize(words.members.size());
    for (WordId word = 0; word < pairs.rows(); ++word) {
      if (words.class_place[word] != kNoClass) class_totals_[words.class_place[word]] += word_totals_[word];
    }
  }

  /// The lists of classes and of words for every node.
  std::vector<std::pair<std::string, std::string>> lists(const std::vector<TreeMerge>& merges,
                                                         const RunOptions& run) {
    const auto classes = static_cast<std::uint32_t>(words_.members.size());
    std::vector<std::uint32_t> parent(classes + merges.size(), kNoClass);
    for (std::size_t i = 0; i < merges.size(); ++i)
      parent[merges[i].left] = parent[merges[i].right] = classes + static_cast<std::uint32_t>(i);
    std::vector<std::pair<std::string, std::string>> result(parent.size());
    // Depth first: the rows in memory are those of a path.
    std::vector<std::pair<std::uint32_t, Row>> open;
    for (std::uint32_t leaf = 0; leaf < classes; ++leaf) {
      run.check_stop();
      open.emplace_back(leaf, class_row(leaf));
      result[leaf] = best_of(open.back().second);
      while (open.size() > 1 && parent[open.back().first] != kNoClass &&
             parent[open.back().first] == parent[open[open.size() - 2].first]) {
        const Row right = std::move(open.back().second);
        open.pop_back();
        open.back() = {parent[open.back().first], merged(open.back().second, right)};
        result[open.back().first] = best_of(open.back().second);
      }
    }
    return result;
  }

 private:
  Row class_row(std::uint32_t place) {
    std::vector<WordId> touched;
    for (const WordId word : words_.members[place]) {
      const auto rights = pairs_.right_words(word);
      const auto counts = pairs_.right_counts(word);
      for (std::size_t i = 0; i < rights.size(); ++i) {
        if (sums_[rights[i]] == 0) touched.push_back(rights[i]);
        sums_[rights[i]] += counts[i];
      }
    }
    std::sort(touched.begin(), touched.end());
    Row row;
    for (const WordId word : touched) row.emplace_back(word, std::exchange(sums_[word], 0));
    return row;
  }

  std::pair<std::string, std::string> best_of(const Row& row) const {
    Count total = 0;
    Row by_class;
    std::vector<Count> classes(class_totals_.size());
    for (const auto& [word, count] : row) {
      total += count;
      if (words_.class_place[word] != kNoClass) classes[words_.class_place[word]] += count;
    }
    for (std::uint32_t place = 0; place < classes.size(); ++place) {
      if (classes[place] > 0) by_class.emplace_back(place, classes[place]);
    }
    Row words = best(row, word_totals_, total);
    for (auto& entry : words) entry.first = words_.word_place[entry.first];
    std::erase_if(words, [](const auto& entry) { return entry.first == kNoClass; });
    return {pack_list(best(by_class, class_totals_, total)), pack_list(words)};
  }

  /// The neighbours that were seen more often than expected and add most to the mutual information.
  Row best(const Row& row, const std::vector<Count>& totals, Count row_total) const {
    std::vector<std::pair<double, std::size_t>> scores;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto seen = static_cast<double>(row[i].second);
      const double expected = static_cast<double>(row_total) * static_cast<double>(totals[row[i].first]) /
                              static_cast<double>(pairs_.total());
      if (seen > expected) scores.emplace_back(-seen * std::log(seen / expected), i);
    }
    const std::size_t kept = std::min(count_, scores.size());
    std::partial_sort(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(kept), scores.end());
    Row result;
    for (std::size_t i = 0; i < kept; ++i) result.push_back(row[scores[i].second]);
    return result;
  }

  const PairCounts& pairs_;
  const TextWords& words_;
  std::size_t count_;
  std::vector<Count> sums_;  ///< zeros between two calls of class_row
  std::vector<Count> word_totals_;
  std::vector<Count> class_totals_;
};

}  // namespace

std::string pack_neighbours(const Clustering& clustering, const PagePlaces& places, const Counts& counts,
                            std::size_t count, const RunOptions& run) {
  const TextWords words(counts.vocabulary(), clustering, places);
  std::vector<std::pair<std::string, std::string>> lists[2];
  base::parallel_for(2, 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t side = begin; side < end; ++side) {
      const PairCounts pairs = side == 0 ? counts.bigrams().transposed() : counts.bigrams();
      lists[side] = Side(pairs, words, count).lists(places.merges, run);
    }
  });
  std::string bytes;
  for (std::size_t node = 0; node < lists[0].size(); ++node) {
    bytes += lists[0][node].first + lists[1][node].first + lists[0][node].second + lists[1][node].second;
  }
  return bytes;
}

}  // namespace firth::report

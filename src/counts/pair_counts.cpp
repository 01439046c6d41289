#include <algorithm>
#include <numeric>
#include <utility>

#include "firth/counts.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

struct PairStorage {
  std::vector<std::uint64_t> offsets;
  std::vector<WordId> rights;
  std::vector<Count> counts;
};

PairCounts wrap(std::shared_ptr<PairStorage> storage) {
  const PairStorage& s = *storage;
  return {s.offsets, s.rights, s.counts, std::move(storage)};
}

}  // namespace

PairCounts PairCounts::from_pairs(std::size_t words, std::vector<PairCount> pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const PairCount& a, const PairCount& b) {
    return a.left != b.left ? a.left < b.left : a.right < b.right;
  });
  const auto storage = std::make_shared<PairStorage>();
  storage->offsets.assign(words + 1, 0);
  for (std::size_t i = 0; i < pairs.size();) {
    Count sum = 0;
    std::size_t j = i;
    for (; j < pairs.size() && pairs[j].left == pairs[i].left && pairs[j].right == pairs[i].right; ++j) {
      sum += pairs[j].count;
    }
    if (sum > 0) {
      storage->rights.push_back(pairs[i].right);
      storage->counts.push_back(sum);
      ++storage->offsets[pairs[i].left + 1];
    }
    i = j;
  }
  std::partial_sum(storage->offsets.begin(), storage->offsets.end(), storage->offsets.begin());
  return wrap(storage);
}

PairCounts::PairCounts(std::span<const std::uint64_t> offsets, std::span<const WordId> rights,
                       std::span<const Count> counts, std::shared_ptr<const void> owner)
    : offsets_(offsets),
      rights_(rights),
      counts_(counts),
      owner_(std::move(owner)),
      total_(std::accumulate(counts.begin(), counts.end(), Count{0})) {}

std::vector<Count> PairCounts::left_marginals() const {
  std::vector<Count> sums(rows());
  for (WordId left = 0; left < rows(); ++left) {
    const auto counts = right_counts(left);
    sums[left] = std::accumulate(counts.begin(), counts.end(), Count{0});
  }
  return sums;
}

std::vector<Count> PairCounts::right_marginals() const {
  std::vector<Count> sums(rows());
  for (std::size_t i = 0; i < rights_.size(); ++i) sums[rights_[i]] += counts_[i];
  return sums;
}

PairCounts PairCounts::transposed() const {
  const auto storage = std::make_shared<PairStorage>();
  storage->offsets.assign(rows() + 1, 0);
  for (const WordId right : rights_) ++storage->offsets[right + 1];
  std::partial_sum(storage->offsets.begin(), storage->offsets.end(), storage->offsets.begin());
  storage->rights.resize(rights_.size());
  storage->counts.resize(rights_.size());
  std::vector<std::uint64_t> next(storage->offsets.begin(), storage->offsets.end() - 1);
  for (WordId left = 0; left < rows(); ++left) {
    for (std::uint64_t i = offsets_[left]; i < offsets_[left + 1]; ++i) {
      const std::uint64_t place = next[rights_[i]]++;
      storage->rights[place] = left;
      storage->counts[place] = counts_[i];
    }
  }
  return wrap(storage);
}

Counts::Counts(Vocabulary vocabulary, std::vector<int> distances, std::vector<PairCounts> pairs,
               CountsInfo info)
    : vocabulary_(std::move(vocabulary)),
      distances_(std::move(distances)),
      pairs_(std::move(pairs)),
      info_(std::move(info)) {}

Counts::Counts(Vocabulary vocabulary, PairCounts bigrams, CountsInfo info)
    : Counts(std::move(vocabulary), std::vector<int>{1}, std::vector<PairCounts>{std::move(bigrams)},
             std::move(info)) {}

Counts Counts::with_held_out(PairCounts held_out) const {
  Counts counts = *this;
  counts.held_out_ = std::move(held_out);
  return counts;
}

const PairCounts& Counts::pairs_at(int distance) const {
  const auto found = std::find(distances_.begin(), distances_.end(), distance);
  if (found == distances_.end()) {
    throw UsageError("pairs at distance " + std::to_string(distance) + " were not counted",
                     "count the text again with CountOptions::distances", "CountOptions::distances");
  }
  return pairs_[static_cast<std::size_t>(found - distances_.begin())];
}

}  // namespace firth

#include "cluster/brown/waiting_words.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace firth::brown {

WaitingWords::WaitingWords(const EngineInput& input, ResortBy by)
    : input_(input), by_connection_(by == ResortBy::mi), key_(input.rank.size()), inside_(input.rank.size()) {
  if (!by_connection_) {
    set_fixed_keys(by);
    return;
  }
  const Measure& measure = input.measure;
  clusters_.resize(2 * key_.size());
  for (WordId word = 0; word < key_.size(); ++word) {
    ln_left_.push_back(Measure::ln(measure.left_marginal(word)) - measure.inside_weight());
    ln_right_.push_back(Measure::ln(measure.right_marginal(word)) - measure.inside_weight());
  }
}

void WaitingWords::set_fixed_keys(ResortBy by) {
  std::vector<WordId> neighbours;
  for (WordId word = 0; word < key_.size(); ++word) {
    key_[word] = static_cast<Score>(input_.counts.vocabulary().count(word));
    if (by == ResortBy::frequency) continue;
    const auto after = input_.counts.bigrams().right_words(word);
    const auto before = input_.transposed.right_words(word);
    neighbours.clear();
    std::set_union(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(neighbours));
    key_[word] = static_cast<Score>(neighbours.size());
  }
}

std::uint64_t WaitingWords::bytes(const PairCounts& pairs) {
  return 2 * pairs.distinct() * sizeof(Meet) + pairs.rows() * (2 * sizeof(Cluster) + 32);
}

/// Bigrams times mutual information of a word with one cluster, both ways (Ciosici 2015, 4.3).
Score WaitingWords::connection(const Meet& meet, double ln_left, double ln_right) const {
  const Measure& measure = input_.measure;
  return measure.h(meet.after) -
         measure.weigh(static_cast<double>(meet.after), ln_left_[meet.word] + ln_right) +
         measure.h(meet.before) -
         measure.weigh(static_cast<double>(meet.before), ln_left + ln_right_[meet.word]);
}

// Keys are sums of integers: adding a cluster and taking it off again changes no bit.
void WaitingWords::add(const Cluster& cluster, Score sign) {
  const double ln_left = Measure::ln(cluster.left_marginal);
  const double ln_right = Measure::ln(cluster.right_marginal);
  for (const Meet& meet : cluster.meets) key_[meet.word] += sign * connection(meet, ln_left, ln_right);
}

void WaitingWords::list_neighbours(WordId word, std::vector<Meet>& meets) const {
  const PairCounts& bigrams = input_.counts.bigrams();
  Cluster before;
  Cluster after;
  for (std::size_t i = 0; i < bigrams.right_words(word).size(); ++i)
    before.meets.push_back({bigrams.right_words(word)[i], 0, bigrams.right_counts(word)[i]});
  for (std::size_t i = 0; i < input_.transposed.right_words(word).size(); ++i)
    after.meets.push_back(
        {input_.transposed.right_words(word)[i], input_.transposed.right_counts(word)[i], 0});
  join(before, after, meets);
}

// Words that have entered the window meanwhile are left out.
void WaitingWords::join(const Cluster& a, const Cluster& b, std::vector<Meet>& meets) const {
  auto i = a.meets.begin();
  auto j = b.meets.begin();
  const auto put = [&](const Meet& meet) {
    if (inside_[meet.word] == 0) meets.push_back(meet);
  };
  while (i != a.meets.end() && j != b.meets.end()) {
    if (i->word < j->word)
      put(*i++);
    else if (j->word < i->word)
      put(*j++);
    else {
      put({i->word, i->after + j->after, i->before + j->before});
      ++i;
      ++j;
    }
  }
  std::for_each(i, a.meets.end(), put);
  std::for_each(j, b.meets.end(), put);
}

void WaitingWords::inserted(WordId word) {
  inside_[word] = 1;
  if (!by_connection_) return;
  Cluster& cluster = clusters_[word];
  cluster.left_marginal = input_.measure.left_marginal(word);
  cluster.right_marginal = input_.measure.right_marginal(word);
  list_neighbours(word, cluster.meets);
  add(cluster, 1);
}

void WaitingWords::merged(std::uint32_t left, std::uint32_t right, std::uint32_t node) {
  if (!by_connection_) return;
  Cluster& a = clusters_[left];
  Cluster& b = clusters_[right];
  Cluster& cluster = clusters_[node];
  cluster.left_marginal = a.left_marginal + b.left_marginal;
  cluster.right_marginal = a.right_marginal + b.right_marginal;
  add(a, -1);
  add(b, -1);
  join(a, b, cluster.meets);
  add(cluster, 1);
  a.meets = std::vector<Meet>();
  b.meets = std::vector<Meet>();
}

void WaitingWords::sort(std::span<WordId> outside, std::size_t first) const {
  const auto end = outside.begin() + static_cast<std::ptrdiff_t>(std::min(first, outside.size()));
  std::partial_sort(outside.begin(), end, outside.end(), [&](WordId a, WordId b) {
    return std::pair(-key_[a], input_.rank[a]) < std::pair(-key_[b], input_.rank[b]);
  });
}

}  // namespace firth::brown

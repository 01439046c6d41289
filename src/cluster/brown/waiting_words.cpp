#include "cluster/brown/waiting_words.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "firth/brown.hpp"

namespace firth::brown {

WaitingWords::WaitingWords(const EngineInput& input, ResortBy by)
    : input_(input), by_connection_(by == ResortBy::mi), key_(input.rank.size()), inside_(input.rank.size()) {
  if (!by_connection_) {
    set_fixed_keys(by);
    return;
  }
  const ObjectiveTerms& terms = input.terms;
  clusters_.resize(2 * key_.size());
  for (WordId word = 0; word < key_.size(); ++word) {
    ln_left_.push_back(ObjectiveTerms::ln(terms.left_marginal(word)) - terms.inside_weight());
    ln_right_.push_back(ObjectiveTerms::ln(terms.right_marginal(word)) - terms.inside_weight());
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
  return 2 * pairs.distinct() * sizeof(WordNeighbour) + pairs.rows() * (2 * sizeof(Cluster) + 32);
}

/// Bigrams times mutual information of a word with one cluster, both ways (Ciosici 2015, 4.3).
Score WaitingWords::connection(const WordNeighbour& neighbour, double ln_left, double ln_right) const {
  const ObjectiveTerms& terms = input_.terms;
  return terms.h(neighbour.after) -
         terms.weigh(static_cast<double>(neighbour.after), ln_left_[neighbour.word] + ln_right) +
         terms.h(neighbour.before) -
         terms.weigh(static_cast<double>(neighbour.before), ln_left + ln_right_[neighbour.word]);
}

// Keys are sums of integers: adding a cluster and taking it off again changes no bit.
void WaitingWords::add(const Cluster& cluster, Score sign) {
  const double ln_left = ObjectiveTerms::ln(cluster.left_marginal);
  const double ln_right = ObjectiveTerms::ln(cluster.right_marginal);
  for (const WordNeighbour& neighbour : cluster.neighbours)
    key_[neighbour.word] += sign * connection(neighbour, ln_left, ln_right);
}

void WaitingWords::list_neighbours(WordId word, std::vector<WordNeighbour>& all) const {
  const PairCounts& bigrams = input_.counts.bigrams();
  Cluster before;
  Cluster after;
  for (std::size_t i = 0; i < bigrams.right_words(word).size(); ++i)
    before.neighbours.push_back({bigrams.right_words(word)[i], 0, bigrams.right_counts(word)[i]});
  for (std::size_t i = 0; i < input_.transposed.right_words(word).size(); ++i)
    after.neighbours.push_back(
        {input_.transposed.right_words(word)[i], input_.transposed.right_counts(word)[i], 0});
  join(before, after, all);
}

// Words that have entered the window meanwhile are left out.
void WaitingWords::join(const Cluster& a, const Cluster& b, std::vector<WordNeighbour>& all) const {
  auto i = a.neighbours.begin();
  auto j = b.neighbours.begin();
  const auto put = [&](const WordNeighbour& neighbour) {
    if (inside_[neighbour.word] == 0) all.push_back(neighbour);
  };
  while (i != a.neighbours.end() && j != b.neighbours.end()) {
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
  std::for_each(i, a.neighbours.end(), put);
  std::for_each(j, b.neighbours.end(), put);
}

void WaitingWords::inserted(WordId word) {
  inside_[word] = 1;
  if (!by_connection_) return;
  Cluster& cluster = clusters_[word];
  cluster.left_marginal = input_.terms.left_marginal(word);
  cluster.right_marginal = input_.terms.right_marginal(word);
  list_neighbours(word, cluster.neighbours);
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
  join(a, b, cluster.neighbours);
  add(cluster, 1);
  a.neighbours = std::vector<WordNeighbour>();
  b.neighbours = std::vector<WordNeighbour>();
}

void WaitingWords::sort(std::span<WordId> outside, std::size_t first) const {
  const auto end = outside.begin() + static_cast<std::ptrdiff_t>(std::min(first, outside.size()));
  std::partial_sort(outside.begin(), end, outside.end(), [&](WordId a, WordId b) {
    return std::pair(-key_[a], input_.rank[a]) < std::pair(-key_[b], input_.rank[b]);
  });
}

}  // namespace firth::brown

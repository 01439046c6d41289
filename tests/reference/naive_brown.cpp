#include "reference/naive_brown.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "cluster/brown/objective_terms.hpp"

namespace firth::reference {
namespace {

using brown::ObjectiveTerms;
using brown::Score;

struct Cluster {
  std::vector<WordId> words;
  std::uint32_t rank = 0;  // of its first word in the order
  std::uint32_t node = 0;
  bool citizen = true;
};

struct Objective {
  Score value = 0;
  Count inside = 0;
};

class Naive {
 public:
  Naive(const Counts& counts, const BrownOptions& options)
      : counts_(counts),
        options_(options),
        terms_(counts, options.marginals, 1),
        size_(static_cast<std::uint32_t>(counts.vocabulary().size())),
        pairs_(size_, std::vector<Count>(size_)),
        queue_(options.order),
        rank_(size_) {
    for (WordId left = 0; left < size_; ++left)
      for (std::size_t i = 0; i < counts.bigrams().right_words(left).size(); ++i)
        pairs_[left][counts.bigrams().right_words(left)[i]] = counts.bigrams().right_counts(left)[i];
    for (WordId word = 0; word < size_; ++word)
      if (std::find(queue_.begin(), queue_.end(), word) == queue_.end()) queue_.push_back(word);
    for (std::uint32_t i = 0; i < size_; ++i) rank_[queue_[i]] = i;
  }

  NaiveBrown run() {
    if (options_.variant == BrownVariant::allsame) run_allsame();
    if (options_.variant != BrownVariant::allsame) run_one_by_one();
    for (Cluster& cluster : clusters_) cluster.citizen = true;
    while (clusters_.size() > 1) merge_best();
    return std::move(result_);
  }

 private:
  void run_one_by_one() {
    const std::uint64_t window =
        std::min<std::uint64_t>(options_.window == 0 ? options_.classes + 1ULL : options_.window, size_);
    while (clusters_.size() < window) insert();
    std::uint64_t merges = 0;
    while (!queue_.empty()) {
      merge_best();
      insert();
      if (options_.variant == BrownVariant::resort && ++merges % options_.resort_every == 0) resort();
    }
  }

  void run_allsame() {
    while (!queue_.empty()) {
      for (Cluster& cluster : clusters_) cluster.citizen = true;
      insert_group();
      while (!queue_.empty() && clusters_.size() <= options_.classes) {
        for (Cluster& cluster : clusters_) cluster.citizen = true;
        insert_group();
      }
      if (std::none_of(clusters_.begin(), clusters_.end(), [](const Cluster& c) { return c.citizen; }))
        for (Cluster& cluster : clusters_) cluster.citizen = true;
      while (clusters_.size() > options_.classes) merge_best();
    }
  }

  void insert_group() {
    const Count count = counts_.vocabulary().count(queue_.front());
    while (!queue_.empty() && counts_.vocabulary().count(queue_.front()) == count) {
      insert();
      clusters_.back().citizen = false;
    }
  }

  void insert() {
    const WordId word = queue_.front();
    queue_.erase(queue_.begin());
    clusters_.push_back({{word}, rank_[word], word, true});
    note(objective(clusters_));
  }

  void resort() {
    const auto score = [&](WordId word) {
      if (options_.resort_by == ResortBy::frequency)
        return static_cast<Score>(counts_.vocabulary().count(word));
      if (options_.resort_by == ResortBy::connectivity) {
        Score neighbours = 0;
        for (WordId other = 0; other < size_; ++other)
          neighbours += pairs_[word][other] > 0 || pairs_[other][word] > 0;
        return neighbours;
      }
      Score sum = 0;
      const auto add = [&](Count pair, Count left, Count right) {
        if (pair > 0)
          sum += terms_.h(pair) -
                 terms_.weigh(static_cast<double>(pair),
                              ObjectiveTerms::ln(left) + ObjectiveTerms::ln(right) - terms_.inside_weight());
      };
      for (const Cluster& cluster : clusters_) {
        Count after = 0;
        Count before = 0;
        Count left = 0;
        Count right = 0;
        for (const WordId other : cluster.words) {
          after += pairs_[word][other];
          before += pairs_[other][word];
          left += terms_.left_marginal(other);
          right += terms_.right_marginal(other);
        }
        add(after, terms_.left_marginal(word), right);
        add(before, left, terms_.right_marginal(word));
      }
      return sum;
    };
    std::sort(queue_.begin(), queue_.end(), [&](WordId a, WordId b) {
      return std::tuple(-score(a), rank_[a]) < std::tuple(-score(b), rank_[b]);
    });
  }

  Objective objective(const std::vector<Cluster>& clusters) const {
    Objective sum;
    std::vector<Count> row(clusters.size());
    std::vector<Count> column(clusters.size());
    for (std::size_t i = 0; i < clusters.size(); ++i)
      for (std::size_t j = 0; j < clusters.size(); ++j) {
        Count pair = 0;
        for (const WordId left : clusters[i].words)
          for (const WordId right : clusters[j].words) pair += pairs_[left][right];
        sum.value += terms_.h(pair);
        sum.inside += pair;
        row[i] += pair;
        column[j] += pair;
      }
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      Count left = 0;
      Count right = 0;
      for (const WordId word : clusters[i].words) {
        left += terms_.left_marginal(word);
        right += terms_.right_marginal(word);
      }
      sum.value -= terms_.weigh(static_cast<double>(row[i]), ObjectiveTerms::ln(left)) +
                   terms_.weigh(static_cast<double>(column[i]), ObjectiveTerms::ln(right));
    }
    return sum;
  }

  std::vector<Cluster> merged(std::size_t i, std::size_t j) const {
    std::vector<Cluster> clusters = clusters_;
    Cluster& target = clusters[i];
    target.words.insert(target.words.end(), clusters[j].words.begin(), clusters[j].words.end());
    target.rank = std::min(target.rank, clusters[j].rank);
    target.citizen = true;
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(j));
    return clusters;
  }

  void merge_best() {
    using Key = std::tuple<Score, std::uint32_t, std::uint32_t>;
    Key best{std::numeric_limits<Score>::max(), 0, 0};
    std::size_t best_i = 0;
    std::size_t best_j = 0;
    const Score now = objective(clusters_).value;
    for (std::size_t i = 0; i < clusters_.size(); ++i)
      for (std::size_t j = i + 1; j < clusters_.size(); ++j) {
        if (!clusters_[i].citizen && !clusters_[j].citizen) continue;
        const Key key{now - objective(merged(i, j)).value, std::min(clusters_[i].rank, clusters_[j].rank),
                      std::max(clusters_[i].rank, clusters_[j].rank)};
        if (key >= best) continue;
        best = key;
        best_i = i;
        best_j = j;
      }
    std::uint32_t left = clusters_[best_i].node;
    std::uint32_t right = clusters_[best_j].node;
    if (*std::min_element(clusters_[best_i].words.begin(), clusters_[best_i].words.end()) >
        *std::min_element(clusters_[best_j].words.begin(), clusters_[best_j].words.end()))
      std::swap(left, right);
    clusters_ = merged(best_i, best_j);
    clusters_[best_i].node = size_ + static_cast<std::uint32_t>(result_.merges.size());
    const Objective after = objective(clusters_);
    note(after);
    result_.merges.push_back({left, right, terms_.ami_bits(after.value, after.inside)});
  }

  void note(const Objective& sum) { result_.trace.push_back(terms_.ami_bits(sum.value, sum.inside)); }

  const Counts& counts_;
  const BrownOptions& options_;
  ObjectiveTerms terms_;
  std::uint32_t size_;
  std::vector<std::vector<Count>> pairs_;
  std::vector<WordId> queue_;
  std::vector<std::uint32_t> rank_;
  std::vector<Cluster> clusters_;
  NaiveBrown result_;
};

}  // namespace

NaiveBrown naive_brown(const Counts& counts, const BrownOptions& options) {
  return Naive(counts, options).run();
}

}  // namespace firth::reference

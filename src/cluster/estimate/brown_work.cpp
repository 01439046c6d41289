#include "cluster/estimate/brown_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace firth::clusters {
namespace {

// Seconds on one core of an AMD EPYC (Zen 5) with other work beside it. Fitted to fourteen runs over enwiki_20M, enwiki_1M,
// elife_8M, sotu, the bible and UD treebanks with 100 to 3,200 classes (told: 0.6 to 1.3 times what was measured). On nine others,
// with up to 17 million different pairs or 10,000 classes, 0.8 to 1.7 times (docs/performance.md).
constexpr double kCommon = 1.8e-9;       // a context in common, while the window is in the cache ...
constexpr double kCommonAway = 10e-9;    // ... and in addition, when it is not
constexpr double kCacheBytes = 16e6;     // up to here it is ...
constexpr double kAwayBytes = 116e6;     // ... and from here on it is not
constexpr double kCellBytes = 12.25;     // counts by row and by column, their bit sets, and a bound
constexpr double kPair = 40e-9;          // a loss ...
constexpr double kPairLane = 3e-11;      // ... whose bit sets have this many lanes
constexpr double kNewLane = 6.5e-10;     // a neighbour of a new word against a cluster
constexpr double kWord = 1e-6;           // a new word ...
constexpr double kWordLane = 2.5e-9;     // ... and its logarithm with every cluster
constexpr double kBound = 3e-10;         // reading a bound of a loss
constexpr double kDistinctPair = 25e-9;  // reading, checking and transposing a pair of words

// How often the loss of a pair is computed, by the same runs.
constexpr double kTimesPerDoubling = 0.85;  // each time that twice as many words have entered
constexpr double kTimesAtEnd = 2;  // while clusters merge to one; each merge fills the rows that are left ...
constexpr double kLessIfFull = 1.5;     // ... if they are not full already
constexpr double kReadsPerPair = 200;   // readings of bounds, and ...
constexpr double kReadsPerLane = 0.25;  // ... as many more for every cluster

constexpr double kMaxPairs = 1e6;         // of words, looked at in one go
constexpr std::size_t kMinClusters = 16;  // of all, looked at

/// Words stand in for clusters: word w belongs to cluster w modulo `window`. A sample of words and of clusters is
/// examined, and only neighbours on the right: the left side is about as large.
class WorkSample {
 public:
  WorkSample(const PairCounts& bigrams, std::size_t window)
      : bigrams_(bigrams),
        window_(window),
        every_word_(std::max<std::size_t>(
            1, static_cast<std::size_t>(static_cast<double>(bigrams.distinct()) / kMaxPairs))),
        every_cluster_(std::clamp<std::size_t>(window / kMinClusters, 1, every_word_)) {}

  BrownWork work() {
    BrownWork work;
    work.first_common = first_common();
    fill_clusters(work);
    work.lanes = lanes();
    return work;
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// A context of n clusters is in common to n (n-1) / 2 pairs of them; on both sides.
  static double pairs(double clusters) { return clusters * (clusters - 1); }

  double first_common() const {
    double common = 0;
    for (WordId word = 0; word < window_; ++word) {
      const auto rights = bigrams_.right_words(word);
      common += pairs(
          static_cast<double>(std::lower_bound(rights.begin(), rights.end(), window_) - rights.begin()));
    }
    return common;
  }

  void fill_clusters(BrownWork& work) {
    const auto window = static_cast<double>(window_);
    seen_.assign(window_, kNone);
    for (std::size_t cluster = 0; cluster < window_; cluster += every_cluster_) {
      fill_.push_back(neighbours(cluster));
      const auto like_it = static_cast<double>(std::min(every_cluster_, window_ - cluster));
      work.last_common += pairs(fill_.back()) * like_it;
      work.last_fill += fill_.back() * like_it / (window * window);
    }
  }

  /// Different clusters on the right of a cluster.
  double neighbours(std::size_t cluster) {
    std::size_t found = 0;
    for (std::size_t word = cluster; word < bigrams_.rows() && found < window_; word += window_)
      for (const WordId right : bigrams_.right_words(static_cast<WordId>(word)))
        found += is_new(right % window_, cluster) ? 1U : 0U;
    return static_cast<double>(found);
  }

  bool is_new(std::size_t cluster, std::size_t mark) {
    if (seen_[cluster] == mark) return false;
    seen_[cluster] = mark;
    return true;
  }

  double lanes() {
    const auto window = static_cast<double>(window_);
    double sum = 0;
    seen_.assign(window_, kNone);
    for (std::size_t word = window_; word < bigrams_.rows(); word += every_word_)
      for (const WordId right : bigrams_.right_words(static_cast<WordId>(word))) {
        if (right >= word) break;  // is not inside yet
        const std::size_t cluster = right % window_;
        // Beyond half of all, all clusters are looked up.
        if (is_new(cluster, word)) sum += std::min(window, 2 * fill_[cluster / every_cluster_]);
      }
    return 2 * sum * static_cast<double>(every_word_);
  }

  const PairCounts& bigrams_;
  std::size_t window_;
  std::size_t every_word_;
  std::size_t every_cluster_;
  std::vector<std::size_t> seen_;  ///< by cluster: for whom it was found last
  std::vector<double> fill_;       ///< by cluster of the sample: its neighbours on the right
};

}  // namespace

BrownWork brown_work(const Counts& counts, std::size_t window) {
  return window == 0 ? BrownWork{} : WorkSample(counts.bigrams(), window).work();
}

double brown_seconds(const Counts& counts, std::size_t window) {
  if (window == 0) return 0;
  const BrownWork work = brown_work(counts, window);
  const auto words = static_cast<double>(counts.vocabulary().size());
  const auto clusters = static_cast<double>(window);
  const double times = kTimesPerDoubling * std::log2(words / clusters);
  // Between the first window and the last one, rows are as full as both on average.
  const double common = work.first_common + times * std::sqrt(work.first_common * work.last_common) +
                        (kTimesAtEnd - kLessIfFull * work.last_fill) * work.last_common;
  const double away =
      std::clamp((kCellBytes * clusters * clusters - kCacheBytes) / (kAwayBytes - kCacheBytes), 0.0, 1.0);
  const double losses = (1 + times + kTimesAtEnd) * clusters * clusters / 2;
  const double reads = (kReadsPerPair + kReadsPerLane * clusters) * clusters * clusters;
  return (kCommon + kCommonAway * away) * common + (kPair + kPairLane * clusters) * losses + kBound * reads +
         kNewLane * work.lanes + (kWord + kWordLane * clusters) * words +
         kDistinctPair * static_cast<double>(counts.bigrams().distinct());
}

}  // namespace firth::clusters

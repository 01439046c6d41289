#include "cluster/choose/held_out.hpp"

#include <cmath>

#include "base/rng.hpp"
#include "cluster/objective.hpp"

namespace firth::clusters {
namespace {

/// Beyond this, a share of the count is as good as drawing one by one.
constexpr Count kMaxDraws = 1000;

Count drawn(Count count, double share, base::Rng& random) {
  if (count > kMaxDraws) return static_cast<Count>(std::llround(static_cast<double>(count) * share));
  Count held = 0;
  for (Count i = 0; i < count; ++i) held += random.uniform() < share ? 1 : 0;
  return held;
}

/// The share of every count that is kept back for pairs never seen: about as many as were seen once.
double discount_of(const PairCounts& pairs) {
  double once = 1;
  double twice = 0.5;
  for (const Count count : pairs.counts()) {
    once += count == 1 ? 1 : 0;
    twice += count == 2 ? 1 : 0;
  }
  return once / (once + 2 * twice);
}

/// p(d|c) from counts of class pairs.
class ClassBigrams {
 public:
  explicit ClassBigrams(const PairCounts& pairs)
      : pairs_(pairs),
        lefts_(pairs.left_marginals()),
        rights_(pairs.right_marginals()),
        discount_(discount_of(pairs)) {}

  /// Adds log2 p(d|c) - log2 N(d) for the held-out pairs of class c.
  double row_bits(ClassId c, const PairCounts& held_out) const {
    const auto seen = pairs_.right_words(c);
    const auto counts = pairs_.right_counts(c);
    const auto wanted = held_out.right_words(c);
    const auto times = held_out.right_counts(c);
    const auto left = static_cast<double>(lefts_[c]);
    const double kept_back = discount_ * static_cast<double>(seen.size());
    double bits = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      while (at < seen.size() && seen[at] < wanted[i]) ++at;
      const bool known = at < seen.size() && seen[at] == wanted[i];
      const auto right = static_cast<double>(rights_[wanted[i]]);
      const double own = known ? static_cast<double>(counts[at]) - discount_ : 0;
      const double backed_off = kept_back * right / static_cast<double>(pairs_.total());
      bits += static_cast<double>(times[i]) * (std::log2((own + backed_off) / left) - std::log2(right));
    }
    return bits;
  }

 private:
  const PairCounts& pairs_;
  std::vector<Count> lefts_;
  std::vector<Count> rights_;
  double discount_;
};

}  // namespace

SplitPairs split_pairs(const Counts& counts, double share, std::uint64_t seed) {
  const PairCounts& all = counts.bigrams();
  std::vector<PairCount> train;
  std::vector<PairCount> held_out;
  base::Rng random(seed);
  all.for_each_pair([&](WordId left, WordId right, Count count) {
    const Count held = drawn(count, share, random);
    if (held > 0) held_out.push_back({left, right, held});
    if (held < count) train.push_back({left, right, count - held});
  });
  const std::size_t words = counts.vocabulary().size();
  return {Counts(counts.vocabulary(), PairCounts::from_pairs(words, std::move(train)), counts.info()),
          PairCounts::from_pairs(words, std::move(held_out))};
}

SplitPairs split_blocks(const Counts& counts) {
  std::vector<PairCount> train;
  const PairCounts& held_out = counts.held_out();
  const PairCounts& all = counts.bigrams();
  for (WordId left = 0; left < all.rows(); ++left) {
    const auto held = held_out.right_words(left);
    std::size_t at = 0;
    for (std::size_t i = 0; i < all.right_words(left).size(); ++i) {
      const WordId right = all.right_words(left)[i];
      const bool is_held = at < held.size() && held[at] == right;  // what is held out is among all pairs
      const Count rest = all.right_counts(left)[i] - (is_held ? held_out.right_counts(left)[at++] : 0);
      if (rest > 0) train.push_back({left, right, rest});
    }
  }
  return {Counts(counts.vocabulary(), PairCounts::from_pairs(all.rows(), std::move(train)), counts.info()),
          held_out};
}

HeldOutScorer::HeldOutScorer(const SplitPairs& pairs, std::span<const ClassId> classes, ClassId class_count) {
  const PairCounts& train = pairs.train.bigrams();
  const std::vector<Count> lefts = train.left_marginals();
  const std::vector<Count> rights = train.right_marginals();
  std::vector<PairCount> known;
  pairs.held_out.for_each_pair([&](WordId left, WordId right, Count count) {
    if (lefts[left] == 0 || rights[right] == 0) return;
    word_bits_ += static_cast<double>(count) * std::log2(static_cast<double>(rights[right]));
    known.push_back({left, right, count});
  });
  train_ = class_bigrams(train, classes, class_count);
  held_out_ = class_bigrams(PairCounts::from_pairs(train.rows(), std::move(known)), classes, class_count);
}

double HeldOutScorer::perplexity(std::span<const ClassId> merged, ClassId count) const {
  const PairCounts train = class_bigrams(train_, merged, count);
  const PairCounts held_out = class_bigrams(held_out_, merged, count);
  const ClassBigrams model(train);
  double bits = word_bits_;
  for (ClassId c = 0; c < count; ++c) bits += model.row_bits(c, held_out);
  return std::exp2(-bits / static_cast<double>(held_out.total()));
}

}  // namespace firth::clusters

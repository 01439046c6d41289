#include "cluster/brown/objective_terms.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include "firth/brown.hpp"
#include "firth/error.hpp"

namespace firth::brown {
namespace {

Count token_count(const Counts& counts) {
  if (counts.info().tokens > 0) return counts.info().tokens;
  const auto words = counts.vocabulary().counts();
  return std::accumulate(words.begin(), words.end(), Count{0});
}

Count largest_sum(const Counts& counts) {
  return std::max({counts.bigrams().total(), token_count(counts), Count{1}});
}

// Small corpora should not pay for a table that they never look at.
std::size_t table_size(const Counts& counts) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(largest_sum(counts) / 16), std::size_t{1} << 12,
                                 std::size_t{1} << 20);
}

// Marginals of clusters are sums of these, and must fit in a Count.
void check_sum(std::span<const Count> marginals) {
  constexpr Count kMaxSum = std::numeric_limits<std::int64_t>::max();
  Count sum = 0;
  for (const Count marginal : marginals) {
    if (marginal > kMaxSum - sum)
      throw InputError({}, "the unigram marginals add up to 2^63 or more",
                       "use bigram marginals, or divide all counts by the same number");
    sum += marginal;
  }
}

}  // namespace

const double* ObjectiveTerms::log_table() {
  static const std::vector<double> table = [] {
    std::vector<double> values(kLogTable);
    for (Count x = 0; x < kLogTable; ++x) values[x] = compute_ln(x);
    return values;
  }();
  return table.data();
}

ObjectiveTerms::ObjectiveTerms(const Counts& counts, BrownMarginals marginals, unsigned threads)
    : log_(largest_sum(counts), table_size(counts), threads),
      scale_(std::ldexp(1.0, log_.shift())),
      total_(counts.bigrams().total()) {
  left_ = counts.bigrams().left_marginals();
  right_ = counts.bigrams().right_marginals();
  Count norm = std::max<Count>(total_, 1);
  if (marginals == BrownMarginals::unigram) {
    norm = std::max<Count>(token_count(counts), 1);
    // In text no marginal is above the word's count; in tables of counts from elsewhere it may be.
    for (WordId word = 0; word < left_.size(); ++word)
      left_[word] = std::max({counts.vocabulary().count(word), left_[word], right_[word]});
    check_sum(left_);
    right_ = left_;
  }
  inside_weight_ = ln(norm);
  bits_ = 1.0 / (static_cast<double>(norm) * std::numbers::ln2);
}

double ObjectiveTerms::ami_bits(Score objective, Count inside) const {
  return (nats(objective) + static_cast<double>(inside) * inside_weight_) * bits_;
}

}  // namespace firth::brown

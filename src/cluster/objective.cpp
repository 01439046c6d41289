#include "cluster/objective.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "base/fixed_log.hpp"
#include "base/group_by.hpp"
#include "counts/share_counts.hpp"

namespace firth::clusters {
namespace {

// Sums of h in fixed point need h(4 T) < 2^62; larger totals (never seen in text) are summed as long double.
constexpr Count kLargestFixedTotal = Count{1} << 50;

long double exact_h(Count x) {
  const auto value = static_cast<long double>(x);
  return x == 0 ? 0.0L : value * std::log(value);
}

struct PairStorage {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<ClassId> rights;
  std::vector<Count> counts;
};

/// sum h(N) - sum h(Nl) - sum h(Nr), in nats.
double information_sum(const PairCounts& pairs) {
  const std::vector<Count> left = pairs.left_marginals();
  const std::vector<Count> right = pairs.right_marginals();
  if (pairs.total() > kLargestFixedTotal) {
    long double sum = 0;
    for (const Count n : pairs.counts()) sum += exact_h(n);
    for (const Count n : left) sum -= exact_h(n);
    for (const Count n : right) sum -= exact_h(n);
    return static_cast<double>(sum);
  }
  // Nearly all counts are small: a table as long as the largest would take longer than the sum.
  const base::FixedLog log(pairs.total(), std::clamp<std::size_t>(pairs.distinct(), 2, std::size_t{1} << 15));
  std::int64_t sum = 0;
  for (const Count n : pairs.counts()) sum += log.h(n);
  for (const Count n : left) sum -= log.h(n);
  for (const Count n : right) sum -= log.h(n);
  return log.nats(sum);
}

double ln(Count x) {
  return std::log(static_cast<double>(x));
}

double bits(double nats) {
  return nats / std::numbers::ln2;
}

}  // namespace

PairCounts class_bigrams(const PairCounts& words, std::span<const ClassId> classes, ClassId class_count) {
  const base::Groups words_of(classes, class_count);
  const auto storage = std::make_shared<PairStorage>();
  storage->offsets.reserve(std::size_t{class_count} + 1);
  std::vector<Count> row(class_count);
  std::vector<ClassId> touched;
  for (ClassId c = 0; c < class_count; ++c) {
    for (const WordId left : words_of[c]) {
      const auto rights = words.right_words(left);
      const auto counts = words.right_counts(left);
      for (std::size_t j = 0; j < rights.size(); ++j) {
        const ClassId right = classes[rights[j]];
        if (right == kNoClass) continue;
        if (row[right] == 0) touched.push_back(right);
        row[right] += counts[j];
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const ClassId right : touched) {
      storage->rights.push_back(right);
      storage->counts.push_back(std::exchange(row[right], 0));
    }
    touched.clear();
    storage->offsets.push_back(storage->rights.size());
  }
  return {storage->offsets, storage->rights, storage->counts, storage};
}

PairCounts class_bigrams(const PairCounts& words, std::span<const ClassId> classes, ClassId class_count,
                         const base::Ranks& ranks) {
  if (!ranks.shard_lists()) return class_bigrams(words, classes, class_count);
  return counts::share_pairs(ranks.is_root() ? class_bigrams(words, classes, class_count) : PairCounts(),
                             ranks);
}

double ami_bits(const PairCounts& class_pairs) {
  if (class_pairs.total() == 0) return 0;
  const auto total = static_cast<double>(class_pairs.total());
  return bits(information_sum(class_pairs) / total + ln(class_pairs.total()));
}

double ami_bits_over_tokens(const PairCounts& class_pairs, Count tokens) {
  if (class_pairs.total() == 0) return 0;
  const double share = static_cast<double>(class_pairs.total()) / static_cast<double>(tokens);
  return bits(information_sum(class_pairs) / static_cast<double>(tokens) + share * ln(tokens));
}

double ami_bits_unigram(const PairCounts& class_pairs, std::span<const Count> unigrams, Count tokens) {
  if (class_pairs.total() == 0) return 0;
  const std::vector<Count> left = class_pairs.left_marginals();
  const std::vector<Count> right = class_pairs.right_marginals();
  long double sum = 0;
  for (const Count n : class_pairs.counts()) sum += exact_h(n);
  for (std::size_t c = 0; c < left.size(); ++c) {
    const auto both = static_cast<long double>(left[c]) + static_cast<long double>(right[c]);
    if (both > 0) sum -= both * std::log(static_cast<long double>(unigrams[c]));
  }
  const double share = static_cast<double>(class_pairs.total()) / static_cast<double>(tokens);
  return bits(static_cast<double>(sum) / static_cast<double>(tokens) + share * ln(tokens));
}

}  // namespace firth::clusters

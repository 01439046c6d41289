#include "cluster/spectral/merge_scores.hpp"

#include <cmath>
#include <numbers>

#include "base/fixed_log.hpp"
#include "cluster/objective.hpp"

namespace firth::spectral {
namespace {

/// Class pair counts as a dense table, and T AMI = sum h(N(c,c')) - sum h(Nl(c)) - sum h(Nr(c)) + h(T) kept
/// in step.
class ClassTable {
 public:
  ClassTable(const PairCounts& pairs, std::size_t classes)
      : classes_(classes),
        log_(pairs.total()),
        total_(pairs.total()),
        counts_(classes * classes, 0),
        left_(pairs.left_marginals()),
        right_(pairs.right_marginals()),
        alive_(classes) {
    for (ClassId a = 0; a < classes; ++a) {
      alive_[a] = a;
      value_ -= log_.h(left_[a]) + log_.h(right_[a]);
    }
    pairs.for_each_pair([&](ClassId a, ClassId b, Count count) {
      at(a, b) = count;
      value_ += log_.h(count);
    });
    value_ += log_.h(total_);
  }

  /// Adds class c to class a; c is no more.
  void merge(ClassId a, ClassId c) {
    std::erase(alive_, c);
    for (const ClassId k : alive_) {
      if (k == a) continue;
      move(at(a, k), at(c, k));
      move(at(k, a), at(k, c));
    }
    const Count inside = at(a, a) + at(a, c) + at(c, a) + at(c, c);
    value_ += log_.h(inside) - log_.h(at(a, a)) - log_.h(at(a, c)) - log_.h(at(c, a)) - log_.h(at(c, c));
    at(a, a) = inside;
    value_ += log_.h(left_[a]) + log_.h(left_[c]) - log_.h(left_[a] + left_[c]);
    value_ += log_.h(right_[a]) + log_.h(right_[c]) - log_.h(right_[a] + right_[c]);
    left_[a] += left_[c];
    right_[a] += right_[c];
  }

  double bits() const {
    if (total_ == 0) return 0;
    return log_.nats(value_) / (static_cast<double>(total_) * std::numbers::ln2);
  }

 private:
  Count& at(ClassId a, ClassId b) { return counts_[a * classes_ + b]; }
  void move(Count& to, Count from) {
    value_ += log_.h(to + from) - log_.h(to) - log_.h(from);
    to += from;
  }

  std::size_t classes_;
  base::FixedLog log_;
  Count total_;
  std::vector<Count> counts_;
  std::vector<Count> left_;
  std::vector<Count> right_;
  std::vector<ClassId> alive_;
  std::int64_t value_ = 0;
};

}  // namespace

double score_merges(const PairCounts& bigrams, std::span<const ClassId> classes, MergeTree& tree) {
  ClassTable table(clusters::class_bigrams(bigrams, classes, tree.leaves), tree.leaves);
  const double before = table.bits();
  std::vector<ClassId> place(tree.leaves + tree.merges.size());
  for (std::uint32_t leaf = 0; leaf < tree.leaves; ++leaf) place[leaf] = leaf;
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    TreeMerge& merge = tree.merges[i];
    table.merge(place[merge.left], place[merge.right]);
    merge.ami_bits = table.bits();
    place[tree.leaves + i] = place[merge.left];
  }
  return before;
}

std::uint64_t score_bytes(std::uint64_t leaves) {
  return leaves * leaves * sizeof(Count);
}

}  // namespace firth::spectral

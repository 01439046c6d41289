#include "firth/build_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "base/aligned.hpp"
#include "base/fixed_log.hpp"
#include "base/memory_limit.hpp"
#include "base/simd.hpp"
#include "base/stage.hpp"
#include "base/worker_team.hpp"
#include "cluster/objective.hpp"
#include "firth/error.hpp"

// Notation: h(x) = x ln x in fixed point; the gain of merging v and w is, with phi(x,y) = h(x+y)-h(x)-h(y),
//   G(v,w) = sum over c of phi(N(v,c),N(w,c)) + phi(N(c,v),N(c,w)), c not v or w
//          + h(vv+vw+wv+ww) - h(vv) - h(vw) - h(wv) - h(ww) - phi(Nl(v),Nl(w)) - phi(Nr(v),Nr(w)) <= 0.
// All sums are integers: updating a gain step by step gives the same bits as computing it anew.
namespace firth {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

/// sums[w] += phi(cells[w], k); table lookups only, every cells[w] + k must be inside the table.
FIRTH_CLONES void add_phi(const std::int64_t* __restrict table, const Count* __restrict cells,
                          std::size_t lanes, Count k, std::int64_t* __restrict sums) {
  const std::int64_t single = table[k];
  for (std::size_t w = 0; w < lanes; ++w) {
    const Count n = cells[w];
    sums[w] += table[n + k] - table[n] - single;
  }
}

/// The contexts of one side when s and t become one: what each class adds to its gains with others.
struct Change {
  std::vector<Count> a;                // N(v,s)
  std::vector<Count> b;                // N(v,t)
  std::vector<std::int64_t> constant;  // h(a) + h(b) - h(a+b)
  Count largest = 0;
};

/// sums[w] += phi(a+b) - phi(a) - phi(b) for a pair (v,w), by table.
FIRTH_CLONES void add_change(const std::int64_t* __restrict table, const Change& change, std::size_t v,
                             std::size_t lanes, std::int64_t* __restrict sums) {
  const Count av = change.a[v];
  const Count bv = change.b[v];
  const std::int64_t cv = change.constant[v];
  const Count* __restrict a = change.a.data();
  const Count* __restrict b = change.b.data();
  const std::int64_t* __restrict constant = change.constant.data();
  for (std::size_t w = 0; w < lanes; ++w) {
    sums[w] += table[av + bv + a[w] + b[w]] - table[av + a[w]] - table[bv + b[w]] + cv + constant[w];
  }
}

FIRTH_CLONES std::int64_t highest(const std::int64_t* __restrict values, std::size_t count) {
  std::int64_t best = kNever;
  for (std::size_t i = 0; i < count; ++i) best = std::max(best, values[i]);
  return best;
}

/// Classes in the order of their ranks; a merged class keeps the place of the one that ranks first, so that
/// "the first best pair" is the tie rule. Dead places have no counts.
class TreeBuilder {
 public:
  TreeBuilder(const PairCounts& pairs, const RunOptions& run)
      : size_(pairs.rows()),
        log_(pairs.total(), std::clamp<std::size_t>(pairs.total() / 8, 1 << 12, 1 << 20)),
        total_(pairs.total()),
        right_(size_ * size_),
        left_(size_ * size_),
        out_(pairs.left_marginals()),
        in_(pairs.right_marginals()),
        alive_(size_, 1),
        gains_(size_ * size_, kNever),
        team_(run.threads) {
    pairs.for_each_pair([&](std::size_t v, std::size_t w, Count count) {
      right_[v * size_ + w] = count;
      left_[w * size_ + v] = count;
    });
    for (const Count n : right_) objective_ += log_.h(n);
    for (const Count n : out_) objective_ -= log_.h(n);
    for (const Count n : in_) objective_ -= log_.h(n);
    team_.run(size_, 1, [&](unsigned, std::size_t v, std::size_t) {
      if (run.stop.stop_requested()) return;
      std::vector<std::int64_t> row(v);
      score(v, row);
      for (std::size_t w = 0; w < v; ++w) gain(w, v) = row[w];
    });
    run.check_stop();
  }

  struct Step {
    std::size_t kept;
    std::size_t gone;
    double ami_bits;
  };

  Step merge_best() {
    std::vector<std::int64_t> best(size_);
    for (std::size_t v = 0; v < size_; ++v) best[v] = highest(&gain(v, 0), size_);
    const auto row = std::max_element(best.begin(), best.end());
    const auto kept = static_cast<std::size_t>(row - best.begin());
    std::size_t gone = kept + 1;
    while (gain(kept, gone) != *row) ++gone;
    objective_ += *row;
    merge(kept, gone);
    return {kept, gone, ami_bits()};
  }

 private:
  std::int64_t& gain(std::size_t v, std::size_t w) { return gains_[v * size_ + w]; }
  std::int64_t phi(Count x, Count y) const { return log_.h(x + y) - log_.h(x) - log_.h(y); }
  double ami_bits() const {
    if (total_ == 0) return 0;
    return log_.nats(objective_ + log_.h(total_)) / (static_cast<double>(total_) * std::numbers::ln2);
  }

  /// row[w] = G(v,w) for w < row.size().
  void score(std::size_t v, std::vector<std::int64_t>& row) const {
    for (const base::AlignedVector<Count>* side : {&right_, &left_}) {
      const base::AlignedVector<Count>& other = side == &right_ ? left_ : right_;
      for (std::size_t c = 0; c < size_; ++c) {
        const Count k = (*side)[v * size_ + c];
        if (k == 0 || c == v) continue;
        // Row c of the other side holds N(w,c) (or N(c,w)) for every w.
        const Count* cells = &other[c * size_];
        if (*std::max_element(cells, cells + row.size()) + k < log_.table().size()) {
          add_phi(log_.table().data(), cells, row.size(), k, row.data());
        } else {
          for (std::size_t w = 0; w < row.size(); ++w) row[w] += phi(cells[w], k);
        }
      }
    }
    const Count vv = right_[v * size_ + v];
    for (std::size_t w = 0; w < row.size(); ++w) {
      const Count vw = right_[v * size_ + w];
      const Count wv = left_[v * size_ + w];
      const Count ww = right_[w * size_ + w];
      // Context c = w was taken for one among others above.
      row[w] -= phi(ww, vw) + phi(ww, wv);
      row[w] += log_.h(vv + vw + wv + ww) - log_.h(vv) - log_.h(vw) - log_.h(wv) - log_.h(ww);
      row[w] -= phi(out_[v], out_[w]) + phi(in_[v], in_[w]);
    }
  }

  Change change_of(const base::AlignedVector<Count>& contexts, std::size_t s, std::size_t t) const {
    Change change;
    change.a.assign(&contexts[s * size_], &contexts[s * size_] + size_);
    change.b.assign(&contexts[t * size_], &contexts[t * size_] + size_);
    change.constant.resize(size_);
    for (std::size_t v = 0; v < size_; ++v) {
      const Count a = change.a[v];
      const Count b = change.b[v];
      change.constant[v] = -phi(a, b);
      change.largest = std::max(change.largest, a + b);
    }
    return change;
  }

  void add_change_slow(const Change& change, std::size_t v, std::vector<std::int64_t>& sums) const {
    for (std::size_t w = 0; w < sums.size(); ++w) {
      sums[w] += phi(change.a[v] + change.b[v], change.a[w] + change.b[w]) - phi(change.a[v], change.a[w]) -
                 phi(change.b[v], change.b[w]);
    }
  }

  /// Gains of pairs that keep both members: two of their contexts become one. Nothing changes for a pair
  /// unless one of the two meets the class that `rare` holds.
  void update_pairs(std::size_t kept, std::size_t gone, const Change& change,
                    const std::vector<Count>& rare) {
    std::vector<std::size_t> touched;
    for (std::size_t v = 0; v < size_; ++v) {
      if (rare[v] > 0 && alive_[v] != 0 && v != kept && v != gone) touched.push_back(v);
    }
    const bool fast = 2 * change.largest < log_.table().size();
    // Pairs of two touched classes are written by the first of them only, so rows can be worked on at once.
    team_.run(touched.size(), 4, [&](unsigned, std::size_t begin, std::size_t end) {
      std::vector<std::int64_t> sums(size_);
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t v = touched[i];
        std::fill(sums.begin(), sums.end(), 0);
        if (fast) {
          add_change(log_.table().data(), change, v, size_, sums.data());
        } else {
          add_change_slow(change, v, sums);
        }
        for (std::size_t w = 0; w < size_; ++w) {
          if (sums[w] == 0 || w == v || w == kept || w == gone || alive_[w] == 0) continue;
          if (rare[w] > 0 && w < v) continue;
          gain(std::min(v, w), std::max(v, w)) += sums[w];
        }
      }
    });
  }

  static const std::vector<Count>& rarer(const Change& change) {
    const auto zeros = [](const std::vector<Count>& row) {
      return std::count(row.begin(), row.end(), Count{0});
    };
    return zeros(change.a) > zeros(change.b) ? change.a : change.b;
  }

  void merge(std::size_t kept, std::size_t gone) {
    // Row of `left_`: N(v,s) over v, the right context s of every v.
    const Change right = change_of(left_, kept, gone);
    update_pairs(kept, gone, right, rarer(right));
    const Change left = change_of(right_, kept, gone);
    update_pairs(kept, gone, left, rarer(left));
    for (base::AlignedVector<Count>* side : {&right_, &left_}) {
      for (std::size_t c = 0; c < size_; ++c) {
        (*side)[kept * size_ + c] += std::exchange((*side)[gone * size_ + c], 0);
      }
      for (std::size_t c = 0; c < size_; ++c) {
        (*side)[c * size_ + kept] += std::exchange((*side)[c * size_ + gone], 0);
      }
    }
    out_[kept] += std::exchange(out_[gone], 0);
    in_[kept] += std::exchange(in_[gone], 0);
    alive_[gone] = 0;
    std::vector<std::int64_t> row(size_);
    score(kept, row);
    for (std::size_t w = 0; w < size_; ++w) {
      gain(std::min(w, gone), std::max(w, gone)) = kNever;
      if (w != kept && alive_[w] != 0) gain(std::min(w, kept), std::max(w, kept)) = row[w];
    }
  }

  std::size_t size_;
  base::FixedLog log_;
  Count total_;
  base::AlignedVector<Count> right_;  // row v: N(v,c)
  base::AlignedVector<Count> left_;   // row v: N(c,v)
  std::vector<Count> out_;
  std::vector<Count> in_;
  std::vector<char> alive_;
  base::AlignedVector<std::int64_t> gains_;  // G(v,w) at v < w, kNever elsewhere
  std::int64_t objective_ = 0;
  base::WorkerTeam team_;
};

/// First word of each class, in class order. Throws UsageError for a class without one.
std::vector<WordId> first_words(std::span<const ClassId> classes) {
  constexpr WordId kNoWord = std::numeric_limits<WordId>::max();
  std::vector<WordId> first;
  for (WordId word = 0; word < classes.size(); ++word) {
    const ClassId c = classes[word];
    if (c == kNoClass) continue;
    if (c >= first.size()) first.resize(std::size_t{c} + 1, kNoWord);
    first[c] = std::min(first[c], word);
  }
  const auto empty = std::find(first.begin(), first.end(), kNoWord);
  if (empty != first.end()) {
    throw UsageError(fmt::format("class {} has no word of the counts", empty - first.begin()),
                     "number the classes without gaps");
  }
  return first;
}

void check_memory(std::uint64_t classes, const RunOptions& run) {
  const std::uint64_t needed = 24 * classes * classes;
  base::require_memory(run, needed, fmt::format("a tree over {} classes", classes), "ask for fewer classes");
}

}  // namespace

MergeTree build_tree(const Counts& counts, std::span<const ClassId> classes, const RunOptions& run) {
  if (classes.size() != counts.vocabulary().size()) {
    throw UsageError(
        fmt::format("{} classes are given for {} words", classes.size(), counts.vocabulary().size()));
  }
  const std::vector<WordId> first = first_words(classes);
  MergeTree tree{TreeLeaves::classes, static_cast<std::uint32_t>(first.size()), {}};
  if (first.size() < 2) return tree;
  check_memory(first.size(), run);
  std::vector<ClassId> by_rank(first.size());
  std::iota(by_rank.begin(), by_rank.end(), ClassId{0});
  std::sort(by_rank.begin(), by_rank.end(), [&](ClassId a, ClassId b) { return first[a] < first[b]; });
  std::vector<ClassId> place(first.size());
  for (ClassId i = 0; i < by_rank.size(); ++i) place[by_rank[i]] = i;
  std::vector<ClassId> placed(classes.begin(), classes.end());
  for (ClassId& c : placed) c = c == kNoClass ? kNoClass : place[c];

  TreeBuilder builder(clusters::class_bigrams(counts.bigrams(), placed, tree.leaves), run);
  std::vector<std::uint32_t> node(by_rank.begin(), by_rank.end());
  const base::Stage stage(run, "tree", "merges", tree.leaves - 1);
  for (std::uint32_t merge = 0; merge + 1 < tree.leaves; ++merge) {
    run.check_stop();
    const auto step = builder.merge_best();
    tree.merges.push_back({node[step.kept], node[step.gone], step.ami_bits});
    node[step.kept] = tree.leaves + merge;
    stage.advance(merge + 1);
  }
  return tree;
}

}  // namespace firth

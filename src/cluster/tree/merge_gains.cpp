#include "cluster/tree/merge_gains.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "base/simd.hpp"

namespace firth::clusters {
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

/// Two contexts that become one, for class v; the arrays are over the classes w.
struct ContextPair {
  Count av;
  Count bv;
  std::int64_t constant_v;
  const Count* a;
  const Count* b;
  const std::int64_t* constant;
};

/// sums[w] += phi(a+b) - phi(a) - phi(b) for a pair (v,w), by table.
FIRTH_CLONES void add_pair(const std::int64_t* __restrict table, const ContextPair& pair, std::size_t lanes,
                           std::int64_t* __restrict sums) {
  const Count av = pair.av;
  const Count bv = pair.bv;
  const std::int64_t cv = pair.constant_v;
  const Count* __restrict a = pair.a;
  const Count* __restrict b = pair.b;
  const std::int64_t* __restrict constant = pair.constant;
  for (std::size_t w = 0; w < lanes; ++w) {
    sums[w] += table[av + bv + a[w] + b[w]] - table[av + a[w]] - table[bv + b[w]] + cv + constant[w];
  }
}

FIRTH_CLONES std::int64_t highest(const std::int64_t* __restrict values, std::size_t count) {
  std::int64_t best = kNever;
  for (std::size_t i = 0; i < count; ++i) best = std::max(best, values[i]);
  return best;
}

}  // namespace

MergeGains::MergeGains(const PairCounts& pairs, const RunOptions& run)
    : log_(pairs.total(), std::clamp<std::size_t>(pairs.total() / 8, 1 << 12, 1 << 20)),
      total_(pairs.total()),
      classes_(pairs),
      alive_(pairs.rows(), 1),
      gains_(pairs.rows() * pairs.rows(), kNever),
      team_(run.threads) {
  pairs.for_each_pair([&](std::size_t, std::size_t, Count count) { objective_ += log_.h(count); });
  for (std::size_t v = 0; v < classes_.size(); ++v)
    objective_ -= log_.h(classes_.left_marginal(v)) + log_.h(classes_.right_marginal(v));
  team_.run(classes_.size(), 1, [&](unsigned, std::size_t v, std::size_t) {
    if (run.stop.stop_requested()) return;
    std::vector<std::int64_t> row(v);
    score(v, row);
    for (std::size_t w = 0; w < v; ++w) gain(w, v) = row[w];
  });
  run.check_stop();
}

MergeGains::Step MergeGains::merge_best() {
  const std::size_t size = classes_.size();
  std::vector<std::int64_t> best(size);
  for (std::size_t v = 0; v < size; ++v) best[v] = highest(&gain(v, 0), size);
  const auto row = std::max_element(best.begin(), best.end());
  const auto kept = static_cast<std::size_t>(row - best.begin());
  std::size_t gone = kept + 1;
  while (gain(kept, gone) != *row) ++gone;
  objective_ += *row;
  merge(kept, gone);
  return {kept, gone, ami_bits()};
}

double MergeGains::ami_bits() const {
  if (total_ == 0) return 0;
  return log_.nats(objective_ + log_.h(total_)) / (static_cast<double>(total_) * std::numbers::ln2);
}

/// row[w] += the terms of all contexts on one side of v and w.
void MergeGains::add_contexts(std::size_t v, bool after, std::vector<std::int64_t>& row) const {
  const Count* contexts = after ? classes_.after(v) : classes_.before(v);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const Count k = contexts[c];
    if (k == 0 || c == v) continue;
    // Row c of the other side holds N(w,c) (or N(c,w)) for every w.
    const Count* cells = after ? classes_.before(c) : classes_.after(c);
    if (*std::max_element(cells, cells + row.size()) + k < log_.table().size()) {
      add_phi(log_.table().data(), cells, row.size(), k, row.data());
    } else {
      for (std::size_t w = 0; w < row.size(); ++w) row[w] += phi(cells[w], k);
    }
  }
}

/// row[w] = G(v,w) for w < row.size().
void MergeGains::score(std::size_t v, std::vector<std::int64_t>& row) const {
  if (row.empty()) return;
  add_contexts(v, true, row);
  add_contexts(v, false, row);
  const Count vv = classes_.count(v, v);
  for (std::size_t w = 0; w < row.size(); ++w) {
    const Count vw = classes_.count(v, w);
    const Count wv = classes_.count(w, v);
    const Count ww = classes_.count(w, w);
    // Context c = w was taken for one among others above.
    row[w] -= phi(ww, vw) + phi(ww, wv);
    row[w] += log_.h(vv + vw + wv + ww) - log_.h(vv) - log_.h(vw) - log_.h(wv) - log_.h(ww);
    row[w] -= phi(classes_.left_marginal(v), classes_.left_marginal(w)) +
              phi(classes_.right_marginal(v), classes_.right_marginal(w));
  }
}

MergeGains::Change MergeGains::change_of(const Count* s, const Count* t) const {
  const std::size_t size = classes_.size();
  Change change;
  change.a.assign(s, s + size);
  change.b.assign(t, t + size);
  change.constant.resize(size);
  for (std::size_t v = 0; v < size; ++v) {
    change.constant[v] = -phi(s[v], t[v]);
    change.largest = std::max(change.largest, s[v] + t[v]);
  }
  return change;
}

void MergeGains::Change::add(const std::int64_t* table, std::size_t v,
                             std::vector<std::int64_t>& sums) const {
  add_pair(table, {a[v], b[v], constant[v], a.data(), b.data(), constant.data()}, sums.size(), sums.data());
}

/// Of the two contexts, the one that fewer classes have.
const std::vector<Count>& MergeGains::Change::rarer() const {
  const auto zeros = [](const std::vector<Count>& row) {
    return std::count(row.begin(), row.end(), Count{0});
  };
  return zeros(a) > zeros(b) ? a : b;
}

void MergeGains::add_change(const Change& change, std::size_t v, std::vector<std::int64_t>& sums) const {
  if (2 * change.largest < log_.table().size()) return change.add(log_.table().data(), v, sums);
  for (std::size_t w = 0; w < sums.size(); ++w) {
    sums[w] += phi(change.a[v] + change.b[v], change.a[w] + change.b[w]) - phi(change.a[v], change.a[w]) -
               phi(change.b[v], change.b[w]);
  }
}

/// Gains of pairs that keep both members: two of their contexts become one. Nothing changes for a pair unless
/// one of the two has the rarer context.
void MergeGains::update_pairs(std::size_t kept, std::size_t gone, const Change& change) {
  const std::vector<Count>& rare = change.rarer();
  std::vector<std::size_t> touched;
  for (std::size_t v = 0; v < classes_.size(); ++v) {
    if (rare[v] > 0 && alive_[v] != 0 && v != kept && v != gone) touched.push_back(v);
  }
  // Pairs of two touched classes are written by the first of them only, so rows can be worked on at once.
  team_.run(touched.size(), 4, [&](unsigned, std::size_t begin, std::size_t end) {
    std::vector<std::int64_t> sums(classes_.size());
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t v = touched[i];
      std::fill(sums.begin(), sums.end(), 0);
      add_change(change, v, sums);
      for (std::size_t w = 0; w < sums.size(); ++w) {
        if (sums[w] == 0 || w == v || w == kept || w == gone || alive_[w] == 0) continue;
        if (rare[w] > 0 && w < v) continue;
        gain(std::min(v, w), std::max(v, w)) += sums[w];
      }
    }
  });
}

void MergeGains::merge(std::size_t kept, std::size_t gone) {
  // Row s of before(): N(v,s) over v, the right context s of every v.
  update_pairs(kept, gone, change_of(classes_.before(kept), classes_.before(gone)));
  update_pairs(kept, gone, change_of(classes_.after(kept), classes_.after(gone)));
  classes_.merge(kept, gone);
  alive_[gone] = 0;
  std::vector<std::int64_t> row(classes_.size());
  score(kept, row);
  for (std::size_t w = 0; w < row.size(); ++w) {
    gain(std::min(w, gone), std::max(w, gone)) = kNever;
    if (w != kept && alive_[w] != 0) gain(std::min(w, kept), std::max(w, kept)) = row[w];
  }
}

}  // namespace firth::clusters

#include "cluster/tree/merge_gains.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "base/simd.hpp"

namespace firth::clusters {
namespace {

constexpr std::size_t kLanesAtOnce = 1024;

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

}  // namespace

MergeGains::MergeGains(const PairCounts& pairs, const RunOptions& run)
    : log_(pairs.total(), std::clamp<std::size_t>(pairs.total() / 8, 1 << 12, 1 << 20)),
      total_(pairs.total()),
      classes_(pairs),
      alive_(pairs.rows(), 1),
      changed_(pairs.rows(), 1),
      places_(pairs.rows()),
      gains_(pairs.rows()),
      team_(run.threads) {
  std::iota(places_.begin(), places_.end(), std::size_t{0});
  pairs.for_each_pair([&](std::size_t, std::size_t, Count count) { objective_ += log_.h(count); });
  for (std::size_t v = 0; v < classes_.size(); ++v)
    objective_ -= log_.h(classes_.left_marginal(v)) + log_.h(classes_.right_marginal(v));
  team_.run(classes_.size(), 1, [&](unsigned, std::size_t v, std::size_t) {
    if (run.stop.stop_requested()) return;
    std::vector<std::int64_t> row(v);
    score(v, 0, row);
    for (std::size_t w = 0; w < v; ++w) gains_.at(w, v) = row[w];
  });
  run.check_stop();
  refresh();
}

MergeGains::Step MergeGains::merge_best() {
  const GainTable::Best best = gains_.best();
  const Step step{places_[best.v], places_[best.w], 0};
  objective_ += best.gain;
  merge(best.v, best.w);
  if (2 * ++merged_ > classes_.size()) forget_merged();
  return {step.kept, step.gone, ami_bits()};
}

/// Brings the best pairs up to date with what has changed.
void MergeGains::refresh() {
  std::vector<std::size_t> changed;
  for (std::size_t v = 0; v < changed_.size(); ++v) {
    if (changed_[v] != 0) changed.push_back(v);
  }
  gains_.refresh(changed, team_);
  std::fill(changed_.begin(), changed_.end(), 0);
}

/// Makes the tables smaller: their time and memory go with the classes that are left.
void MergeGains::forget_merged() {
  std::vector<std::size_t> left;
  for (std::size_t v = 0; v < alive_.size(); ++v) {
    if (alive_[v] == 0) continue;
    places_[left.size()] = places_[v];
    left.push_back(v);
  }
  classes_.keep(left);
  gains_.keep(left);
  places_.resize(left.size());
  alive_.assign(left.size(), 1);
  changed_.assign(left.size(), 0);
  merged_ = 0;
}

double MergeGains::ami_bits() const {
  if (total_ == 0) return 0;
  return log_.nats(objective_ + log_.h(total_)) / (static_cast<double>(total_) * std::numbers::ln2);
}

/// gains[i] += the terms of all contexts on one side of v and begin + i.
void MergeGains::add_contexts(std::size_t v, bool after, std::size_t begin,
                              std::span<std::int64_t> gains) const {
  const Count* contexts = after ? classes_.after(v) : classes_.before(v);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const Count k = contexts[c];
    if (k == 0 || c == v) continue;
    // Row c of the other side holds N(w,c) (or N(c,w)) for every w; no cell is above the marginal.
    const Count* cells = (after ? classes_.before(c) : classes_.after(c)) + begin;
    const Count most = after ? classes_.right_marginal(c) : classes_.left_marginal(c);
    if (most + k < log_.table().size() ||
        *std::max_element(cells, cells + gains.size()) + k < log_.table().size()) {
      add_phi(log_.table().data(), cells, gains.size(), k, gains.data());
    } else {
      for (std::size_t i = 0; i < gains.size(); ++i) gains[i] += phi(cells[i], k);
    }
  }
}

/// gains[i] = G(v,w), w = begin + i. They are 0 before.
void MergeGains::score(std::size_t v, std::size_t begin, std::span<std::int64_t> gains) const {
  if (gains.empty()) return;
  add_contexts(v, true, begin, gains);
  add_contexts(v, false, begin, gains);
  const Count vv = classes_.count(v, v);
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const std::size_t w = begin + i;
    const Count vw = classes_.count(v, w);
    const Count wv = classes_.count(w, v);
    const Count ww = classes_.count(w, w);
    // Context c = w was taken for one among others above.
    gains[i] -= phi(ww, vw) + phi(ww, wv);
    gains[i] += log_.h(vv + vw + wv + ww) - log_.h(vv) - log_.h(vw) - log_.h(wv) - log_.h(ww);
    gains[i] -= phi(classes_.left_marginal(v), classes_.left_marginal(w)) +
                phi(classes_.right_marginal(v), classes_.right_marginal(w));
  }
}

/// Contexts `kept` and `gone` after (or before) the classes other than themselves.
MergeGains::Change MergeGains::change_of(std::size_t kept, std::size_t gone, bool after) const {
  // Row s of before(): N(v,s) over v, the right context s of every v.
  const Count* s = after ? classes_.before(kept) : classes_.after(kept);
  const Count* t = after ? classes_.before(gone) : classes_.after(gone);
  Change change;
  for (std::size_t v = 0; v < classes_.size(); ++v) {
    if (s[v] + t[v] == 0 || v == kept || v == gone) continue;
    change.classes.push_back(v);
    change.a.push_back(s[v]);
    change.b.push_back(t[v]);
    change.constant.push_back(-phi(s[v], t[v]));
    change.largest = std::max(change.largest, s[v] + t[v]);
  }
  return change;
}

void MergeGains::Change::add(const std::int64_t* table, std::size_t i,
                             std::vector<std::int64_t>& sums) const {
  add_pair(table, {a[i], b[i], constant[i], a.data(), b.data(), constant.data()}, sums.size(), sums.data());
}

/// Of the two contexts, the one that fewer classes have.
const std::vector<Count>& MergeGains::Change::rarer() const {
  const auto zeros = [](const std::vector<Count>& row) {
    return std::count(row.begin(), row.end(), Count{0});
  };
  return zeros(a) > zeros(b) ? a : b;
}

/// sums[j] += what class i of the change adds to its gain with class j.
void MergeGains::add_change(const Change& change, std::size_t i, std::vector<std::int64_t>& sums) const {
  if (2 * change.largest < log_.table().size()) return change.add(log_.table().data(), i, sums);
  for (std::size_t j = 0; j < sums.size(); ++j) {
    sums[j] += phi(change.a[i] + change.b[i], change.a[j] + change.b[j]) - phi(change.a[i], change.a[j]) -
               phi(change.b[i], change.b[j]);
  }
}

/// Gains of pairs that keep both members: two of their contexts become one. Nothing changes for a pair unless
/// both have one of the two, and one of them the rarer.
void MergeGains::update_pairs(const Change& change) {
  const std::vector<Count>& rare = change.rarer();
  std::vector<std::size_t> touched;
  for (std::size_t i = 0; i < rare.size(); ++i) {
    if (rare[i] == 0) continue;
    touched.push_back(i);
    changed_[change.classes[i]] = 1;
  }
  // Pairs of two touched classes are written by the first of them only, so rows can be worked on at once.
  team_.run(touched.size(), 4, [&](unsigned, std::size_t begin, std::size_t end) {
    std::vector<std::int64_t> sums(rare.size());
    for (std::size_t t = begin; t < end; ++t) {
      const std::size_t i = touched[t];
      std::fill(sums.begin(), sums.end(), 0);
      add_change(change, i, sums);
      for (std::size_t j = 0; j < sums.size(); ++j) {
        if (sums[j] == 0 || j == i || (rare[j] > 0 && j < i)) continue;
        gains_.at(change.classes[i], change.classes[j]) += sums[j];
      }
    }
  });
}

void MergeGains::score_anew(std::size_t kept) {
  std::vector<std::int64_t> row(classes_.size());
  team_.run(row.size(), kLanesAtOnce, [&](unsigned, std::size_t begin, std::size_t end) {
    score(kept, begin, std::span(row).subspan(begin, end - begin));
  });
  for (std::size_t w = 0; w < row.size(); ++w) {
    if (w != kept && alive_[w] != 0) gains_.at(kept, w) = row[w];
  }
}

void MergeGains::merge(std::size_t kept, std::size_t gone) {
  update_pairs(change_of(kept, gone, true));
  update_pairs(change_of(kept, gone, false));
  classes_.merge(kept, gone);
  alive_[gone] = 0;
  for (std::size_t w = 0; w < classes_.size(); ++w) {
    if (w != gone) gains_.at(gone, w) = GainTable::kNever;
  }
  score_anew(kept);
  changed_[kept] = changed_[gone] = 1;
  refresh();
}

}  // namespace firth::clusters

#include "cluster/tree/gain_table.hpp"

#include "base/simd.hpp"

namespace firth::clusters {
namespace {

constexpr std::size_t kRowsAtOnce = 32;

FIRTH_CLONES std::int64_t highest(const std::int64_t* __restrict values, std::size_t count) {
  std::int64_t best = GainTable::kNever;
  for (std::size_t i = 0; i < count; ++i) best = std::max(best, values[i]);
  return best;
}

}  // namespace

GainTable::GainTable(std::size_t size)
    : gains_(size * (size - 1) / 2, kNever), best_gain_(size, kNever), best_column_(size, size) {}

GainTable::Best GainTable::best() const {
  const auto highest = std::max_element(best_gain_.begin(), best_gain_.end());
  const auto v = static_cast<std::size_t>(highest - best_gain_.begin());
  return {v, best_column_[v], *highest};
}

void GainTable::scan(std::size_t v) {
  const std::int64_t* gains = row(v);
  const std::size_t count = size() - v - 1;
  best_gain_[v] = highest(gains, count);
  best_column_[v] = v + 1 + static_cast<std::size_t>(std::find(gains, gains + count, best_gain_[v]) - gains);
}

/// The best of a row of which only some columns have changed, and not that of the best.
void GainTable::compare(std::size_t v, const std::vector<std::size_t>& changed) {
  const std::int64_t* gains = row(v);
  for (auto w = std::upper_bound(changed.begin(), changed.end(), v); w != changed.end(); ++w) {
    const std::int64_t gain = gains[*w - v - 1];
    const bool earlier = gain == best_gain_[v] && *w < best_column_[v];
    if (gain <= best_gain_[v] && !earlier) continue;
    best_gain_[v] = gain;
    best_column_[v] = *w;
  }
}

void GainTable::refresh(const std::vector<std::size_t>& changed, base::WorkerTeam& team) {
  std::vector<char> is_changed(size() + 1, 0);
  for (const std::size_t v : changed) is_changed[v] = 1;
  const bool few = changed.size() < size() / 4;
  team.run(size(), kRowsAtOnce, [&](unsigned, std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if (few && is_changed[v] == 0 && is_changed[best_column_[v]] == 0) {
        compare(v, changed);
      } else {
        scan(v);
      }
    }
  });
}

void GainTable::keep(const std::vector<std::size_t>& places) {
  GainTable kept(places.size());
  for (std::size_t v = 0; v < places.size(); ++v) {
    const std::int64_t* from = row(places[v]);
    std::int64_t* to = kept.row(v);
    for (std::size_t w = v + 1; w < places.size(); ++w) to[w - v - 1] = from[places[w] - places[v] - 1];
    kept.scan(v);
  }
  *this = std::move(kept);
}

}  // namespace firth::clusters

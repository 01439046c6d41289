#include "parser/plain_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/simd.hpp"
#include "firth/error.hpp"

namespace firth::parser {
namespace {

// The products of one cut, added up by pair.
struct Cut {
  const PlainItem* left = nullptr;
  std::size_t left_count = 0;
  const std::uint64_t* right_mask = nullptr;
  const float* right_row = nullptr;
  float scale = 1;
};

FIRTH_CLONES
void add_cut(const PairIndex& pairs, const Cut& cut, float* sums) {
  const std::size_t words = pairs.row_words();
  for (std::size_t i = 0; i < cut.left_count; ++i) {
    const std::uint64_t* row = pairs.row(cut.left[i].symbol);
    const std::uint32_t* begin = pairs.row_begin(cut.left[i].symbol);
    const float left = cut.left[i].inside * cut.scale;
    for (std::size_t w = 0; w < words; ++w) {
      std::uint64_t both = row[w] & cut.right_mask[w];
      const float* values = cut.right_row + 64 * w;
      while (both != 0) {
        const int bit = std::countr_zero(both);
        const auto rank = std::popcount(row[w] & ((std::uint64_t{1} << bit) - 1));
        sums[begin[w] + static_cast<std::uint32_t>(rank)] += left * values[bit];
        both &= both - 1;
      }
    }
  }
}

// The outside terms of one cut: those of the pairs go to both sides.
FIRTH_CLONES
void push_cut(const PairIndex& pairs, const float* sums, float scale, std::span<PlainItem> left,
              std::span<PlainItem> right) {
  for (PlainItem& l : left) {
    const std::uint64_t* row = pairs.row(l.symbol);
    const std::uint32_t* begin = pairs.row_begin(l.symbol);
    float omega = 0;
    for (PlainItem& r : right) {
      const std::uint64_t bits = row[r.symbol / 64];
      const std::uint64_t bit = std::uint64_t{1} << (r.symbol % 64);
      if ((bits & bit) == 0) continue;
      const auto rank = static_cast<std::uint32_t>(std::popcount(bits & (bit - 1)));
      const float term = scale * sums[begin[r.symbol / 64] + rank];
      omega += term * r.inside;
      r.omega += term * l.inside;
    }
    l.omega += omega;
  }
}

}  // namespace

PlainGrammar::PlainGrammar(const grammar::PlainArrays& arrays)
    : pairs(arrays.rules, arrays.roots.size()),
      rules(arrays.rules),
      probabilities(arrays.probabilities),
      roots(arrays.roots),
      priors(arrays.priors) {
  parent_begin.assign(symbol_count() + 1, 0);
  for (const BinaryRule& rule : rules) ++parent_begin[rule.parent + 1];
  for (std::size_t i = 1; i < parent_begin.size(); ++i) parent_begin[i] += parent_begin[i - 1];
  parent_rules.resize(rules.size());
  std::vector<std::uint32_t> next(parent_begin.begin(), parent_begin.end() - 1);
  for (std::uint32_t pair = 0; pair < pairs.pair_count(); ++pair) {
    for (std::uint32_t rule = pairs.first_rule(pair); rule < pairs.last_rule(pair); ++rule) {
      parent_rules[next[rules[rule].parent]++] = {pair, probabilities[rule]};
    }
  }
}

PlainChart::PlainChart(const PlainGrammar& grammar) : grammar_(grammar) {
  sums_.by_pair.assign(grammar.pairs.pair_count(), 0.0F);
  sums_.by_parent.assign(grammar.symbol_count(), 0.0F);
  sums_.is_left.assign(grammar.symbol_count(), 0);
}

bool PlainChart::run(std::span<const std::vector<std::pair<SymbolId, float>>> tags,
                     const PruneOptions& options, const PlainLimits& limits) {
  const std::size_t length = tags.size();
  limits_ = limits;
  if (limits_.chart != nullptr) sums_.is_allowed.assign(limits_.chart->grammar_.symbol_count(), false);
  spans_ = SpanTable(length);
  cells_.assign(spans_.size(), {});
  items_.clear();
  column_.rows.resize(length * 64 * grammar_.pairs.row_words(), 0.0F);  // all zero between columns
  column_.masks.resize(length * grammar_.pairs.row_words(), 0);
  for (std::size_t end = 1; end <= length; ++end) {
    if (stop_.stop_requested()) throw Cancelled();
    add_tags(end - 1, tags[end - 1]);
    for (std::size_t begin = end - 1; begin-- > 0;) add_span(begin, end, options.beam);
    clear_column(end);
  }
  if (!start_outside()) return false;
  for (std::size_t end = length; end >= 1; --end) {
    if (stop_.stop_requested()) throw Cancelled();
    for (std::size_t begin = 0; begin < end; ++begin) push_outside(begin, end, options.threshold);
  }
  return true;
}

std::uint64_t PlainChart::max_bytes(std::size_t length) const {
  const std::uint64_t symbols = grammar_.symbol_count();
  return SpanTable(length).size() * (sizeof(Cell) + symbols * sizeof(PlainItem)) +
         length * (symbols + 64) * sizeof(float);
}

void PlainChart::clear_column(std::size_t end) {
  const std::size_t words = grammar_.pairs.row_words();
  for (std::size_t begin = 0; begin < end; ++begin) {
    const Cell& cell = cells_[spans_(begin, end)];
    for (std::uint32_t i = cell.first; i < cell.last; ++i) {
      column_.rows[begin * words * 64 + items_[i].symbol] = 0;
      column_.masks[begin * words + items_[i].symbol / 64] = 0;
    }
  }
}

bool PlainChart::is_excluded(std::size_t span) const {
  if (limits_.guide != nullptr) return limits_.guide->is_empty(span);
  return limits_.chart != nullptr && limits_.chart->items(span).empty();
}

void PlainChart::restrict_to_guide(std::size_t span) {
  for (std::size_t i = 0; i < sums_.by_parent.size(); ++i) {
    if (sums_.by_parent[i] != 0 && !limits_.guide->allows(span, limits_.symbol_of[i])) sums_.by_parent[i] = 0;
  }
}

// Takes out what the earlier pass did not leave over the span.
void PlainChart::restrict_sums(std::size_t span) {
  if (limits_.guide != nullptr) return restrict_to_guide(span);
  if (limits_.chart == nullptr) return;
  const auto allowed = limits_.chart->items(span);
  for (const PlainItem& item : allowed) sums_.is_allowed[item.symbol] = true;
  for (std::size_t i = 0; i < sums_.by_parent.size(); ++i) {
    if (sums_.by_parent[i] != 0 && !sums_.is_allowed[limits_.symbol_of[i]]) sums_.by_parent[i] = 0;
  }
  for (const PlainItem& item : allowed) sums_.is_allowed[item.symbol] = false;
}

void PlainChart::add_tags(std::size_t begin, std::span<const std::pair<SymbolId, float>> tags) {
  for (const auto& [symbol, probability] : tags) sums_.by_parent[symbol] += probability;
  store_cell(begin, begin + 1, 0, 0);
}

float PlainChart::scale(const Cell& left, const Cell& right, std::int32_t exponent) const {
  constexpr std::int32_t kMin = -120;
  return std::ldexp(1.0F, std::max(left.exponent + right.exponent - exponent, kMin));
}

void PlainChart::add_span(std::size_t begin, std::size_t end, float beam) {
  if (is_excluded(spans_(begin, end))) return;
  std::int32_t exponent = std::numeric_limits<std::int32_t>::min();
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    const Cell& left = cells_[spans_(begin, middle)];
    const Cell& right = cells_[spans_(middle, end)];
    if (!left.empty() && !right.empty()) exponent = std::max(exponent, left.exponent + right.exponent);
  }
  if (exponent == std::numeric_limits<std::int32_t>::min()) return;
  const std::size_t words = grammar_.pairs.row_words();
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    const Cell& left = cells_[spans_(begin, middle)];
    const Cell& right = cells_[spans_(middle, end)];
    if (left.empty() || right.empty()) continue;
    const Cut cut = {items_.data() + left.first, left.last - left.first,
                     column_.masks.data() + middle * words, column_.rows.data() + middle * words * 64,
                     scale(left, right, exponent)};
    add_cut(grammar_.pairs, cut, sums_.by_pair.data());
    for (std::uint32_t i = left.first; i < left.last; ++i) sums_.is_left[items_[i].symbol] = 1;
  }
  apply_rules();
  store_cell(begin, end, exponent, beam);
}

// From the sums of pairs to those of parents; only pairs whose left symbol was there can have a sum.
void PlainChart::apply_rules() {
  for (SymbolId left = 0; left < sums_.is_left.size(); ++left) {
    if (sums_.is_left[left] == 0) continue;
    sums_.is_left[left] = 0;
    for (std::uint32_t pair = grammar_.pairs.first_pair(left); pair < grammar_.pairs.last_pair(left);
         ++pair) {
      if (sums_.by_pair[pair] != 0) apply_pair(pair);
    }
  }
}

void PlainChart::apply_pair(std::uint32_t pair) {
  for (std::uint32_t rule = grammar_.pairs.first_rule(pair); rule < grammar_.pairs.last_rule(pair); ++rule) {
    sums_.by_parent[grammar_.rules[rule].parent] += grammar_.probabilities[rule] * sums_.by_pair[pair];
  }
  sums_.by_pair[pair] = 0;
}

// Takes what is worth keeping from sums_.by_parent, and clears them.
void PlainChart::store_cell(std::size_t begin, std::size_t end, std::int32_t exponent, float beam) {
  float largest = 0;
  float best = 0;
  restrict_sums(spans_(begin, end));
  for (std::size_t i = 0; i < sums_.by_parent.size(); ++i) {
    largest = std::max(largest, sums_.by_parent[i]);
    best = std::max(best, sums_.by_parent[i] * grammar_.priors[i]);
  }
  Cell& cell = cells_[spans_(begin, end)];
  cell.first = static_cast<std::uint32_t>(items_.size());
  if (largest > 0 && std::isfinite(largest)) {
    int shift = 0;
    std::frexp(largest, &shift);
    cell.exponent = exponent + shift;
    for (SymbolId symbol = 0; symbol < sums_.by_parent.size(); ++symbol) {
      const float value = sums_.by_parent[symbol];
      if (value > 0 && value * grammar_.priors[symbol] >= beam * best) {
        items_.push_back({symbol, std::ldexp(value, -shift), 0});
      }
    }
  }
  cell.last = static_cast<std::uint32_t>(items_.size());
  std::fill(sums_.by_parent.begin(), sums_.by_parent.end(), 0.0F);
  fill_row(begin, cell);
}

void PlainChart::fill_row(std::size_t begin, const Cell& cell) {
  const std::size_t words = grammar_.pairs.row_words();
  for (std::uint32_t i = cell.first; i < cell.last; ++i) {
    const PlainItem& item = items_[i];
    column_.rows[begin * words * 64 + item.symbol] = item.inside;
    column_.masks[begin * words + item.symbol / 64] |= std::uint64_t{1} << (item.symbol % 64);
  }
}

bool PlainChart::start_outside() {
  const Cell& top = cells_[spans_(0, spans_.length())];
  double sum = 0;
  for (std::uint32_t i = top.first; i < top.last; ++i) {
    sum += static_cast<double>(items_[i].inside) * static_cast<double>(grammar_.roots[items_[i].symbol]);
  }
  if (sum <= 0) return false;
  log_probability_ = std::log(sum) + top.exponent * std::log(2.0);
  for (std::uint32_t i = top.first; i < top.last; ++i) {
    items_[i].omega = static_cast<float>(static_cast<double>(grammar_.roots[items_[i].symbol]) / sum);
  }
  return true;
}

// Items of the cell that stay move to its front.
void PlainChart::drop_unlikely(Cell& cell, float threshold) {
  std::uint32_t kept = cell.first;
  for (std::uint32_t i = cell.first; i < cell.last; ++i) {
    const float marginal = items_[i].marginal();
    if (marginal > 0 && marginal >= threshold) items_[kept++] = items_[i];
  }
  cell.last = kept;
}

void PlainChart::push_outside(std::size_t begin, std::size_t end, float threshold) {
  Cell& source = cells_[spans_(begin, end)];
  drop_unlikely(source, threshold);
  if (source.empty() || end - begin == 1) return;
  for (std::uint32_t i = source.first; i < source.last; ++i) {
    const SymbolId parent = items_[i].symbol;
    for (std::uint32_t r = grammar_.parent_begin[parent]; r < grammar_.parent_begin[parent + 1]; ++r) {
      const PlainGrammar::ParentRule& rule = grammar_.parent_rules[r];
      sums_.by_pair[rule.pair] += rule.probability * items_[i].omega;
    }
  }
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    const Cell& left = cells_[spans_(begin, middle)];
    const Cell& right = cells_[spans_(middle, end)];
    if (left.empty() || right.empty()) continue;
    const std::span<PlainItem> items(items_);
    push_cut(grammar_.pairs, sums_.by_pair.data(), scale(left, right, source.exponent),
             items.subspan(left.first, left.last - left.first),
             items.subspan(right.first, right.last - right.first));
  }
  clear_sums(source);
}

// Of the pairs that the items of the cell go to.
void PlainChart::clear_sums(const Cell& cell) {
  for (std::uint32_t i = cell.first; i < cell.last; ++i) {
    const SymbolId parent = items_[i].symbol;
    for (std::uint32_t r = grammar_.parent_begin[parent]; r < grammar_.parent_begin[parent + 1]; ++r) {
      sums_.by_pair[grammar_.parent_rules[r].pair] = 0;
    }
  }
}

}  // namespace firth::parser

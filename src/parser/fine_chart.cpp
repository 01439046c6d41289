#include "parser/fine_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "firth/error.hpp"
#include "parser/kernels.hpp"

namespace firth::parser {
namespace {

constexpr std::uint32_t kNoSums = static_cast<std::uint32_t>(-1);
constexpr std::int32_t kNoExponent = std::numeric_limits<std::int32_t>::min();

float power(std::int32_t exponent) {
  constexpr std::int32_t kMin = -120;
  return std::ldexp(1.0F, std::max(exponent, kMin));
}

}  // namespace

FineChart::FineChart(const FineGrammar& grammar) : grammar_(grammar) {
  item_of_.assign(grammar.arrays.symbol_count(), 0);
  pair_states_.assign(grammar.pairs.pair_count(), {});
}

std::uint64_t FineChart::bytes_needed(const PlainChart& plain) const {
  std::uint64_t bytes = plain.spans().size() * sizeof(Cell);
  for (std::size_t span = 0; span < plain.spans().size(); ++span) {
    for (const PlainItem& item : plain.items(span)) {
      bytes += sizeof(FineItem) + 2 * sizeof(float) * grammar_.arrays.states[item.symbol];
    }
  }
  return bytes;
}

bool FineChart::run(const PlainChart& plain, std::span<const std::vector<WordTag>> tags, float threshold) {
  make_items(plain);
  return run_items(tags, threshold);
}

bool FineChart::run(const FineChart& other, std::span<const std::vector<WordTag>> tags, float threshold) {
  make_items(other);
  return run_items(tags, threshold);
}

void FineChart::drop_unlikely(float threshold) {
  std::uint32_t kept = 0;
  for (Cell& cell : cells_) {
    const std::uint32_t first = kept;
    for (std::uint32_t i = cell.first; i < cell.last; ++i) {
      if (std::abs(items_[i].marginal) >= threshold) items_[kept++] = items_[i];
    }
    cell.first = first;
    cell.last = kept;
  }
  items_.resize(kept);
}

bool FineChart::run_items(std::span<const std::vector<WordTag>> tags, float threshold) {
  add_words(tags);
  const std::size_t length = spans_.length();
  for (std::size_t end = 2; end <= length; ++end) {
    if (stop_.stop_requested()) throw Cancelled();
    for (std::size_t begin = end - 1; begin-- > 0;) add_inside(begin, end);
  }
  if (!start_outside()) return false;
  for (std::size_t end = length; end >= 1; --end) {
    if (stop_.stop_requested()) throw Cancelled();
    for (std::size_t begin = 0; begin < end; ++begin) push_outside(begin, end, threshold);
  }
  return true;
}

template <class Chart>
void FineChart::make_items(const Chart& from) {
  spans_ = from.spans();
  cells_.assign(spans_.size(), {});
  items_.clear();
  std::uint32_t at = 0;
  for (std::size_t span = 0; span < spans_.size(); ++span) {
    cells_[span].first = static_cast<std::uint32_t>(items_.size());
    for (const auto& item : from.items(span)) {
      items_.push_back({item.symbol, at, 0});
      at += grammar_.arrays.states[item.symbol];
    }
    cells_[span].last = static_cast<std::uint32_t>(items_.size());
  }
  inside_.assign(at, 0.0F);
  omega_.assign(at, 0.0F);
}

void FineChart::add_words(std::span<const std::vector<WordTag>> tags) {
  for (std::size_t i = 0; i < tags.size(); ++i) {
    Cell& cell = cells_[spans_(i, i + 1)];
    open_span(cell, -1);
    for (const WordTag& tag : tags[i]) {
      const std::uint32_t item = item_of_[grammar_.arrays.lexical[tag.lexical].tag];
      if (item == 0) continue;
      const auto vector = grammar_.arrays.vector(tag.lexical);
      for (std::size_t h = 0; h < vector.size(); ++h) {
        inside_[items_[item - 1].at + h] += tag.weight * vector[h];
      }
    }
    close_span(cell);
    normalize(cell, 0);
  }
}

// Notes where the symbols of the span are, as far as their marginal reaches the threshold.
void FineChart::open_span(const Cell& cell, float threshold) {
  for (std::uint32_t i = cell.first; i < cell.last; ++i) {
    if (std::abs(items_[i].marginal) >= threshold) item_of_[items_[i].symbol] = i + 1;
  }
}

void FineChart::close_span(const Cell& cell) {
  for (std::uint32_t i = cell.first; i < cell.last; ++i) item_of_[items_[i].symbol] = 0;
  for (const std::uint32_t pair : touched_pairs_) pair_states_[pair].is_used = false;
  touched_pairs_.clear();
  sums_.clear();
}

bool FineChart::has_parent(std::uint32_t pair) const {
  for (std::uint32_t rule = grammar_.pairs.first_rule(pair); rule < grammar_.pairs.last_rule(pair); ++rule) {
    if (item_of_[grammar_.arrays.rules[rule].parent] != 0) return true;
  }
  return false;
}

void FineChart::add_inside(std::size_t begin, std::size_t end) {
  Cell& cell = cells_[spans_(begin, end)];
  if (cell.first == cell.last) return;
  std::int32_t exponent = kNoExponent;
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    const Cell& left = cells_[spans_(begin, middle)];
    const Cell& right = cells_[spans_(middle, end)];
    if (left.has_terms && right.has_terms) exponent = std::max(exponent, left.exponent + right.exponent);
  }
  if (exponent == kNoExponent) return;
  open_span(cell, -1);
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    const Cell& left = cells_[spans_(begin, middle)];
    const Cell& right = cells_[spans_(middle, end)];
    if (!left.has_terms || !right.has_terms) continue;
    add_products(left, right, power(left.exponent + right.exponent - exponent));
  }
  apply_rules();
  close_span(cell);
  normalize(cell, exponent);
}

void FineChart::add_products(const Cell& left, const Cell& right, float scale) {
  for (std::uint32_t l = left.first; l < left.last; ++l) {
    for (std::uint32_t r = right.first; r < right.last; ++r) {
      const std::uint32_t pair = grammar_.pairs.find(items_[l].symbol, items_[r].symbol);
      if (pair == kNoPair) continue;
      PairState& state = pair_states_[pair];
      const std::size_t left_states = states(items_[l]);
      const std::size_t right_states = states(items_[r]);
      if (!state.is_used) {
        state.is_used = true;
        touched_pairs_.push_back(pair);
        state.at = kNoSums;
        if (has_parent(pair)) {
          state.at = static_cast<std::uint32_t>(sums_.size());
          sums_.resize(sums_.size() + left_states * right_states, 0.0F);
        }
      }
      if (state.at == kNoSums) continue;
      const Outer outer = {inside_.data() + items_[l].at, left_states, inside_.data() + items_[r].at,
                           right_states, scale};
      add_outer(sums_.data() + state.at, outer);
    }
  }
}

void FineChart::apply_rules() {
  const grammar::LatentArrays& arrays = grammar_.arrays;
  for (const std::uint32_t pair : touched_pairs_) {
    if (pair_states_[pair].at == kNoSums) continue;
    for (std::uint32_t rule = grammar_.pairs.first_rule(pair); rule < grammar_.pairs.last_rule(pair);
         ++rule) {
      const std::uint32_t item = item_of_[arrays.rules[rule].parent];
      if (item == 0) continue;
      const std::size_t rows = states(items_[item - 1]);
      const auto tensor = grammar_.arrays.tensor(rule);
      multiply(inside_.data() + items_[item - 1].at, tensor.data(), sums_.data() + pair_states_[pair].at,
               rows, tensor.size() / rows);
    }
  }
}

void FineChart::normalize(Cell& cell, std::int32_t exponent) {
  if (cell.first == cell.last) return;
  const std::uint32_t begin = items_[cell.first].at;
  const std::uint32_t end = items_[cell.last - 1].at + states(items_[cell.last - 1]);
  float largest = 0;
  for (std::uint32_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(inside_[i]));
  cell.has_terms = largest > 0 && std::isfinite(largest);
  if (!cell.has_terms) return;
  int shift = 0;
  std::frexp(largest, &shift);
  cell.exponent = exponent + shift;
  for (std::uint32_t i = begin; i < end; ++i) inside_[i] = std::ldexp(inside_[i], -shift);
}

bool FineChart::start_outside() {
  const Cell& top = cells_[spans_(0, spans_.length())];
  if (!top.has_terms) return false;
  double sum = 0;
  for (std::uint32_t i = top.first; i < top.last; ++i) {
    const auto root = grammar_.arrays.root(items_[i].symbol);
    sum += static_cast<double>(dot(root.data(), inside_.data() + items_[i].at, root.size()));
  }
  if (sum == 0 || !std::isfinite(sum)) return false;
  log_probability_ = std::log(sum) + top.exponent * std::log(2.0);  // NaN for a negative sum
  for (std::uint32_t i = top.first; i < top.last; ++i) {
    const auto root = grammar_.arrays.root(items_[i].symbol);
    for (std::size_t h = 0; h < root.size(); ++h) {
      omega_[items_[i].at + h] = static_cast<float>(static_cast<double>(root[h]) / sum);
    }
  }
  return true;
}

void FineChart::set_marginals(Cell& cell) {
  for (std::uint32_t i = cell.first; i < cell.last; ++i) {
    items_[i].marginal = dot(inside_.data() + items_[i].at, omega_.data() + items_[i].at, states(items_[i]));
  }
}

void FineChart::push_outside(std::size_t begin, std::size_t end, float threshold) {
  Cell& cell = cells_[spans_(begin, end)];
  if (!cell.has_terms) return;
  set_marginals(cell);
  if (end - begin == 1) return;
  open_span(cell, threshold);
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    const Cell& left = cells_[spans_(begin, middle)];
    const Cell& right = cells_[spans_(middle, end)];
    if (!left.has_terms || !right.has_terms) continue;
    push_products(left, right, power(left.exponent + right.exponent - cell.exponent));
  }
  close_span(cell);
}

void FineChart::push_products(const Cell& left, const Cell& right, float scale) {
  for (std::uint32_t l = left.first; l < left.last; ++l) {
    for (std::uint32_t r = right.first; r < right.last; ++r) {
      const std::uint32_t pair = grammar_.pairs.find(items_[l].symbol, items_[r].symbol);
      if (pair == kNoPair) continue;
      PairState& state = pair_states_[pair];
      if (!state.is_used) {
        state.is_used = true;
        touched_pairs_.push_back(pair);
        state.at = make_outside_sums(pair);
      }
      if (state.at == kNoSums) continue;
      const Outer outer = {inside_.data() + items_[l].at, states(items_[l]), inside_.data() + items_[r].at,
                           states(items_[r]), scale};
      push_outer(sums_.data() + state.at, outer, omega_.data() + items_[l].at, omega_.data() + items_[r].at);
    }
  }
}

// The outside terms of all symbols of the span, taken through the rules of a pair.
std::uint32_t FineChart::make_outside_sums(std::uint32_t pair) {
  if (!has_parent(pair)) return kNoSums;
  const auto at = static_cast<std::uint32_t>(sums_.size());
  const grammar::LatentArrays& arrays = grammar_.arrays;
  for (std::uint32_t rule = grammar_.pairs.first_rule(pair); rule < grammar_.pairs.last_rule(pair); ++rule) {
    const std::uint32_t item = item_of_[arrays.rules[rule].parent];
    if (item == 0) continue;
    const std::size_t rows = states(items_[item - 1]);
    const auto tensor = grammar_.arrays.tensor(rule);
    sums_.resize(at + tensor.size() / rows, 0.0F);
    multiply_transposed(sums_.data() + at, tensor.data(), omega_.data() + items_[item - 1].at, rows,
                        tensor.size() / rows);
  }
  return at;
}

}  // namespace firth::parser

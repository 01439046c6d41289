// The last pass: figure 3 of Cohen et al. 2012 over the symbols that the plain PCFGs left.
//
// The outer products alpha_b alpha_c of all cuts of a span are summed up by pair (b, c) first, so that the
// tensor of a rule is used once a span, not once a cut: O(m^3) a rule and span, O(m^2) a pair and cut. The
// same holds for the outside terms, the other way round. Scaling is as in plain_chart.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "grammar/parser_model.hpp"
#include "parser/pair_index.hpp"
#include "parser/plain_chart.hpp"
#include "parser/span_table.hpp"

namespace firth::parser {

/// A latent grammar of a model, ready for use; shared by all threads.
class FineGrammar {
 public:
  explicit FineGrammar(const grammar::LatentArrays& latent)
      : arrays(latent), pairs(latent.rules, latent.symbol_count()) {}

  const grammar::LatentArrays& arrays;
  PairIndex pairs;
};

/// A symbol over a span. Its inside and outside terms begin at `at`.
struct FineItem {
  SymbolId symbol = 0;
  std::uint32_t at = 0;
  float marginal = 0;
};

/// The chart of one sentence after another.
class FineChart {
 public:
  explicit FineChart(const FineGrammar& grammar);

  /// run() throws Cancelled soon after a stop was requested; the chart is of no use any more then.
  void watch(const std::stop_token& stop) { stop_ = stop; }

  /// Bytes that a run over these items would take.
  std::uint64_t bytes_needed(const PlainChart& plain) const;

  /// Inside, outside, marginals, for the symbols in `plain`; `tags` of each word. Marginals below
  /// `threshold` are not followed further down. False if the sum over all trees is zero or not a number.
  /// Spectral parameters may make it negative: its logarithm is then NaN, marginals are good all the same.
  bool run(const PlainChart& plain, std::span<const std::vector<WordTag>> tags, float threshold);
  /// The same for the symbols of another grammar's chart.
  bool run(const FineChart& other, std::span<const std::vector<WordTag>> tags, float threshold);

  /// After run(): forgets the items whose marginal is below `threshold`.
  void drop_unlikely(float threshold);

  const SpanTable& spans() const noexcept { return spans_; }
  std::span<const FineItem> items(std::size_t span) const {
    return std::span(items_).subspan(cells_[span].first, cells_[span].last - cells_[span].first);
  }
  /// Inside terms of an item, scaled by a power of two that all items of its span share.
  std::span<const float> inside(const FineItem& item) const {
    return std::span(inside_).subspan(item.at, grammar_.arrays.states[item.symbol]);
  }
  double log_probability() const noexcept { return log_probability_; }

 private:
  struct Cell {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::int32_t exponent = 0;
    bool has_terms = false;  // some inside term is not zero
  };
  // What is known of a pair while a span is worked on.
  struct PairState {
    std::uint32_t at = 0;  // where its sums are, if it has a rule for a symbol of the span
    bool is_used = false;
  };

  template <class Chart>
  void make_items(const Chart& from);
  bool run_items(std::span<const std::vector<WordTag>> tags, float threshold);
  void add_words(std::span<const std::vector<WordTag>> tags);
  void add_inside(std::size_t begin, std::size_t end);
  void add_products(const Cell& left, const Cell& right, float scale);
  void apply_rules();
  void normalize(Cell& cell, std::int32_t exponent);
  bool start_outside();
  void push_outside(std::size_t begin, std::size_t end, float threshold);
  void push_products(const Cell& left, const Cell& right, float scale);
  std::uint32_t make_outside_sums(std::uint32_t pair);
  void set_marginals(Cell& cell);
  void open_span(const Cell& cell, float threshold);
  void close_span(const Cell& cell);
  bool has_parent(std::uint32_t pair) const;
  std::uint32_t states(const FineItem& item) const { return grammar_.arrays.states[item.symbol]; }

  const FineGrammar& grammar_;
  std::stop_token stop_;
  SpanTable spans_;
  std::vector<Cell> cells_;
  std::vector<FineItem> items_;
  std::vector<float> inside_;
  std::vector<float> omega_;
  double log_probability_ = 0;
  std::vector<std::uint32_t> item_of_;  // by symbol: its item in the span being worked on, plus 1
  std::vector<PairState> pair_states_;
  std::vector<std::uint32_t> touched_pairs_;
  std::vector<float> sums_;  // by pair in use: left states times right states
};

}  // namespace firth::parser

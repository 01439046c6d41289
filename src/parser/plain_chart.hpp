// The first passes: inside and outside probabilities of plain PCFGs, to find out what is worth looking at.
// The first is over symbols without annotations; where the grammar has annotations, a second one follows over
// its own symbols, as far as the first left them.
//
// Cells are made column by column: (i, j) for j rising and i falling. Within column j the right parts (k, j)
// are kept as dense rows and bit masks; the left parts (i, k) are short lists. For a cut k, the pairs (b, c)
// that rules have and both cells have come from one AND of masks a left symbol; the products
// inside(b) inside(c) of all cuts are summed up by pair, and only then multiplied with the rules of the pair.
//
// Inside values of a cell are scaled so that the largest is about 1: value * 2^exponent. Outside values are
// kept as omega = outside * 2^exponent / p(sentence): inside * omega is the marginal, and the scale of a step
// is 2^(exponent(i,k) + exponent(k,j) - exponent(i,j)) both ways.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "grammar/parser_model.hpp"
#include "parser/pair_index.hpp"
#include "parser/phrase_guide.hpp"
#include "parser/span_table.hpp"
#include "parser/token_tags.hpp"

namespace firth::parser {

/// A plain PCFG, ready for use; shared by all threads.
class PlainGrammar {
 public:
  explicit PlainGrammar(const grammar::PlainArrays& arrays);

  std::size_t symbol_count() const noexcept { return roots.size(); }

  PairIndex pairs;
  std::span<const BinaryRule> rules;
  std::span<const float> probabilities;
  std::span<const float> roots;
  std::span<const float> priors;
  /// Rules by parent: pair and probability.
  struct ParentRule {
    std::uint32_t pair = 0;
    float probability = 0;
  };
  std::vector<std::uint32_t> parent_begin;
  std::vector<ParentRule> parent_rules;
};

class PlainChart;

/// What an earlier pass, or an earlier model, left.
struct PlainLimits {
  const PlainChart* chart = nullptr;
  const PhraseGuide* guide = nullptr;
  std::span<const std::uint32_t> symbol_of = {};  ///< of that chart or guide, for each symbol
};

/// How much is left out.
struct PruneOptions {
  /// Within a span, symbols whose inside probability times prior is below this share of the best are left
  /// out; 0 = none.
  float beam = 1e-5F;
  /// Symbols whose marginal is below this are left out; 0 = none.
  float threshold = 1e-4F;
};

/// A symbol over a span, with its values.
struct PlainItem {
  SymbolId symbol = 0;
  float inside = 0;
  float omega = 0;
  float marginal() const noexcept { return inside * omega; }
};

/// The chart of one sentence after another.
class PlainChart {
 public:
  explicit PlainChart(const PlainGrammar& grammar);

  /// run() throws Cancelled soon after a stop was requested; the chart is of no use any more then.
  void watch(const std::stop_token& stop) { stop_ = stop; }

  /// Inside and outside. `tags` of each word with probabilities. Symbols are restricted to those of `limits`,
  /// if it has a chart or a guide. False if no tree covers the sentence.
  bool run(std::span<const std::vector<std::pair<SymbolId, float>>> tags, const PruneOptions& options,
           const PlainLimits& limits = {});

  /// Enough for a sentence of `length` words.
  std::uint64_t max_bytes(std::size_t length) const;

  const SpanTable& spans() const noexcept { return spans_; }
  /// What is left over a span; marginals are at least the threshold after a successful run.
  std::span<const PlainItem> items(std::size_t span) const {
    return std::span(items_).subspan(cells_[span].first, cells_[span].last - cells_[span].first);
  }
  /// Natural logarithm of the probability of the sentence (of what the beam left).
  double log_probability() const noexcept { return log_probability_; }

 private:
  struct Cell {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::int32_t exponent = 0;
    bool empty() const noexcept { return first == last; }
  };

  /// The column being made: for each begin, a dense row and a mask.
  struct Column {
    std::vector<float> rows;
    std::vector<std::uint64_t> masks;
  };
  /// The cell being made: sums by pair and by parent.
  struct CellSums {
    std::vector<float> by_pair;
    std::vector<float> by_parent;
    std::vector<std::uint8_t> is_left;  ///< by symbol: it is to the left of some cut
    std::vector<bool> is_allowed;       ///< by symbol of the earlier pass, over the span being made
  };

  void clear_column(std::size_t end);
  void add_tags(std::size_t begin, std::span<const std::pair<SymbolId, float>> tags);
  void add_span(std::size_t begin, std::size_t end, float beam);
  void store_cell(std::size_t begin, std::size_t end, std::int32_t exponent, float beam);
  bool is_excluded(std::size_t span) const;
  void restrict_sums(std::size_t span);
  void restrict_to_guide(std::size_t span);
  void apply_rules();
  void apply_pair(std::uint32_t pair);
  void clear_sums(const Cell& cell);
  void fill_row(std::size_t begin, const Cell& cell);
  bool start_outside();
  void push_outside(std::size_t begin, std::size_t end, float threshold);
  void drop_unlikely(Cell& cell, float threshold);
  float scale(const Cell& left, const Cell& right, std::int32_t exponent) const;

  const PlainGrammar& grammar_;
  PlainLimits limits_;
  std::stop_token stop_;
  SpanTable spans_;
  std::vector<Cell> cells_;
  std::vector<PlainItem> items_;
  double log_probability_ = 0;
  Column column_;
  CellSums sums_;
};

}  // namespace firth::parser

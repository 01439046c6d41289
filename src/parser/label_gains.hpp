// What a symbol over a span is worth: Goodman's labelled recall, by the labels that scoring looks at.
//
// The marginal of a label over a span is the sum of the marginals of all symbols that contain it: NP^S and
// S|NP are both an NP. A symbol in between (@NP) is no phrase of the tree and gains nothing; each label of a
// symbol gains its marginal less a price, because a wrong phrase costs precision.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parser/decoder.hpp"
#include "treebank/symbols.hpp"

namespace firth::parser {

/// Labels of the symbols of a grammar.
class LabelGains {
 public:
  /// The next symbol.
  void add_symbol(std::string_view name, bool is_tag);

  /// A symbol and its marginal.
  struct Marginal {
    SymbolId symbol = 0;
    float value = 0;
  };

  /// Adds the items of one span to the chart. `sums` is scratch space.
  void add_span(std::span<const Marginal> marginals, std::vector<double>& sums, ScoredChart& chart) const;

 private:
  treebank::SymbolTable names_;
  std::vector<std::uint32_t> begin_ = {0};  // of each symbol in labels_
  std::vector<std::uint32_t> labels_;       // numbers of labels; tags and phrases apart
};

}  // namespace firth::parser

// What one model found likely in a sentence, so that the models after it need not look at everything again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "firth/treebank.hpp"
#include "parser/span_table.hpp"
#include "treebank/symbols.hpp"

namespace firth::parser {

using treebank::SymbolId;

/// Symbols without annotations that a model may use over each span. Of symbols in between it knows what
/// follows from the phrases: in left-branching trees they begin where a phrase begins and end before it does.
class PhraseGuide {
 public:
  /// Of all models. `symbols` must outlive the guide.
  explicit PhraseGuide(const treebank::SymbolTable& symbols);

  /// Nothing is likely yet. `known` are the symbols that the model which will speak has; whatever belongs to
  /// others only is allowed everywhere.
  void start(const SpanTable& spans, const std::vector<SymbolId>& known);
  /// A phrase or a tag is likely. Symbols in between are passed over.
  void add(std::size_t span, SymbolId symbol);
  /// After the last add(), for a model with such trees: symbols in between. May be called again.
  void set_branching(TreeBranching branching);

  bool is_empty(std::size_t span) const;
  bool allows(std::size_t span, SymbolId symbol) const {
    return (rows_[span * words_ + symbol / kBits] >> (symbol % kBits) & 1) != 0;
  }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t kBits = std::numeric_limits<Word>::digits;
  static constexpr SymbolId kNone = static_cast<SymbolId>(-1);
  using Row = std::vector<Word>;

  void add_between(std::size_t span, Row& open);
  static void set(Row& rows, std::size_t at, SymbolId symbol) {
    rows[at + symbol / kBits] |= Word{1} << (symbol % kBits);
  }

  std::size_t words_;  // of a row
  std::vector<bool> is_between_;
  std::vector<SymbolId> between_;  // of each phrase: its symbol in between, if there is one
  SpanTable spans_;
  Row phrases_;  // a row for each span: what was added
  Row rows_;     // and with symbols in between
  Row always_;   // one row
};

}  // namespace firth::parser

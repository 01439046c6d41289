// Marginals of symbols, as the user of the parser gets them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "firth/parser.hpp"
#include "parser/decoder.hpp"
#include "treebank/symbols.hpp"

namespace firth::parser {

/// Sums the marginals of one span after another by label.
class MarginalList {
 public:
  explicit MarginalList(const ParseOptions& options) : options_(options) {}

  /// Marginals of symbols over the current span; may be called for several models.
  void add(std::span<const ScoredItem> items, const treebank::SymbolTable& symbols);

  /// Appends what is large enough, and starts the next span.
  void end_span(std::uint32_t begin, std::uint32_t end, std::vector<SpanMarginal>& to);

 private:
  const ParseOptions& options_;
  std::map<std::string, double, std::less<>> sums_;
};

}  // namespace firth::parser

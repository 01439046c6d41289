#include "parser/marginal_list.hpp"

#include <cmath>

namespace firth::parser {

void MarginalList::add(std::span<const ScoredItem> items, const treebank::SymbolTable& symbols) {
  for (const ScoredItem& item : items) {
    const std::string_view name = symbols.name(item.symbol);
    if (options_.marginals == ParseMarginals::symbols) {
      sums_[std::string(name)] += item.gain;
    } else if (!treebank::is_between(name)) {
      for (const std::string& label : treebank::chain_of(name)) sums_[label] += item.gain;
    }
  }
}

void MarginalList::end_span(std::uint32_t begin, std::uint32_t end, std::vector<SpanMarginal>& to) {
  for (const auto& [label, marginal] : sums_) {
    if (marginal != 0 && std::abs(marginal) >= options_.min_marginal)
      to.push_back({begin, end, label, marginal});
  }
  sums_.clear();
}

}  // namespace firth::parser

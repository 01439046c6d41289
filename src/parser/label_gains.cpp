#include "parser/label_gains.hpp"

#include <algorithm>
#include <string>

namespace firth::parser {
namespace {

constexpr double kPhrasePrice = 0.3;  // measured: docs/parsing.md

}  // namespace

void LabelGains::add_symbol(std::string_view name, bool is_tag) {
  if (is_tag || !treebank::is_between(name)) {
    const std::vector<std::string> chain = treebank::chain_of(name);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      labels_.push_back(names_.intern(chain[i], is_tag && i + 1 == chain.size()));
    }
  }
  begin_.push_back(static_cast<std::uint32_t>(labels_.size()));
}

void LabelGains::add_span(std::span<const Marginal> marginals, std::vector<double>& sums,
                          ScoredChart& chart) const {
  sums.resize(names_.size(), 0.0);
  for (const Marginal& marginal : marginals) {
    const double value = std::clamp(static_cast<double>(marginal.value), 0.0, 1.0);
    for (std::uint32_t i = begin_[marginal.symbol]; i < begin_[marginal.symbol + 1]; ++i) {
      sums[labels_[i]] += value;
    }
  }
  for (const Marginal& marginal : marginals) {
    double gain = 0;
    for (std::uint32_t i = begin_[marginal.symbol]; i < begin_[marginal.symbol + 1]; ++i) {
      gain += sums[labels_[i]] - (names_.is_tag(labels_[i]) ? 0 : kPhrasePrice);
    }
    chart.items.push_back({marginal.symbol, gain});
  }
  for (const Marginal& marginal : marginals) {
    for (std::uint32_t i = begin_[marginal.symbol]; i < begin_[marginal.symbol + 1]; ++i) {
      sums[labels_[i]] = 0;
    }
  }
  chart.end_span();
}

}  // namespace firth::parser

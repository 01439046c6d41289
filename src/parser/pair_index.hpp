// Which symbols can stand side by side, and what they can be part of.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/latent_grammar.hpp"

namespace firth::parser {

using grammar::BinaryRule;
using grammar::SymbolId;

inline constexpr std::uint32_t kNoPair = static_cast<std::uint32_t>(-1);

/// The pairs (left, right) that some rule has, numbered in order. A row of bits for every left symbol says
/// which right symbols there are; the number of a pair is found by counting bits.
class PairIndex {
 public:
  /// `rules` by left, right, parent.
  PairIndex(std::span<const BinaryRule> rules, std::size_t symbols) : row_words_((symbols + 63) / 64) {
    rows_.assign(symbols * row_words_, 0);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const BinaryRule& rule = rules[i];
      const bool is_new = i == 0 || rules[i - 1].left != rule.left || rules[i - 1].right != rule.right;
      if (!is_new) continue;
      rule_begin_.push_back(static_cast<std::uint32_t>(i));
      rows_[rule.left * row_words_ + rule.right / 64] |= std::uint64_t{1} << (rule.right % 64);
    }
    rule_begin_.push_back(static_cast<std::uint32_t>(rules.size()));
    std::uint32_t pairs = 0;
    for (const std::uint64_t word : rows_) {
      row_begin_.push_back(pairs);
      pairs += static_cast<std::uint32_t>(std::popcount(word));
    }
    row_begin_.push_back(pairs);
  }

  std::size_t pair_count() const noexcept { return rule_begin_.size() - 1; }
  std::size_t row_words() const noexcept { return row_words_; }
  const std::uint64_t* row(SymbolId left) const noexcept { return rows_.data() + left * row_words_; }
  /// For each word of a row: the first pair in it.
  const std::uint32_t* row_begin(SymbolId left) const noexcept {
    return row_begin_.data() + left * row_words_;
  }

  /// Pairs with this left symbol: [first_pair, last_pair).
  std::uint32_t first_pair(SymbolId left) const noexcept { return row_begin_[left * row_words_]; }
  std::uint32_t last_pair(SymbolId left) const noexcept { return row_begin_[(left + 1) * row_words_]; }

  std::uint32_t find(SymbolId left, SymbolId right) const noexcept {
    const std::size_t at = left * row_words_ + right / 64;
    const std::uint64_t bit = std::uint64_t{1} << (right % 64);
    if ((rows_[at] & bit) == 0) return kNoPair;
    return row_begin_[at] + static_cast<std::uint32_t>(std::popcount(rows_[at] & (bit - 1)));
  }

  /// Rules of a pair: [first_rule, last_rule).
  std::uint32_t first_rule(std::uint32_t pair) const noexcept { return rule_begin_[pair]; }
  std::uint32_t last_rule(std::uint32_t pair) const noexcept { return rule_begin_[pair + 1]; }

 private:
  std::size_t row_words_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint32_t> row_begin_;
  std::vector<std::uint32_t> rule_begin_;
};

}  // namespace firth::parser

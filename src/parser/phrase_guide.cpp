#include "parser/phrase_guide.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

namespace firth::parser {

PhraseGuide::PhraseGuide(const treebank::SymbolTable& symbols) : words_(symbols.size() / kBits + 1) {
  std::map<std::string, SymbolId> between;
  for (SymbolId symbol = 0; symbol < symbols.size(); ++symbol) {
    is_between_.push_back(treebank::is_between(symbols.name(symbol)));
    if (is_between_.back()) between.emplace(symbols.name(symbol), symbol);
  }
  between_.assign(symbols.size(), kNone);
  for (SymbolId symbol = 0; symbol < symbols.size(); ++symbol) {
    if (symbols.is_tag(symbol) || is_between_[symbol]) continue;
    const std::string last = treebank::chain_of(symbols.name(symbol)).back();
    const auto found = between.find('@' + treebank::escape_label(last));
    if (found != between.end()) between_[symbol] = found->second;
  }
}

void PhraseGuide::start(const SpanTable& spans, const std::vector<SymbolId>& known) {
  spans_ = spans;
  phrases_.assign(spans.size() * words_, 0);
  always_.assign(words_, 0);
  for (SymbolId symbol = 0; symbol < between_.size(); ++symbol) set(always_, 0, symbol);
  const auto forget = [&](SymbolId symbol) {
    if (symbol != kNone) always_[symbol / kBits] &= ~(Word{1} << (symbol % kBits));
  };
  for (const SymbolId symbol : known) {
    forget(symbol);
    forget(between_[symbol]);
  }
}

void PhraseGuide::add(std::size_t span, SymbolId symbol) {
  if (!is_between_[symbol]) set(phrases_, span * words_, symbol);
}

void PhraseGuide::set_branching(TreeBranching branching) {
  rows_ = phrases_;
  const std::size_t length = spans_.length();
  Row open(words_);
  for (std::size_t fixed = 0; fixed < length; ++fixed) {
    std::fill(open.begin(), open.end(), 0);
    if (branching == TreeBranching::left) {
      for (std::size_t end = length; end > fixed; --end) add_between(spans_(fixed, end), open);
    } else {
      for (std::size_t begin = 0; begin <= fixed; ++begin) add_between(spans_(begin, fixed + 1), open);
    }
  }
}

// From long spans to short ones: what is open goes to the row, then the phrases of the row are open.
void PhraseGuide::add_between(std::size_t span, Row& open) {
  const std::size_t at = span * words_;
  for (std::size_t w = 0; w < words_; ++w) rows_[at + w] |= open[w] | always_[w];
  for (std::size_t w = 0; w < words_; ++w) {
    for (Word left = phrases_[at + w]; left != 0; left &= left - 1) {
      const SymbolId between = between_[w * kBits + static_cast<std::size_t>(std::countr_zero(left))];
      if (between != kNone) set(open, 0, between);
    }
  }
}

bool PhraseGuide::is_empty(std::size_t span) const {
  const auto row = rows_.begin() + static_cast<std::ptrdiff_t>(span * words_);
  return std::all_of(row, row + static_cast<std::ptrdiff_t>(words_), [](Word word) { return word == 0; });
}

}  // namespace firth::parser

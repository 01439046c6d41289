// A textbook n-gram model: maps of lists of symbols, recursion, no cleverness.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "firth/class_lm.hpp"

namespace firth::reference {

class NaiveLm {
 public:
  using Ngram = std::vector<std::uint32_t>;

  /// Sentences of symbols 3..symbols-1; 0 is <unk>, 1 <s>, 2 </s>.
  NaiveLm(const std::vector<Ngram>& sentences, int order, std::size_t symbols, LmSmoothing smoothing);

  /// p(symbol | the last order - 1 symbols of `history`, which starts with <s> if there is nothing before
  /// it).
  double probability(Ngram history, std::uint32_t symbol) const;

 private:
  double recurse(const Ngram& context, std::uint32_t symbol) const;
  std::array<double, 4> discounts(std::size_t length) const;

  std::size_t order_;
  std::size_t symbols_;
  LmSmoothing smoothing_;
  std::vector<std::map<Ngram, std::uint64_t>> counts_;                 // by length
  std::map<Ngram, std::map<std::uint32_t, std::uint64_t>> followers_;  // of contexts, adjusted counts
  std::vector<std::array<double, 4>> discounts_;
};

}  // namespace firth::reference

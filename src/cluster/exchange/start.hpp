// Where exchange clustering starts from.
#pragma once

#include <vector>

#include "cluster/exchange/search_context.hpp"
#include "firth/exchange.hpp"

namespace firth::exchange {

/// A first partition.
struct Start {
  State state;
  /// From given classes: the class of each word that takes part, kNoClass for words that the given classes lack.
  std::vector<ClassId> known;
};

/// Depends on the random numbers of the context.
Start make_start(SearchContext& context, const Counts& counts, const ExchangeOptions& options);

/// How many words of the run the given classes have. Throws UsageError if there are none.
WarmStart compare_words(const Units& units, const Vocabulary& words, const Clustering& given);

}  // namespace firth::exchange

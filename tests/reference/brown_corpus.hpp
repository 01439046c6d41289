// Small random corpora for tests of clustering by bigrams.
#pragma once

#include <cstdint>
#include <span>

#include "base/rng.hpp"
#include "firth/counts.hpp"

namespace firth::reference {

struct CorpusShape {
  std::uint32_t words = 10;
  std::uint32_t tokens = 100;
  double self = 0.0;  ///< share of tokens that repeat the one before
  bool flat = false;  ///< all words about equally frequent: many ties
  Count repeats = 1;  ///< every pair counts this many times
};

/// A skewed choice of words, each with favourite followers, and line ends here and there.
Counts skewed_counts(base::Rng& rng, const CorpusShape& shape);

/// The same for a text whose words are numbers below shape.words.
Counts counts_of(base::Rng& rng, std::span<const std::uint32_t> text, const CorpusShape& shape);

}  // namespace firth::reference

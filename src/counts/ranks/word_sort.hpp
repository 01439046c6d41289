// Words of all ranks in the order of one vocabulary.
#pragma once

#include <span>
#include <vector>

#include "base/ranks.hpp"
#include "firth/counts.hpp"
#include "text/word_order.hpp"

namespace firth::counts {

/// The vocabulary of the words of all ranks, which must all be different and counted.
struct SortedWords {
  Vocabulary vocabulary;        ///< on rank 0 only
  std::size_t size = 0;         ///< of the vocabulary, on every rank
  std::vector<WordId> numbers;  ///< by own word
};

/// A sample sort: samples say where the range of each rank begins, every rank sorts its range, and rank 0 puts the
/// ranges one after the other. Throws ResourceError beyond 2^32 - 2 words.
SortedWords sort_words(std::span<const text::CountedWord> own, const base::Ranks& ranks);

}  // namespace firth::counts

// One vocabulary from those of all ranks.
#pragma once

#include <span>
#include <vector>

#include "base/ranks.hpp"
#include "firth/counts.hpp"
#include "text/word_order.hpp"

namespace firth::counts {

/// The words of all ranks.
struct GlobalWords {
  Vocabulary vocabulary;        ///< on rank 0 only
  std::size_t size = 0;         ///< of the vocabulary, on every rank
  std::vector<WordId> new_ids;  ///< by word of this rank; kNoWord if it was not counted
};

/// Adds up equal words of all ranks and numbers them as one process would; words of one rank are different. Throws
/// InputError beyond 2^64 - 1.
GlobalWords join_words(std::span<const text::CountedWord> own, const base::Ranks& ranks);

}  // namespace firth::counts

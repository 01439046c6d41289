// Names for the numbers that travel between the stages.
//
//   const firth::WordId word = 0;  // the most frequent one
//   const firth::Count count = counts.vocabulary().count(word);
#pragma once

#include <cstdint>

namespace firth {

/// Rank of a word in its vocabulary: 0 is the most frequent.
using WordId = std::uint32_t;

/// Number of a class, 0..K-1.
using ClassId = std::uint32_t;

/// No class: the word is not in the clustering.
inline constexpr ClassId kNoClass = static_cast<ClassId>(-1);

/// How often something was seen. 64 bits: corpora beyond 2^32 words exist.
using Count = std::uint64_t;

/// One counted pair of words.
struct PairCount {
  WordId left;
  WordId right;
  Count count;
};

}  // namespace firth

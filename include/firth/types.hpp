// Names for the numbers that travel between the stages.
//
//   const firth::WordId word = 0;  // the most frequent one
//   const firth::Count count = counts.vocabulary().count(word);
#pragma once

#include <cstdint>

namespace firth {

/// Number of a word. In a Vocabulary, and all that is made of one (Counts, Clustering, word vectors), it is the
/// word's rank: 0 is the most frequent. A LanguageModel numbers its words itself, 0 to 2 being <unk>, <s> and </s>. A number
/// means nothing elsewhere: from one vocabulary or model to another, go by the spelling (WordIndex::find,
/// LanguageModel::find).
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

// Average mutual information of adjacent classes, from counts of class pairs.
#pragma once

#include <span>

#include "base/ranks.hpp"
#include "firth/counts.hpp"
#include "firth/types.hpp"

namespace firth::clusters {

/// N(c,c') = sum of N(a,b) over the words a of c and b of c'; words with kNoClass are left out. Every other
/// class must be below `class_count`. Sparse: memory grows with the distinct class pairs, not with K * K.
PairCounts class_bigrams(const PairCounts& words, std::span<const ClassId> classes, ClassId class_count);

/// The same on all ranks; where they shard neighbour lists, from the pairs of rank 0.
PairCounts class_bigrams(const PairCounts& words, std::span<const ClassId> classes, ClassId class_count,
                         const base::Ranks& ranks);

/// AMI in bits with everything over the number T of bigrams (design form): T AMI = sum h(N(c,c')) -
/// sum h(Nl(c)) - sum h(Nr(c)) + h(T), h(x) = x log x. The sums are exact in fixed point, so the value does
/// not depend on how classes are numbered. 0 if there are no pairs.
double ami_bits(const PairCounts& class_pairs);

/// The same over the number of tokens, with left and right marginals (Ciosici 2015). tokens > 0.
double ami_bits_over_tokens(const PairCounts& class_pairs, Count tokens);

/// The same over the number of tokens, with unigram counts of classes in place of both marginals (Stratos
/// 2014 eq. 3, wcluster). A class with pairs must have a unigram count > 0; tokens > 0.
double ami_bits_unigram(const PairCounts& class_pairs, std::span<const Count> unigrams, Count tokens);

}  // namespace firth::clusters

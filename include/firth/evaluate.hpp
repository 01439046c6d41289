// How good a clustering is.
#pragma once

#include <span>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"

namespace firth {

/// Which probabilities the average mutual information is made of.
enum class AmiNorm {
  bigrams,  ///< everything over the number of bigrams, left and right marginals: the default
  tokens,   ///< everything over the number of tokens, left and right marginals (Ciosici 2015)
  unigram,  ///< class unigram counts over tokens (Stratos 2014 eq. 3, wcluster)
};

/// Average mutual information, in bits, of adjacent classes. `classes[w]` is the class of word w of the
/// counts, or kNoClass for a word outside the clustering: its bigrams are left out.
double average_mutual_information(const Counts& counts, std::span<const ClassId> classes,
                                  AmiNorm norm = AmiNorm::bigrams);

/// The class of every word of `vocabulary`, kNoClass where the clustering does not have the word.
std::vector<ClassId> classes_for(const Vocabulary& vocabulary, const Clustering& clustering);

}  // namespace firth

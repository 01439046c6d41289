// How well a word fits its class.
#pragma once

#include <string>

#include "firth/counts.hpp"
#include "firth/embed.hpp"
#include "report/page_places.hpp"

namespace firth::report {

/// One byte per word in the order of the page: 0 = not known, else 21 + 10 f, rounded, within 1..141, where f is the mean,
/// over the neighbours of the word on both sides, of the pointwise mutual information in bits of its class and theirs.
/// Five neighbours of 0 bits are added, so that rare words are not typical by chance.
std::string pack_typicality(const Clustering& clustering, const PagePlaces& places, const Counts& counts);

/// The same from vectors: 21 + 100 * the cosine of the word and the mean of its class, or 1 where that is below -0.2.
std::string pack_typicality(const Clustering& clustering, const PagePlaces& places,
                            const WordVectors& vectors);

/// The classes closest to each class by the cosine of their means, as JSON: for every place a list of [place, cosine].
std::string pack_close_classes(const Clustering& clustering, const PagePlaces& places,
                               const WordVectors& vectors, std::size_t count);

}  // namespace firth::report

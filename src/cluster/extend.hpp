// More words in the classes of a clustering.
#pragma once

#include <span>
#include <string_view>

#include "firth/clustering.hpp"

namespace firth::clusters {

/// A word that the clustering does not have, and its class there.
struct NewWord {
  std::string_view word;
  Count count = 0;
  ClassId class_id = 0;
};

/// The words of the model and the new ones. Classes are numbered anew; the tree is that over the classes, whatever its
/// leaves were; class bigrams are not known.
Clustering extended(const Clustering& model, std::span<const NewWord> words);

}  // namespace firth::clusters

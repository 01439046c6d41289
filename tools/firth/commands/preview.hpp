// A look at some classes, for people.
#pragma once

#include <firth/clustering.hpp>
#include <string>

namespace firth::cli {

/// A dozen classes, each with its most frequent words, as lines of text.
std::string preview(const Clustering& clustering);

}  // namespace firth::cli

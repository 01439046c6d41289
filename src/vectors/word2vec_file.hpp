// Vectors as word2vec, GloVe and fastText write them.
#pragma once

#include <string>

#include "firth/embed.hpp"
#include "vectors/named_rows.hpp"

namespace firth::vectors {

void save_word2vec(const std::string& path, const WordVectors& vectors, bool binary);

/// Text with a first line of sizes (word2vec, fastText's .vec) or without one (GloVe), or word2vec's binary
/// form. Text is taken for binary only if its first vector is not made of numbers. Throws InputError with the
/// number of the line (text) or of the vector (binary).
NamedRows load_word2vec(const std::string& path, const RunOptions& run);

}  // namespace firth::vectors

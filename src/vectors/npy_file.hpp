// NumPy's .npy with a list of words beside it.
#pragma once

#include <string>

#include "firth/embed.hpp"
#include "vectors/named_rows.hpp"

namespace firth::vectors {

/// Writes STEM.npy (float32 by rows) and STEM.vocab (`word TAB count` per line).
void save_npy(const std::string& stem, const WordVectors& vectors);

/// Reads a matrix of float16, float32 or float64 in either order, and its words: `word` or `word TAB count`
/// per line, in the order of the rows. Throws InputError, IoError.
NamedRows load_npy(const std::string& matrix_path, const std::string& words_path, const RunOptions& run);

}  // namespace firth::vectors

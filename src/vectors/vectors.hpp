// Figure 4 of Stratos et al. 2014: from counts to one vector per word.
#pragma once

#include <cstdint>

#include "firth/embed.hpp"
#include "linalg/matrix.hpp"

namespace firth::vectors {

/// Up to this many words everything is done in double: it costs nothing there, and small corpora have ties and
/// degenerate spectra where rounding would show.
inline constexpr std::size_t kDoubleWords = 4096;

template <typename T>
struct Vectors {
  linalg::Matrix<T> rows;  ///< one per word
  SvdReport svd;
};

/// The vectors, on every rank. Options must have been checked and memory must have been found to suffice.
template <typename T>
Vectors<T> compute_vectors(const Counts& counts, const EmbedOptions& options, const RunOptions& run);

/// As the library gives them out.
template <typename T>
WordVectors public_vectors(const Vocabulary& vocabulary, Vectors<T> vectors);

/// Bytes that compute_vectors() takes on every rank of the run at its peak, with its result.
std::uint64_t vectors_bytes(const Counts& counts, const EmbedOptions& options, std::size_t scalar,
                            const RunOptions& run);

/// What to do when vectors do not fit the memory.
inline constexpr const char* kMemoryHint = "keep fewer words or ask for fewer dimensions";

}  // namespace firth::vectors

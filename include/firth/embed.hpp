// Words as vectors: what the spectral method makes of the contexts of a word.
//
//   const firth::WordVectors vectors = firth::embed_words(counts, {.dimensions = 200}, {});
//   for (const firth::Neighbour& near : firth::nearest_words(vectors, vectors.row(0), 10))
//     use(vectors.vocabulary.word(near.word), near.cosine);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/checkpoint.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth {

/// What is done to a count before anything else.
enum class CountTransform {
  raw,   ///< nothing
  sqrt,  ///< its square root, which evens out the variance of counts
  log,   ///< log(1 + count)
};

/// How pair counts N(x,y) are scaled by the counts of word x and context y.
enum class CountScale {
  cca,   ///< N(x,y) / sqrt((N(x) + kappa) (N(y) + kappa)): canonical correlation
  ppmi,  ///< max(0, log(N(x,y) T / (N(x) N(y)))): positive pointwise mutual information
  reg,   ///< N(x,y) / (N(x) + kappa): regression of the context on the word
  raw,   ///< N(x,y)
};

/// Everything that decides the vectors.
struct EmbedOptions {
  /// Dimension of a vector, >= 1; fewer come back where the counts do not have that rank.
  std::size_t dimensions = 200;
  /// Positions that make the context of a word: -1 is the word before it. Each within -5..5, not 0.
  std::vector<int> context = {-2, -1, 1, 2};
  CountTransform transform = CountTransform::raw;
  CountScale scale = CountScale::cca;
  /// Pseudocount that takes weight from rare words, >= 0; not set = default_kappa().
  std::optional<double> kappa = std::nullopt;
  /// Singular vectors are multiplied by their singular values to this power; 0 = not at all.
  double exponent = 0;
  /// Whether every vector is brought to length 1 (after the exponent is applied).
  bool unit_length = true;
  /// A singular triplet has converged when |Omega v - sigma u| <= tolerance * sigma_1; in (0, 1).
  double tolerance = 0.02;
  /// The singular vectors are kept: `exponent` and `unit_length` may be others when they are used again.
  CheckpointOptions checkpoint = {};
};

/// Throws UsageError if the options make no sense.
void validate(const EmbedOptions& options);

/// How the singular value decomposition went.
struct SvdReport {
  std::vector<double> singular_values;  ///< falling
  std::vector<double> residuals;        ///< |Omega v - sigma u| / sigma_1 of every triplet
  bool converged = true;                ///< all residuals are within the tolerance
  std::uint64_t products = 0;           ///< columns multiplied by Omega Omega^T
  std::size_t restarts = 0;
  double kappa = 0;  ///< the pseudocount used
};

/// One vector per word, by rows. A word without any context has a vector of zeros.
struct WordVectors {
  Vocabulary vocabulary;
  std::size_t dimensions = 0;
  std::vector<float> values;  ///< of all rows; empty if they are in `mapped`
  SvdReport svd;
  std::span<const float> mapped = {};            ///< the rows in a file that load_vectors() maps into memory
  std::shared_ptr<const void> mapped_file = {};  ///< keeps `mapped` alive

  /// The numbers of all rows, wherever they are.
  [[nodiscard]] std::span<const float> numbers() const {
    return mapped.empty() ? std::span<const float>(values) : mapped;
  }
  [[nodiscard]] std::span<const float> row(WordId word) const {
    return numbers().subspan(word * dimensions, dimensions);
  }

  /// Everything as bytes; from_bytes() reads them, and throws FormatError if they are damaged.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static WordVectors from_bytes(std::string_view bytes);
};

/// The vectors of all words. Deterministic for run.seed, for any number of threads. Throws UsageError (an
/// option out of range, a distance that was not counted), InputError (nothing to work on), FormatError (checkpoint),
/// ResourceError, Cancelled.
[[nodiscard]] WordVectors embed_words(const Counts& counts, const EmbedOptions& options,
                                      const RunOptions& run = {});

/// "R1", "LR1", "LR2" (Stratos et al. 2014) or a list of offsets such as "-1,+1,+2". Throws UsageError.
[[nodiscard]] std::vector<int> parse_context(std::string_view text);

/// The distances that must have been counted for a context, rising.
[[nodiscard]] std::vector<int> context_distances(std::span<const int> context);

/// The pseudocount for a corpus of this size: sqrt(tokens) / 100 (docs/notebook/spectral.md tells why).
[[nodiscard]] double default_kappa(Count tokens);

/// A word close to another.
struct Neighbour {
  WordId word = 0;
  double cosine = 0;
};

/// The `count` words with the largest cosine to `query`, falling, words without a vector left out. Throws
/// UsageError if the query is longer or shorter than the vectors.
[[nodiscard]] std::vector<Neighbour> nearest_words(const WordVectors& vectors, std::span<const float> query,
                                                   std::size_t count);

/// File formats of vectors.
enum class VectorFormat {
  npy,             ///< PATH.npy, a matrix of float32, and PATH.vocab, `word TAB count` per line
  word2vec,        ///< text: a line with the sizes, then `word number...`
  word2vec_binary  ///< the same with the numbers as bytes
};

/// Writes vectors; every file complete or not at all. For npy, `path` is the name without its ending.
void save_vectors(const std::string& path, const WordVectors& vectors, VectorFormat format);

/// Reads vectors: word2vec (text or binary), GloVe (no first line), fastText's .vec, or .npy of float16, float32
/// or float64 in either order with a word list beside it (STEM.vocab, STEM.txt or STEM.words: one word per line in
/// the order of the rows, perhaps with a tab and a count). Plain, gzip, zstd or xz; for .npy either of its files,
/// their name without ending, or a folder with vectors.npy. Words without counts keep the order of the file. Of
/// repeated words the first vector is kept, with a warning. A plain .npy of float32 by rows, its words in the
/// order of a vocabulary, is mapped into memory and not copied. Throws InputError with the place of the trouble,
/// IoError, ResourceError, Cancelled.
[[nodiscard]] WordVectors load_vectors(const std::string& path, const RunOptions& run = {});

}  // namespace firth

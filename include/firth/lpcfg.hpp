// Grammars with latent states (L-PCFGs): training and files. Parsing with them is in firth/parser.hpp.
//
//   const std::vector<std::string> files = {"wsj.mrg"};
//   const firth::Lpcfg grammar = firth::train_lpcfg(files, firth::recommended_training(), {});
//   firth::save_lpcfg("english.grammar", grammar);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/latent.hpp"
#include "firth/run.hpp"
#include "firth/treebank.hpp"

namespace firth {

namespace detail {
struct ModelAccess;
}

namespace grammar {
struct ParserModel;
}

/// How a grammar is learned.
enum class LpcfgAlgorithm {
  pcfg,      ///< relative frequencies, no latent states
  spectral,  ///< singular value decompositions and moments (Cohen et al. 2012)
  cluster,   ///< states by k-means over the spectral projections, counted as if observed
  em,        ///< maximum likelihood by expectation maximisation
};

/// Which words stand for themselves.
struct LexiconOptions {
  /// Words seen fewer times than this are known by their class of shape and suffix; 1 or more.
  std::uint32_t rare = 5;
  /// A class needs this many words of the text, or its words join a more general one; 1 or more.
  std::uint32_t class_size = 20;
};

/// How to train.
struct LpcfgTrainOptions {
  LpcfgAlgorithm algorithm = LpcfgAlgorithm::pcfg;
  LatentOptions latent = {};
  BinarizeOptions binarize = {};
  /// The inputs are tagged sentences (CoNLL-U, or word TAB tag a line), learned as right-branching trees with
  /// the next tag in every symbol: a hidden Markov model, with states of the tags' own. Sets `binarize`.
  bool sequences = false;
  LexiconOptions lexicon = {};
  /// Classes of words (a folder of `firth cluster`, or any format): a word that was not seen in training
  /// takes the behaviour of its class. Empty = none.
  std::string clusters = {};
};

/// Throws UsageError.
void validate(const LpcfgTrainOptions& options);

/// What `firth parse train` does unless told otherwise: EM from the clustering estimator, one sibling in the
/// symbols within long phrases, and the phrase above in those of phrases.
[[nodiscard]] LpcfgTrainOptions recommended_training();

/// What a grammar consists of.
struct LpcfgInfo {
  std::uint64_t phrases = 0;  ///< symbols that go to two symbols
  std::uint64_t tags = 0;     ///< symbols that go to words
  std::uint64_t states = 0;   ///< of all symbols together
  std::uint64_t binary_rules = 0;
  std::uint64_t lexical_rules = 0;
  std::uint64_t grammars = 0;    ///< that are combined
  std::uint64_t parameters = 0;  ///< numbers in all tensors and vectors
  std::uint64_t negative = 0;    ///< of them below zero: spectral estimates may be
  std::uint64_t words = 0;       ///< that stand for themselves
  std::uint64_t classes = 0;     ///< of words that do not
};

/// A trained grammar. Cheap to copy; may be used from several threads at once.
class Lpcfg {
 public:
  explicit Lpcfg(std::shared_ptr<const grammar::ParserModel> model) : model_(std::move(model)) {}

  [[nodiscard]] LpcfgInfo info() const;

  /// The bytes that save_lpcfg() writes; from_bytes() reads them, and throws FormatError if they are damaged.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Lpcfg from_bytes(std::string_view bytes);

 private:
  friend struct detail::ModelAccess;
  [[nodiscard]] const grammar::ParserModel& internals() const noexcept { return *model_; }

  std::shared_ptr<const grammar::ParserModel> model_;
};

/// Learns from bracketed trees: files, folders or "-". Traces, function tags and indices are taken out.
/// Throws InputError (file and line; no trees at all), UsageError, ResourceError, Cancelled.
[[nodiscard]] Lpcfg train_lpcfg(const Inputs& inputs, const LpcfgTrainOptions& options,
                                const RunOptions& run = {});

/// Writes a model, complete or not at all; mapped into memory by load_lpcfg. Throws IoError.
void save_lpcfg(const std::string& path, const Lpcfg& grammar);

/// Throws FormatError for a file that is damaged, foreign or of another version; IoError.
[[nodiscard]] Lpcfg load_lpcfg(const std::string& path);

}  // namespace firth

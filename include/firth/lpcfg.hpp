// Grammars with latent states (L-PCFGs): training and files. Parsing with them is in firth/parser.hpp.
//
//   const std::vector<std::string> files = {"wsj.mrg"};
//   const firth::Lpcfg grammar = firth::train_lpcfg(files, firth::recommended_training(), {});
//   firth::save_lpcfg("english.grammar", grammar);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "firth/checkpoint.hpp"
#include "firth/clustering.hpp"
#include "firth/inputs.hpp"
#include "firth/latent.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
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
  /// How every word is spelled before it is used, in training and in parsing: its normal form and its case.
  /// The grammar keeps it; trees have the words as they were.
  Preprocessing words = {};
};

/// How to train.
struct LpcfgTrainOptions {
  LpcfgAlgorithm algorithm = LpcfgAlgorithm::pcfg;
  LatentOptions latent = {};
  BinarizeOptions binarize = {};
  /// The inputs are tagged sentences (CoNLL-U, or word TAB tag per line), learned as right-branching trees with
  /// the next tag in every symbol: a hidden Markov model in which every tag has states of its own. Sets `binarize`.
  bool sequences = false;
  /// Trees that cannot be read are left out, with a warning, instead of ending the training.
  bool skip_bad = false;
  LexiconOptions lexicon = {};
  /// Classes of words: a word that was not seen in training takes the behaviour of its class.
  std::optional<Clustering> clusters = {};
  /// em: the grammars after each step are kept. train_grammars() takes that of its first model for all.
  CheckpointOptions checkpoint = {};
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
  /// How words are spelled before they are used: LexiconOptions::words.
  [[nodiscard]] const Preprocessing& preprocessing() const;

  /// The bytes that save_lpcfg() writes; from_bytes() reads them, and throws FormatError if they are damaged.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Lpcfg from_bytes(std::string_view bytes);

 private:
  friend struct detail::ModelAccess;
  [[nodiscard]] const grammar::ParserModel& internals() const noexcept { return *model_; }

  std::shared_ptr<const grammar::ParserModel> model_;
};

/// Learns from bracketed trees: files, folders or "-". Traces, function tags and indices are taken out.
/// Throws InputError (file and line; no trees at all), UsageError, FormatError (checkpoint), ResourceError, Cancelled.
[[nodiscard]] Lpcfg train_lpcfg(const Inputs& inputs, const LpcfgTrainOptions& options,
                                const RunOptions& run = {});

/// Writes a model, complete or not at all; mapped into memory by load_lpcfg. Throws IoError.
void save_lpcfg(const std::string& path, const Lpcfg& grammar);

/// Throws FormatError for a file that is damaged, foreign or of another version; IoError.
[[nodiscard]] Lpcfg load_lpcfg(const std::string& path);

/// Ways to train that proved good (docs/notebook/grammars.md).
enum class GrammarRecipe {
  best,  ///< two EM grammars of each of three kinds, which vote: left, right, and without the phrase above
  fast,  ///< one EM grammar, recommended_training()
  spectral,  ///< one spectral grammar: no iterations
};

/// The options of each model of a recipe; the treatment of words and the checkpoint are those of `words`.
[[nodiscard]] std::vector<LpcfgTrainOptions> grammar_recipe(GrammarRecipe recipe,
                                                            const LpcfgTrainOptions& words = {});

/// train_lpcfg() for each, with seeds of their own. `inputs` are read several times.
[[nodiscard]] std::vector<Lpcfg> train_grammars(const Inputs& inputs,
                                                std::span<const LpcfgTrainOptions> options,
                                                const RunOptions& run = {});

/// Several models in one file, complete or not at all; a single one as save_lpcfg() writes it.
void save_grammars(const std::string& path, std::span<const Lpcfg> grammars);

/// The models of a file that save_grammars() or save_lpcfg() wrote, for a Parser. Throws as load_lpcfg() does.
[[nodiscard]] std::vector<Lpcfg> load_grammars(const std::string& path);

}  // namespace firth

// Hidden Markov models of text: states that follow one another and emit words, learnt without tags.
//
//   const firth::HmmResult trained = firth::train_hmm("text.txt", {.states = 50}, {});
//   firth::save_hmm("text.hmm", trained.model);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/checkpoint.hpp"
#include "firth/count.hpp"
#include "firth/counts.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth {

/// How a model is learnt.
enum class HmmAlgorithm {
  em,      ///< maximum likelihood by expectation maximisation (Baum-Welch)
  vb,      ///< variational Bayes with Dirichlet priors
  gibbs,   ///< collapsed Gibbs sampling, token by token, with Dirichlet priors
  sparse,  ///< EM with posteriors that use few states per word (Graca, Ganchev, Taskar & Pereira 2009)
};

/// Of HmmAlgorithm::sparse.
struct SparseHmmOptions {
  /// Price of every state that a word uses, in nats, 0..500.
  double sigma = 32;
  /// Words of fewer tokens are not constrained.
  std::uint32_t min_count = 10;
  /// Steps of the projection per iteration; each takes as long as an iteration of EM.
  std::uint32_t steps = 5;
  /// Iterations of plain EM beforehand.
  std::uint32_t warm_up = 30;
};

struct HmmOptions {
  HmmAlgorithm algorithm = HmmAlgorithm::em;
  /// Hidden states, 1..65535.
  std::uint32_t states = 50;
  /// Maximum number of iterations, >= 1; for Gibbs, the number of sweeps over the text.
  std::uint32_t iterations = 200;
  /// EM and VB stop when an iteration raises the likelihood (the bound) by less than this share of it.
  double tolerance = 1e-5;
  /// Runs from different random starts, >= 1; that of the highest likelihood (bound, joint probability) is
  /// kept.
  std::uint32_t restarts = 1;
  /// Parameters of the Dirichlet priors of VB and Gibbs, > 0.
  double transition_prior = 0.1;
  double emission_prior = 0.1;
  SparseHmmOptions sparse = {};
  TextOptions text = {};
  /// Words that are left out are one word `<unk>`: VocabularyOptions::rare must be unk.
  VocabularyOptions vocabulary = {};
  /// The state after each iteration is kept.
  CheckpointOptions checkpoint = {};
};

/// Probabilities. Sentences start in state `states`, which emits nothing, and end by entering it again.
struct HmmModel {
  Vocabulary vocabulary;
  std::uint32_t states = 0;
  /// (states + 1) x (states + 1): row = from, column = to; the last row is the start, the last column the
  /// end. Rows add up to 1; nothing goes from start to end.
  std::vector<double> transitions;
  /// words x states: p(word | state); columns add up to 1.
  std::vector<double> emissions;
  /// What was done to the words of the training text.
  std::optional<Preprocessing> preprocessing = {};

  [[nodiscard]] double transition(std::size_t from, std::size_t to) const {
    return transitions[from * (states + 1) + to];
  }
  [[nodiscard]] double emission(std::size_t word, std::size_t state) const {
    return emissions[word * states + state];
  }

  /// The bytes that save_hmm() writes; from_bytes() reads them, and throws FormatError if they are damaged.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static HmmModel from_bytes(std::string_view bytes);
};

struct HmmResult {
  HmmModel model;
  /// What each iteration of the best run reached, in nats: log likelihood (em), its lower bound (vb), log
  /// joint probability of text and states (gibbs), log likelihood less divergence and price (sparse).
  std::vector<double> objective;
  /// What every run reached.
  std::vector<double> restarts;
  Count tokens = 0;
};

/// Throws UsageError if the options make no sense.
void validate(const HmmOptions& options);

/// Learns a model from text. Results depend on run.seed, never on threads: EM and VB share the sentences,
/// Gibbs the restarts. Cost of an iteration: about 4 tokens * states^2 operations; of a Gibbs sweep: tokens *
/// states. Throws UsageError, InputError (no words), FormatError (checkpoint), ResourceError, Cancelled.
[[nodiscard]] HmmResult train_hmm(const Inputs& inputs, const HmmOptions& options,
                                  const RunOptions& run = {});

/// How a sentence gets its states.
enum class HmmDecoding {
  viterbi,    ///< the most probable sequence
  posterior,  ///< the most probable state of each word
};

/// How a text is decoded.
struct HmmDecodeOptions {
  HmmDecoding decoding = HmmDecoding::viterbi;
  TextOptions text = {};
};

/// Gets a sentence's words as they were read, and their states.
using StateSink =
    std::function<void(std::span<const std::string_view> words, std::span<const std::uint32_t> states)>;

/// Finds the states of a text, sentence by sentence, in order. Words that the model does not know are its `<unk>`; without
/// one, or where a sentence is impossible, only the neighbours decide. Throws InputError, IoError, Cancelled.
void decode_text(const HmmModel& model, const Inputs& inputs, const HmmDecodeOptions& options,
                 const StateSink& sink, const RunOptions& run = {});

/// Log likelihood of a text in nats, under the same rules for words. Sentences that are impossible count as
/// minus infinity.
[[nodiscard]] double hmm_log_likelihood(const HmmModel& model, const Inputs& inputs, const TextOptions& text,
                                        const RunOptions& run = {});

/// Writes and reads a model: complete or not at all; checked. Throw IoError, FormatError.
void save_hmm(const std::string& path, const HmmModel& model);
[[nodiscard]] HmmModel load_hmm(const std::string& path);

}  // namespace firth

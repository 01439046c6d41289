// Lists of hypotheses of a speech recogniser or translator, and a language model that chooses among them.
//
//   const firth::LanguageModel model = firth::load_lm("class.lm");
//   const auto lists = firth::load_nbest("test.nbest");
//   const auto held_out = firth::load_nbest("dev.nbest");
//   const firth::RescoreTuning tuned = firth::tune_rescoring(model, held_out, firth::load_references("dev.ref"));
//   for (const auto& ranked : firth::rescore(model, lists, tuned.weights)) use(ranked.front().hypothesis);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "firth/class_lm.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth {

/// What somebody may have said, and the scores that other models give it: the higher, the better.
struct NbestHypothesis {
  std::string words;  ///< separated by blanks; may be empty
  std::vector<double> scores;
};

/// All hypotheses for one utterance.
struct NbestList {
  std::string id;
  std::vector<NbestHypothesis> hypotheses;
};

/// Reads lists; the lines of a list follow each other. A line is `ID ||| words ||| scores` (Moses; names of scores,
/// `LM0=`, are left out, and so is what follows a third `|||`), or ID, scores and words with tabs between them. All lines
/// have the same number of scores. Throws InputError (file and line), IoError.
[[nodiscard]] std::vector<NbestList> load_nbest(const Inputs& inputs, const RunOptions& run = {});

/// What was said, by the id of the list.
using NbestReferences = std::vector<std::pair<std::string, std::string>>;

/// Reads references: an id, white space and the words on each line. Throws InputError (file and line), IoError.
[[nodiscard]] NbestReferences load_references(const Inputs& list, const RunOptions& run = {});

/// The total of a hypothesis is the sum of its scores times their weights, plus its log10 probability times `model`,
/// plus `word` for each of its words.
struct RescoreWeights {
  std::vector<double> scores;  ///< one for each score; empty = 1 for all
  double model = 1;
  double word = 0;
};

/// A hypothesis in its new place.
struct RescoredHypothesis {
  std::size_t hypothesis = 0;  ///< its number in the list
  double total = 0;
  double log10 = 0;  ///< of the model; impossible words count -99
};

/// The hypotheses of each list, best first; equal ones in their old order. Words are read as the model's text was.
/// Throws UsageError if the number of weights does not fit.
[[nodiscard]] std::vector<std::vector<RescoredHypothesis>> rescore(const LanguageModel& model,
                                                                   std::span<const NbestList> lists,
                                                                   const RescoreWeights& weights,
                                                                   const RunOptions& run = {});

/// Weights and what they bring.
struct RescoreTuning {
  RescoreWeights weights;
  std::uint64_t words = 0;          ///< of the references
  std::uint64_t errors_before = 0;  ///< word errors (edit distance) with the first hypothesis of each list
  std::uint64_t errors = 0;         ///< with these weights
};

/// Minimum error rate training (Och 2003): one weight after the other goes where the first hypotheses have the fewest word
/// errors, exactly, until no weight helps. The weight of the first score stays 1. Lists without a reference are left
/// out. Throws UsageError if no list has one.
[[nodiscard]] RescoreTuning tune_rescoring(const LanguageModel& model, std::span<const NbestList> lists,
                                           const NbestReferences& references, const RunOptions& run = {});

}  // namespace firth

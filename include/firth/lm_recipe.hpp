// The best language model that can be made of a text without choosing anything: words and classes of several sizes, mixed.
//
//   const firth::LmRecipeResult best = firth::train_best_lm("text.txt", {.vocabulary = {.min_count = 3}});
//   firth::save_lm("best.lm", best.model);
#pragma once

#include <cstdint>
#include <vector>

#include "firth/class_lm.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "firth/types.hpp"

namespace firth {

/// What the model is made from.
struct LmRecipeOptions {
  TextOptions text = {};
  /// Words that are left out are `<unk>`, and in no class.
  VocabularyOptions vocabulary = {};
  /// Words too rare for the size of the text are left out, too, as suggested_min_count() says.
  bool fit_vocabulary = false;
  /// The longest n-grams that are tried, 3..6.
  int max_order = 5;
};

/// Throws UsageError if the options make no sense.
void validate(const LmRecipeOptions& options);

/// One model that was tried.
struct LmRecipePart {
  ClassId classes = 0;  ///< 0 = a model of words
  int order = 0;
  double weight = 0;      ///< in the mixture; 0 = left out
  double perplexity = 0;  ///< alone, on the sentences kept apart
};

/// A model and how it was chosen.
struct LmRecipeResult {
  LanguageModel model;
  std::vector<LmRecipePart> parts;
  double perplexity = 0;        ///< of the mixture, on the sentences kept apart
  std::uint64_t held_out = 0;   ///< sentences kept apart
  std::uint64_t sentences = 0;  ///< of the text
};

/// A twentieth of the sentences, in ten stretches spread over the text, is kept apart. On the others, classes of three
/// sizes are found and models of words and of classes trained, with n-grams as long as helps; the weights of the mixture
/// are those that suit the sentences kept apart, and parts of little weight are left out. Then everything that was chosen
/// is made again from the whole text. Deterministic for any number of threads. Throws as train_class_lm() and
/// cluster_auto() do; InputError for fewer than 200 sentences.
[[nodiscard]] LmRecipeResult train_best_lm(const Inputs& inputs, const LmRecipeOptions& options = {},
                                           const RunOptions& run = {});

}  // namespace firth

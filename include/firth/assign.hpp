// Classes for words that were not clustered.
//
//   const firth::Clustering model = firth::load_clustering("out");
//   const firth::Counts text = firth::count_text(files, {}, {});
//   const firth::Assignment more = firth::assign_words(model, text, {}, {});
//   firth::save_clustering("more", more.clustering, firth::ClusterFormat::firth);
#pragma once

#include <string>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth {

/// What a word's class was found by.
enum class AssignedBy {
  contexts,  ///< the classes around it
  spelling,  ///< its beginning, ending, shape and digits, compared with those of the classes' words
};

/// One word that got a class.
struct AssignedWord {
  std::string word;
  ClassId class_id = 0;  ///< a class of the model, under the model's number
  AssignedBy by = AssignedBy::contexts;
  Count count = 0;     ///< how often the text has it
  Count contexts = 0;  ///< neighbours of it that have a class
  /// How far the class is ahead of the second best: difference of log probabilities, in nats. Below about 2
  /// the choice is a guess.
  double margin_nats = 0;
};

struct AssignOptions {
  /// Words with fewer neighbours that have a class go by their spelling.
  Count min_contexts = 2;
};

/// The model's words and those of the text, and how the new ones came in, most frequent first.
struct Assignment {
  /// Classes are numbered anew here: new words count when classes are ordered by frequency.
  Clustering clustering;
  std::vector<AssignedWord> words;
};

/// Gives every word of the text that the model lacks a class of the model: the one whose words most probably
/// have such neighbours, by the class bigrams that the model has kept (Clustering::class_bigrams) together
/// with those of its words in the text. A model that has kept none needs a text long enough to show its
/// classes. Classes without a bigram, and the class of `<unk>` alone, are never chosen. Classes are frozen: no
/// new word changes what the others get. Words of the model keep their class, tree and count. The result does
/// not depend on threads. Throws UsageError (a model without words, or none of them in the text),
/// ResourceError, Cancelled.
[[nodiscard]] Assignment assign_words(const Clustering& model, const Counts& counts,
                                      const AssignOptions& options, const RunOptions& run = {});

}  // namespace firth

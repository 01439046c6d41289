// How many classes, by what they are for: tags that people gave, or a tagger's score.
#pragma once

#include <firth/counts.hpp>
#include <firth/gold_tags.hpp>
#include <firth/run.hpp>
#include <firth/tagger.hpp>
#include <string>
#include <vector>

namespace firth::cli {

/// A number of classes and its score, 0..1.
struct ScoredNumber {
  ClassId classes = 0;
  double score = 0;
};

/// An answer, and what it rests on.
struct ScoredChoice {
  std::string measure = {};  ///< "V-measure", "F1", "accuracy"
  std::vector<ScoredNumber> numbers = {};
  ScoredNumber best = {};
  ClassId enough = 0;  ///< the smallest number that cannot be told from the best one, or is within 1 % of it
  std::string enough_text = {};  ///< why
};

/// V-measure of cuts of one tree with at most `max_classes` (0 = 500); the best numbers are scored again with classes
/// of their own.
ScoredChoice choose_by_tags(const Counts& counts, const GoldText& gold, ClassId max_classes,
                            const RunOptions& run);

/// A tagged task: sentences to train on, and others to score on.
struct TaggedTask {
  std::vector<TaggedSentence> train;
  std::vector<TaggedSentence> dev;
};

/// Trains a tagger with the classes of each power of two up to `max_classes` (0 = 1024).
ScoredChoice choose_by_task(const Counts& counts, const TaggedTask& task, ClassId max_classes,
                            const RunOptions& run);

std::string scored_choice_text(const ScoredChoice& choice);
std::string scored_choice_json(const ScoredChoice& choice);

}  // namespace firth::cli

#include "firth/assign.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/stage.hpp"
#include "base/worker_team.hpp"
#include "cluster/assign/context_classifier.hpp"
#include "cluster/assign/spelling_classifier.hpp"
#include "cluster/extend.hpp"
#include "cluster/objective.hpp"
#include "firth/error.hpp"
#include "firth/text.hpp"

namespace firth {
namespace clusters {
namespace {

/// Words of the text by what the model says of them.
struct TextWords {
  std::vector<ClassId> class_of;  ///< the model's class, kNoClass for new words
  std::vector<WordId> new_words;  ///< most frequent first
};

TextWords look_up(const Clustering& model, const Counts& counts) {
  const WordIndex index(model.vocabulary());
  TextWords words;
  for (WordId word = 0; word < counts.vocabulary().size(); ++word) {
    const auto found = index.find(counts.vocabulary().word(word));
    words.class_of.push_back(found ? model.class_of(*found) : kNoClass);
    if (!found) words.new_words.push_back(word);
  }
  if (!words.class_of.empty() && words.new_words.size() == words.class_of.size()) {
    throw UsageError("the model has no word of the text", "was it made from text of the same kind?");
  }
  return words;
}

/// Class of each word of the model, `<unk>` left out: it stands for words that have nothing in common.
std::vector<ClassId> classes_to_learn_from(const Clustering& model) {
  std::vector<ClassId> classes(model.classes().begin(), model.classes().end());
  std::size_t words = classes.size();
  for (WordId word = 0; word < classes.size(); ++word) {
    if (model.vocabulary().word(word) != kUnknownWord) continue;
    classes[word] = kNoClass;
    --words;
  }
  if (words == 0) throw UsageError("the model has no words", "give one that cluster() made");
  return classes;
}

/// Classes that have a word among those to learn from.
std::vector<bool> classes_with_words(std::span<const ClassId> classes, ClassId count) {
  std::vector<bool> candidates(count, false);
  for (const ClassId c : classes) {
    if (c != kNoClass) candidates[c] = true;
  }
  return candidates;
}

void append_pairs(const PairCounts& from, std::span<const ClassId> class_of, std::vector<PairCount>& pairs) {
  from.for_each_pair([&](WordId left, WordId right, Count count) {
    pairs.push_back({class_of[left], class_of[right], count});
  });
}

/// The class bigrams that the model was learnt from, and those of its words in the text.
PairCounts known_bigrams(const Clustering& model, const Counts& counts, const TextWords& words) {
  PairCounts in_text = class_bigrams(counts.bigrams(), words.class_of, model.class_count());
  if (model.class_bigrams().rows() == 0) return in_text;
  std::vector<ClassId> same(model.class_count());
  for (ClassId c = 0; c < same.size(); ++c) same[c] = c;
  std::vector<PairCount> pairs;
  pairs.reserve(in_text.distinct() + model.class_bigrams().distinct());
  append_pairs(model.class_bigrams(), same, pairs);
  append_pairs(in_text, same, pairs);
  return PairCounts::from_pairs(model.class_count(), std::move(pairs));
}

/// Adds up the classes of neighbours.
class ContextCounter {
 public:
  explicit ContextCounter(ClassId classes) : place_(classes, kNone) {}

  /// The classes among `neighbours`; words without a class are left out.
  template <typename IsKnown>
  std::span<const ClassContext> count(std::span<const WordId> neighbours, std::span<const Count> counts,
                                      std::span<const ClassId> class_of, const IsKnown& is_known) {
    for (const ClassContext& context : contexts_) place_[context.class_id] = kNone;
    contexts_.clear();
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const ClassId c = class_of[neighbours[i]];
      if (c == kNoClass || !is_known(c)) continue;
      if (place_[c] == kNone) {
        place_[c] = static_cast<ClassId>(contexts_.size());
        contexts_.push_back({c, 0});
      }
      contexts_[place_[c]].count += counts[i];
    }
    return contexts_;
  }

 private:
  static constexpr ClassId kNone = static_cast<ClassId>(-1);
  std::vector<ClassId> place_;  // of a class in contexts_
  std::vector<ClassContext> contexts_;
};

Count sum(std::span<const ClassContext> contexts) {
  Count total = 0;
  for (const ClassContext& context : contexts) total += context.count;
  return total;
}

/// Finds classes for the new words of a text; the classes do not change.
class Assigner {
 public:
  struct Scratch {
    explicit Scratch(ClassId classes) : right(classes), left(classes) {}
    ContextCounter right;
    ContextCounter left;
    std::vector<double> scores;
  };

  Assigner(const Clustering& model, const Counts& counts, const TextWords& words,
           const AssignOptions& options)
      : counts_(counts),
        words_(words),
        min_contexts_(std::max<Count>(options.min_contexts, 1)),
        before_(counts.bigrams().transposed()),
        learn_from_(classes_to_learn_from(model)),
        contexts_(known_bigrams(model, counts, words), classes_with_words(learn_from_, model.class_count())),
        spelling_(model.vocabulary(), learn_from_) {}

  AssignedWord assign(WordId word, Scratch& scratch) const {
    AssignedWord result{std::string(counts_.vocabulary().word(word)), 0, AssignedBy::contexts,
                        counts_.vocabulary().count(word)};
    const PairCounts& after = counts_.bigrams();
    const auto right = scratch.right.count(after.right_words(word), after.right_counts(word), words_.class_of,
                                           [&](ClassId c) { return contexts_.is_known_right(c); });
    const auto left =
        scratch.left.count(before_.right_words(word), before_.right_counts(word), words_.class_of,
                           [&](ClassId c) { return contexts_.is_known_left(c); });
    result.contexts = sum(right) + sum(left);
    const bool by_spelling = result.contexts < min_contexts_ || !contexts_.has_candidates();
    const ClassGuess guess =
        by_spelling ? spelling_.guess(result.word) : contexts_.guess(right, left, scratch.scores);
    if (by_spelling) result.by = AssignedBy::spelling;
    result.class_id = guess.class_id;
    result.margin_nats = guess.margin_nats;
    return result;
  }

 private:
  const Counts& counts_;
  const TextWords& words_;
  Count min_contexts_;
  PairCounts before_;  // row w: what precedes w
  std::vector<ClassId> learn_from_;
  ContextClassifier contexts_;
  SpellingClassifier spelling_;
};

std::vector<AssignedWord> assign_all(const Assigner& assigner, std::span<const WordId> new_words,
                                     ClassId classes, const RunOptions& run) {
  base::WorkerTeam team(run.threads);
  std::vector<Assigner::Scratch> scratch(team.size(), Assigner::Scratch(classes));
  std::vector<AssignedWord> words(new_words.size());
  const base::Stage stage(run, "assign", "words", words.size());
  constexpr std::size_t kStep = 4096;
  for (std::size_t begin = 0; begin < words.size(); begin += kStep) {
    run.check_stop();
    const std::size_t size = std::min(kStep, words.size() - begin);
    team.run(size, 16, [&](unsigned worker, std::size_t first, std::size_t last) {
      for (std::size_t i = begin + first; i < begin + last; ++i) {
        words[i] = assigner.assign(new_words[i], scratch[worker]);
      }
    });
    stage.advance(begin + size);
  }
  return words;
}

/// The model's words and the new ones.
Clustering with_new_words(const Clustering& model, const std::vector<AssignedWord>& words) {
  std::vector<NewWord> added;
  added.reserve(words.size());
  for (const AssignedWord& word : words) added.push_back({word.word, word.count, word.class_id});
  return extended(model, added);
}

/// Class bigrams of the model with its new words: those it was learnt from, and the bigrams of the text that
/// have a new word. Bigrams of known words are not counted a second time.
PairCounts extended_bigrams(const Clustering& model, const Counts& counts, const TextWords& words,
                            const Clustering& result) {
  const WordIndex index(result.vocabulary());
  std::vector<ClassId> class_of_old(model.class_count());
  for (WordId word = 0; word < model.word_count(); ++word) {
    class_of_old[model.class_of(word)] = result.class_of(*index.find(model.vocabulary().word(word)));
  }
  std::vector<PairCount> pairs;
  append_pairs(model.class_bigrams(), class_of_old, pairs);
  std::vector<ClassId> class_of_word;
  for (WordId word = 0; word < words.class_of.size(); ++word) {
    class_of_word.push_back(result.class_of(*index.find(counts.vocabulary().word(word))));
  }
  const PairCounts& bigrams = counts.bigrams();
  for (WordId left = 0; left < bigrams.rows(); ++left) {
    const auto rights = bigrams.right_words(left);
    const auto numbers = bigrams.right_counts(left);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      if (words.class_of[left] != kNoClass && words.class_of[rights[i]] != kNoClass) continue;
      pairs.push_back({class_of_word[left], class_of_word[rights[i]], numbers[i]});
    }
  }
  return PairCounts::from_pairs(result.class_count(), std::move(pairs));
}

void check_memory(const Clustering& model, const Counts& counts, const RunOptions& run) {
  const std::uint64_t classes = model.class_count();
  const std::uint64_t distinct =
      std::min(classes * classes, model.class_bigrams().distinct() + counts.bigrams().distinct());
  const std::uint64_t needed =
      ContextClassifier::bytes(distinct, model.class_count()) + 28 * counts.bigrams().distinct();
  base::require_memory(run, needed, "assigning classes");
}

}  // namespace
}  // namespace clusters

Assignment assign_words(const Clustering& model, const Counts& counts, const AssignOptions& options,
                        const RunOptions& run) {
  if (model.word_count() == 0) throw UsageError("the model has no words", "give one that cluster() made");
  const clusters::TextWords words = clusters::look_up(model, counts);
  clusters::check_memory(model, counts, run);
  Assignment result;
  result.words = clusters::assign_all(clusters::Assigner(model, counts, words, options), words.new_words,
                                      model.class_count(), run);
  result.clustering = clusters::with_new_words(model, result.words);
  if (model.class_bigrams().rows() != 0) {
    result.clustering.set_class_bigrams(clusters::extended_bigrams(model, counts, words, result.clustering));
  }
  return result;
}

}  // namespace firth

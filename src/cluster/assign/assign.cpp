#include "firth/assign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/stage.hpp"
#include "base/worker_team.hpp"
#include "cluster/assign/spelling_classifier.hpp"
#include "cluster/exchange/kernel.hpp"
#include "cluster/exchange/state.hpp"
#include "cluster/merge_tree.hpp"
#include "firth/error.hpp"

namespace firth {
namespace exchange {
namespace {

/// Words of the text by what the model says of them: its class, or the class after its last for new words.
struct Known {
  std::vector<ClassId> class_of;
  std::vector<WordId> newcomers;
};

Known look_up(const Clustering& model, const Counts& counts) {
  if (model.word_count() == 0) throw UsageError("the model has no words", "give one that cluster() made");
  const WordIndex index(model.vocabulary());
  Known known;
  for (WordId word = 0; word < counts.vocabulary().size(); ++word) {
    const auto found = index.find(counts.vocabulary().word(word));
    known.class_of.push_back(found ? model.class_of(*found) : model.class_count());
    if (!found) known.newcomers.push_back(word);
  }
  if (!known.class_of.empty() && known.newcomers.size() == known.class_of.size()) {
    throw UsageError("the model has no word of the text", "was it made from text of the same kind?");
  }
  return known;
}

/// Scores new words against the frozen classes of a state, whose last class is that of all new words.
class Assigner {
 public:
  Assigner(const State& state, const clusters::Spelling& spelling, const Counts& counts,
           const AssignOptions& options)
      : state_(state),
        spelling_(spelling),
        counts_(counts),
        options_(options),
        classes_(state.classes() - 1) {}

  struct Scratch {
    Contexts contexts;
    base::AlignedVector<float> scores;
  };

  AssignedWord assign(WordId word, Scratch& scratch) const {
    AssignedWord result{std::string(counts_.vocabulary().word(word)), 0, AssignedBy::contexts,
                        counts_.vocabulary().count(word)};
    state_.collect(word, scratch.contexts);
    for (const ContextList* side : {&scratch.contexts.right, &scratch.contexts.left}) {
      for (const ClassId c : side->present()) result.contexts += c < classes_ ? side->count(c) : 0;
    }
    if (result.contexts < options_.min_contexts) {
      const clusters::Spelling::Guess guess = spelling_.guess(result.word);
      result.by = AssignedBy::spelling;
      result.class_id = guess.class_id;
      result.margin_nats = guess.margin_nats;
      return result;
    }
    score_classes(state_, word, scratch.contexts, scratch.scores);
    const std::span<float> scores(scratch.scores.data(), classes_);
    result.class_id = best_class(scores);
    const float best = std::exchange(scores[result.class_id], -std::numeric_limits<float>::infinity());
    if (classes_ > 1) result.margin_nats = best - scores[best_class(scores)];
    return result;
  }

 private:
  const State& state_;
  const clusters::Spelling& spelling_;
  const Counts& counts_;
  const AssignOptions& options_;
  ClassId classes_;
};

std::vector<AssignedWord> assign_all(const Clustering& model, const Counts& counts, const Known& known,
                                     const AssignOptions& options, const RunOptions& run) {
  std::vector<UnitId> unit_of(counts.vocabulary().size());
  std::iota(unit_of.begin(), unit_of.end(), UnitId{0});
  const Problem problem(counts.bigrams(), unit_of, unit_of.size());
  const Tables tables(problem.total());
  const State state(problem, tables, model.class_count() + 1, known.class_of);
  const clusters::Spelling spelling(model);
  const Assigner assigner(state, spelling, counts, options);
  base::WorkerTeam team(run.threads);
  std::vector<Assigner::Scratch> scratch(team.size());
  for (Assigner::Scratch& worker : scratch) worker.contexts.resize(state.classes());
  std::vector<AssignedWord> words(known.newcomers.size());
  const base::Stage stage(run, "assign", "words", words.size());
  constexpr std::size_t kStep = 4096;
  for (std::size_t begin = 0; begin < words.size(); begin += kStep) {
    run.check_stop();
    const std::size_t size = std::min(kStep, words.size() - begin);
    team.run(size, 16, [&](unsigned worker, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        words[begin + i] = assigner.assign(known.newcomers[begin + i], scratch[worker]);
      }
    });
    stage.advance(begin + size);
  }
  return words;
}

/// The tree over the model's classes, whatever its leaves were.
std::optional<MergeTree> class_tree(const Clustering& model) {
  const auto& tree = model.tree();
  if (!tree || tree->kind == TreeLeaves::classes) return tree;
  const std::size_t merges = tree->leaves - model.class_count();
  MergeTree upper =
      clusters::upper_part(*tree, merges, clusters::nodes_after(*tree, merges), model.classes());
  upper.kind = TreeLeaves::classes;
  return upper;
}

Clustering extended(const Clustering& model, const std::vector<AssignedWord>& words) {
  std::vector<std::pair<std::string, Count>> all;
  for (WordId word = 0; word < model.word_count(); ++word) {
    all.emplace_back(model.vocabulary().word(word), model.vocabulary().count(word));
  }
  for (const AssignedWord& word : words) all.emplace_back(word.word, word.count);
  const Vocabulary vocabulary = Vocabulary::from_words(std::move(all));
  const WordIndex index(vocabulary);
  std::vector<ClassId> classes(vocabulary.size());
  for (WordId word = 0; word < model.word_count(); ++word) {
    classes[*index.find(model.vocabulary().word(word))] = model.class_of(word);
  }
  for (const AssignedWord& word : words) classes[*index.find(word.word)] = word.class_id;
  return {vocabulary, classes, class_tree(model)};
}

}  // namespace
}  // namespace exchange

Assignment assign_words(const Clustering& model, const Counts& counts, const AssignOptions& options,
                        const RunOptions& run) {
  const exchange::Known known = exchange::look_up(model, counts);
  const std::uint64_t needed =
      exchange::state_bytes(model.class_count() + 1) + 16 * counts.bigrams().distinct();
  base::require_memory(run, needed, "assigning classes");
  Assignment result;
  result.words = exchange::assign_all(model, counts, known, options, run);
  result.clustering = exchange::extended(model, result.words);
  // Canonical numbers may differ from the model's: counts of new words take part in the order of classes.
  const WordIndex index(result.clustering.vocabulary());
  for (AssignedWord& word : result.words) word.class_id = result.clustering.class_of(*index.find(word.word));
  return result;
}

}  // namespace firth

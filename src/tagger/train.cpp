#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "tagger/model.hpp"
#include "tagger/perceptron.hpp"
#include "tagger/training_data.hpp"

namespace firth {
namespace tagger {
namespace {

/// Learns from one sentence at a time.
class Trainer final : public HistoryScorer {
 public:
  Trainer(std::span<const TaggedSentence> sentences, Model& model, const RunOptions& run)
      : model_(model),
        perceptron_(model.tags.size()),
        data_(sentences, model, perceptron_, run),
        gold_(encode_tags(sentences, model.tags)),
        sums_(model.tags.size()) {
    for (const VectorTable& table : model.vectors) vectors_.emplace_back(table.dimensions, model.tags.size());
  }

  std::size_t sentence_count() const { return data_.sentence_count(); }

  /// Returns the number of words that were tagged right.
  std::size_t learn(std::size_t sentence) {
    sentence_ = sentence;
    return model_.beam == 1 ? learn_greedy() : learn_structured();
  }

  void add(std::size_t i, History history, std::span<Score> scores) override {
    hashes_.clear();
    add_history_features(history, data_.atoms(data_.begin(sentence_) + i), hashes_);
    for (const Hash hash : hashes_) perceptron_.add(perceptron_.find(hash), scores);
  }

  void finish() {
    model_.weights = perceptron_.average();
    for (std::size_t source = 0; source < vectors_.size(); ++source) {
      model_.vectors[source].weights = vectors_[source].average(perceptron_.steps());
    }
  }

 private:
  std::span<const TagId> gold() const {
    return std::span(gold_).subspan(data_.begin(sentence_), data_.end(sentence_) - data_.begin(sentence_));
  }

  void add_local(std::size_t token, std::span<Score> scores) {
    data_.for_each_feature(sentence_, token,
                           [&](std::uint32_t feature) { perceptron_.add(feature, scores); });
    data_.for_each_vector(sentence_, token,
                          [&](std::size_t source, std::size_t offset, std::span<const float> vector) {
                            multiply(vector, vectors_[source].weights_at(offset), sums_);
                            for (std::size_t t = 0; t < sums_.size(); ++t)
                              scores[t] += vector_score(sums_[t]);
                          });
  }

  // Features that do not depend on tags before.
  void update_local(std::size_t token, TagId tag, int change) {
    data_.for_each_feature(sentence_, token,
                           [&](std::uint32_t feature) { perceptron_.update(feature, tag, change); });
    data_.for_each_vector(sentence_, token,
                          [&](std::size_t source, std::size_t offset, std::span<const float> vector) {
                            vectors_[source].update(offset, vector, tag, change, perceptron_.steps());
                          });
  }

  void update_history(std::size_t token, History history, TagId tag, int change) {
    hashes_.clear();
    add_history_features(history, data_.atoms(token), hashes_);
    for (const Hash hash : hashes_) perceptron_.update(perceptron_.number(hash), tag, change);
  }

  // Each word is an example; what was guessed for the words before is its history, as it will be later on.
  std::size_t learn_greedy() {
    const std::span<const TagId> right = gold();
    History history = {model_.tags.size(), model_.tags.size()};
    std::size_t correct = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const std::size_t token = data_.begin(sentence_) + i;
      scores_.assign(model_.tags.size(), 0);
      add_local(token, scores_);
      add(i, history, scores_);
      const bool last = i + 1 == right.size();
      const TagId guess = best_tag(scores_, model_.tags.followers(history.before),
                                   last ? model_.tags.ends() : std::span<const std::uint8_t>());
      if (guess != right[i]) {
        for (const auto& [tag, change] : {std::pair(right[i], 1), std::pair(guess, -1)}) {
          update_local(token, tag, change);
          update_history(token, history, tag, change);
        }
      }
      correct += guess == right[i] ? 1 : 0;
      perceptron_.step();
      // After a wrong guess that makes the next tag impossible nothing can be learnt from it.
      const bool goes_on = last || model_.tags.may_follow(guess, right[i + 1]);
      history = {goes_on ? guess : right[i], history.before};
    }
    return correct;
  }

  // The whole sentence is an example; updated up to where the guess is farthest ahead of the right tags, as
  // beam search may have lost these on the way (Huang et al. 2012: max-violation).
  std::size_t learn_structured() {
    const std::span<const TagId> right = gold();
    scores_.assign(right.size() * model_.tags.size(), 0);
    for (std::size_t i = 0; i < right.size(); ++i) {
      add_local(data_.begin(sentence_) + i,
                std::span(scores_).subspan(i * model_.tags.size(), model_.tags.size()));
    }
    const Lattice lattice = {model_.tags, right.size(), scores_};
    decoder_.decode(lattice, *this, model_.beam, guess_);
    std::size_t correct = 0;
    for (std::size_t i = 0; i < right.size(); ++i) correct += guess_[i] == right[i] ? 1 : 0;
    if (correct < right.size()) {
      decoder_.prefix(worst_prefix(lattice, right), guess_);
      update_prefix(right);
    }
    perceptron_.step();
    return correct;
  }

  std::size_t worst_prefix(const Lattice& lattice, std::span<const TagId> right) {
    std::size_t worst = right.size();
    Score most = 0;
    for (std::size_t length = 1; length <= right.size(); ++length) {
      const Score ahead = decoder_.prefix_score(length) - sequence_score_of(lattice, right, length);
      if (ahead > most) {
        most = ahead;
        worst = length;
      }
    }
    return worst;
  }

  // Sums of the right tags are needed for every prefix: made once, word by word.
  Score sequence_score_of(const Lattice& lattice, std::span<const TagId> right, std::size_t length) {
    if (length == 1) right_score_ = 0;
    const std::size_t i = length - 1;
    const std::size_t none = model_.tags.size();
    const History history = {i > 0 ? right[i - 1] : none, i > 1 ? right[i - 2] : none};
    const std::span<const Score> local = lattice.at(i);
    word_scores_.assign(local.begin(), local.end());
    add(i, history, word_scores_);
    right_score_ += word_scores_[right[i]];
    return right_score_;
  }

  // guess_ holds the tags of the prefix.
  void update_prefix(std::span<const TagId> right) {
    const std::size_t none = model_.tags.size();
    History good = {none, none};
    History bad = {none, none};
    for (std::size_t i = 0; i < guess_.size(); ++i) {
      const std::size_t token = data_.begin(sentence_) + i;
      const bool same_history = good.before == bad.before && good.second == bad.second;
      if (right[i] != guess_[i]) {
        update_local(token, right[i], 1);
        update_local(token, guess_[i], -1);
      }
      if (right[i] != guess_[i] || !same_history) {
        update_history(token, good, right[i], 1);
        update_history(token, bad, guess_[i], -1);
      }
      good = {right[i], good.before};
      bad = {guess_[i], bad.before};
    }
  }

  Model& model_;
  Perceptron perceptron_;
  TrainingData data_;
  std::vector<TagId> gold_;
  std::vector<VectorPerceptron> vectors_;
  Decoder decoder_;
  std::size_t sentence_ = 0;
  std::vector<Score> scores_;
  std::vector<Score> word_scores_;
  Score right_score_ = 0;
  std::vector<TagId> guess_;
  std::vector<Hash> hashes_;
  std::vector<float> sums_;
};

VectorTable make_vector_table(const WordVectors& source, double length) {
  if (source.dimensions == 0 || source.vocabulary.empty()) {
    throw UsageError("there are no vectors", "make them with embed_words()");
  }
  VectorTable table(source.vocabulary, source.dimensions);
  table.values.reserve(source.values.size());
  for (WordId word = 0; word < source.vocabulary.size(); ++word) {
    double squares = 0;
    for (const float x : source.row(word)) squares += static_cast<double>(x) * x;
    const double factor = squares > 0 && std::isfinite(squares) ? length / std::sqrt(squares) : 0;
    for (const float x : source.row(word)) {
      table.values.push_back(factor > 0 ? static_cast<float>(x * factor) : 0.0F);
    }
  }
  return table;
}

std::vector<Hash> known_words(std::span<const TaggedSentence> sentences) {
  std::vector<Hash> known;
  for (const TaggedSentence& sentence : sentences) {
    for (const std::string& word : sentence.words) known.push_back(known_hash(word));
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return known;
}

void run_passes(Trainer& trainer, int passes, std::size_t words, const RunOptions& run) {
  std::vector<std::uint32_t> order(trainer.sentence_count());
  std::iota(order.begin(), order.end(), 0U);
  base::Rng rng(run.seed);
  const std::uint64_t total = static_cast<std::uint64_t>(passes) * order.size();
  const base::Stage stage(run, "training", "sentences", total);
  std::string note;
  for (int pass = 0; pass < passes; ++pass) {
    base::shuffle(order, rng);
    std::size_t right = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      run.check_stop();
      right += trainer.learn(order[i]);
      if (i % 256 == 0) stage.advance(static_cast<std::uint64_t>(pass) * order.size() + i, note);
    }
    const double percent = 100 * static_cast<double>(right) / static_cast<double>(words);
    note = fmt::format("pass {}: {:.2f}% right", pass + 1, percent);
  }
  stage.advance(total, note);
}

void check_sentences(std::span<const TaggedSentence> sentences) {
  if (sentences.empty())
    throw InputError({}, "there are no tagged sentences", "give files with words and tags");
  for (const TaggedSentence& sentence : sentences) {
    if (sentence.words.size() != sentence.tags.size()) {
      throw UsageError(
          fmt::format("a sentence of {} words has {} tags", sentence.words.size(), sentence.tags.size()));
    }
  }
}

}  // namespace
}  // namespace tagger

void validate(const TaggerOptions& options) {
  if (options.passes < 1 || options.passes > 1000) {
    throw UsageError(fmt::format("{} passes", options.passes), "give 1 to 1000", "TaggerOptions::passes");
  }
  if (options.beam < 0 || options.beam > tagger::kMaxBeam) {
    throw UsageError(fmt::format("a beam of {}", options.beam),
                     fmt::format("give 1 (greedy) to {}, or 0 for an exact search", tagger::kMaxBeam),
                     "TaggerOptions::beam");
  }
  if (!(options.vector_length > 0 && options.vector_length <= 1e6)) {
    throw UsageError("vectors cannot get this length", "give a number above 0",
                     "TaggerOptions::vector_length");
  }
}

Tagger train_tagger(std::span<const TaggedSentence> sentences, const TaggerOptions& options,
                    const TaggerKnowledge& knowledge, const RunOptions& run) {
  validate(options);
  tagger::check_sentences(sentences);
  const auto model = std::make_shared<tagger::Model>();
  model->tags = tagger::find_tags(sentences, options.scheme);
  model->beam = options.beam;
  for (const ClassSource& source : knowledge.classes) {
    model->classes.push_back(tagger::make_class_table(source, model->classes.size()));
  }
  for (const WordVectors& vectors : knowledge.vectors) {
    model->vectors.push_back(tagger::make_vector_table(vectors, options.vector_length));
  }
  model->known_words = tagger::known_words(sentences);
  tagger::Trainer trainer(sentences, *model, run);
  std::size_t words = 0;
  for (const TaggedSentence& sentence : sentences) words += sentence.words.size();
  tagger::run_passes(trainer, options.passes, words, run);
  trainer.finish();
  return Tagger(model);
}

}  // namespace firth

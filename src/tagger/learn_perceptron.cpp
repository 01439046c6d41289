#include <algorithm>
#include <optional>
#include <utility>

#include "base/memory_limit.hpp"
#include "tagger/decode.hpp"
#include "tagger/learner.hpp"
#include "tagger/perceptron.hpp"
#include "tagger/training_data.hpp"

namespace firth::tagger {
namespace {

/// The weights of all features of the training sentences.
class FeatureWeights {
 public:
  FeatureWeights(std::span<const TaggedSentence> sentences, const Model& model, const RunOptions& run)
      : perceptron_(model.tags.size()),
        data_(std::in_place, sentences, model, perceptron_.index(),
              Perceptron::bytes_per_feature(model.tags.size()), run),
        sums_(model.tags.size()) {
    perceptron_.reserve();
    for (const VectorTable& table : model.vectors) vectors_.emplace_back(table.dimensions, model.tags.size());
  }

  const TrainingData& data() const { return *data_; }

  /// Features that do not depend on tags before.
  void add_local(std::size_t sentence, std::size_t token, std::span<Score> scores) {
    data_->for_each_feature(sentence, token,
                            [&](std::uint32_t feature) { perceptron_.add(feature, scores); });
    data_->for_each_vector(sentence, token,
                           [&](std::size_t source, std::size_t offset, std::span<const float> vector) {
                             multiply(vector, vectors_[source].weights_at(offset), sums_);
                             for (std::size_t t = 0; t < sums_.size(); ++t)
                               scores[t] += vector_score(sums_[t]);
                           });
  }

  void update_local(std::size_t sentence, std::size_t token, TagId tag, int change) {
    data_->for_each_feature(sentence, token,
                            [&](std::uint32_t feature) { perceptron_.update(feature, tag, change); });
    data_->for_each_vector(sentence, token,
                           [&](std::size_t source, std::size_t offset, std::span<const float> vector) {
                             vectors_[source].update(offset, vector, tag, change, perceptron_.steps());
                           });
  }

  void add_history(std::size_t token, History history, std::span<Score> scores) {
    hashes_.clear();
    add_history_features(history, data_->atoms(token), hashes_);
    for (const Hash hash : hashes_) perceptron_.add(perceptron_.find(hash), scores);
  }

  void update_history(std::size_t token, History history, TagId tag, int change) {
    hashes_.clear();
    add_history_features(history, data_->atoms(token), hashes_);
    for (const Hash hash : hashes_) perceptron_.update(perceptron_.number(hash), tag, change);
  }

  /// Features of the tags before get more while it learns.
  void require_memory(const RunOptions& run) const {
    constexpr std::uint64_t kProgram = std::uint64_t{16} << 20;  // and what is kept of the memory for reading
    base::require_memory(run, kProgram + data_->bytes() + perceptron_.bytes(),
                         "this tagger, which is not trained to its end,", "give fewer sentences");
  }

  /// The next example.
  void step() { perceptron_.step(); }

  /// Gives the averages to the model.
  void finish(Model& model) {
    const std::int64_t steps = perceptron_.steps();
    data_.reset();  // the memory is needed for the model
    model.weights = perceptron_.take_average();
    for (std::size_t source = 0; source < vectors_.size(); ++source) {
      model.vectors[source].weights = vectors_[source].average(steps);
    }
  }

 private:
  Perceptron perceptron_;
  std::optional<TrainingData> data_;  // until all is learnt
  std::vector<VectorPerceptron> vectors_;
  std::vector<Hash> hashes_;
  std::vector<float> sums_;
};

class PerceptronLearner final : public Learner, private HistoryScorer {
 public:
  PerceptronLearner(std::span<const TaggedSentence> sentences, Model& model, const RunOptions& run)
      : model_(model), run_(run), weights_(sentences, model, run) {}

  std::size_t sentence_count() const override { return weights_.data().sentence_count(); }

  std::size_t learn(std::size_t sentence) override {
    sentence_ = sentence;
    weights_.require_memory(run_);
    return model_.beam == 1 ? learn_greedy() : learn_structured();
  }

  void finish() override { weights_.finish(model_); }

 private:
  /// Number of the i-th word of the sentence among all words.
  std::size_t token(std::size_t i) const { return weights_.data().begin(sentence_) + i; }

  std::span<const TagId> gold() const { return weights_.data().gold(sentence_); }

  void add(std::size_t i, History history, std::span<Score> scores) override {
    weights_.add_history(token(i), history, scores);
  }

  // Each word is an example; what was guessed for the words before is its history, as it will be later on.
  std::size_t learn_greedy() {
    const std::span<const TagId> right = gold();
    History history = {model_.tags.size(), model_.tags.size()};
    std::size_t correct = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      scores_.assign(model_.tags.size(), 0);
      weights_.add_local(sentence_, token(i), scores_);
      add(i, history, scores_);
      const bool last = i + 1 == right.size();
      const TagId guess = best_tag(scores_, model_.tags.followers(history.before),
                                   last ? model_.tags.ends() : std::span<const std::uint8_t>());
      if (guess != right[i]) {
        for (const auto& [tag, change] : {std::pair(right[i], 1), std::pair(guess, -1)}) {
          weights_.update_local(sentence_, token(i), tag, change);
          weights_.update_history(token(i), history, tag, change);
        }
      }
      correct += guess == right[i] ? 1 : 0;
      weights_.step();
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
      weights_.add_local(sentence_, token(i),
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
    weights_.step();
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
      const bool same_history = good.before == bad.before && good.second == bad.second;
      if (right[i] != guess_[i]) {
        weights_.update_local(sentence_, token(i), right[i], 1);
        weights_.update_local(sentence_, token(i), guess_[i], -1);
      }
      if (right[i] != guess_[i] || !same_history) {
        weights_.update_history(token(i), good, right[i], 1);
        weights_.update_history(token(i), bad, guess_[i], -1);
      }
      good = {right[i], good.before};
      bad = {guess_[i], bad.before};
    }
  }

  Model& model_;
  const RunOptions& run_;
  FeatureWeights weights_;
  Decoder decoder_;
  std::size_t sentence_ = 0;
  std::vector<Score> scores_;
  std::vector<Score> word_scores_;
  Score right_score_ = 0;
  std::vector<TagId> guess_;
};

}  // namespace

std::unique_ptr<Learner> make_perceptron(std::span<const TaggedSentence> sentences, Model& model,
                                         const RunOptions& run) {
  return std::make_unique<PerceptronLearner>(sentences, model, run);
}

}  // namespace firth::tagger

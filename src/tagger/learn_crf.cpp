#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "tagger/adagrad.hpp"
#include "tagger/chain.hpp"
#include "tagger/learner.hpp"
#include "tagger/training_data.hpp"

namespace firth::tagger {
namespace {

/// A word whose probabilities are all this close to right or wrong has nothing to teach: most words, soon.
constexpr float kSettled = 0.002F;
constexpr double kMinWeightOfSmall = 0.1;

std::int32_t whole(float weight) {
  const double value = std::round(static_cast<double>(weight) * static_cast<double>(kUnit));
  return static_cast<std::int32_t>(std::clamp<double>(value, -kMaxWeight, kMaxWeight));
}

/// In small models weights are whole numbers of 1/16.
std::int32_t rounded(std::int32_t weight) {
  constexpr std::int32_t kStep = kUnit / 16;
  return (weight + (weight < 0 ? -kStep : kStep) / 2) / kStep * kStep;
}

/// How many weights are not nearer to 0 than `smallest`.
std::size_t count_weights(const AdaGrad& weights, std::int32_t smallest) {
  std::size_t count = 0;
  for (std::size_t feature = 0; feature < weights.rows(); ++feature) {
    for (const float weight : weights.row(feature)) count += std::abs(whole(weight)) >= smallest ? 1 : 0;
  }
  return count;
}

/// The weights of the features `keys`, without those nearer to 0 than `least`. What is not needed any more makes room
/// for the result.
void copy_weights(AdaGrad weights, std::vector<Hash> keys, double least, SparseWeights& result) {
  const auto smallest = static_cast<std::int32_t>(std::lround(least * static_cast<double>(kUnit)));
  const bool is_small = result.mask == kShortKey;
  const std::size_t count = count_weights(weights, std::max(smallest, 1));
  result.tags.reserve(count);
  result.values.reserve(count);
  std::size_t kept = 0;
  for (std::size_t feature = 0; feature < weights.rows(); ++feature) {
    const Hash key = keys[feature] & result.mask;
    if (is_small && result.index.find(key) != FeatureIndex::kNone) continue;
    const std::size_t before = result.values.size();
    const std::span<const float> row = weights.row(feature);
    for (std::size_t t = 0; t < row.size(); ++t) {
      const std::int32_t value = is_small ? rounded(whole(row[t])) : whole(row[t]);
      if (value == 0 || std::abs(value) < smallest) continue;
      result.tags.push_back(static_cast<TagId>(t));
      result.values.push_back(value);
    }
    if (result.values.size() == before) continue;
    keys[kept++] = key;
    if (is_small) result.index.find_or_add(key);
    result.first.push_back(result.values.size());
  }
  weights = AdaGrad(0, 1);
  result.index.reserve(kept);
  for (const Hash key : std::span(keys).first(kept)) result.index.find_or_add(key);
}

/// Stochastic gradient ascent on the likelihood of sentences. With a recall cost c, softmax-margin (Gimpel &
/// Smith 2010) with the cost of Mohit et al. (2012): in training, O gets c on top where an entity stands, so
/// that the entity must win by a margin.
class CrfLearner final : public Learner {
 public:
  CrfLearner(std::span<const TaggedSentence> sentences, const TaggerOptions& options, Model& model,
             const RunOptions& run)
      : model_(model),
        options_(options),
        data_(std::in_place, sentences, model, index_, bytes_per_feature(options, model.tags.size()), run),
        weights_(index_.size(), model.tags.size()),
        transitions_(model.tags.size() + 1, model.tags.size()),
        chain_(model.tags) {
    for (const VectorTable& table : model.vectors) {
      vectors_.emplace_back(kVectorOffsets * table.dimensions, model.tags.size());
    }
  }

  std::size_t sentence_count() const override { return data_->sentence_count(); }

  std::size_t learn(std::size_t sentence) override {
    const std::size_t tags = model_.tags.size();
    const std::span<const TagId> right = data_->gold(sentence);
    if (right.empty()) return 0;
    local_.assign(right.size() * tags, 0);
    for (std::size_t i = 0; i < right.size(); ++i) {
      score(sentence, i, std::span(local_).subspan(i * tags, tags));
      const bool entity = model_.tags.scheme() != TagScheme::plain && right[i] != 0;
      if (entity) local_[i * tags] += static_cast<float>(options_.recall_cost);
    }
    copy_transitions();
    chain_.run(local_, steps_);
    std::size_t correct = 0;
    for (std::size_t i = 0; i < right.size(); ++i) correct += learn_word(sentence, i, right) ? 1 : 0;
    return correct;
  }

  bool may_repeat() const override { return true; }

  void end_training() override {
    const std::vector<AdaGrad*> learnt = all_weights();
    means_.resize(learnt.size());
    for (std::size_t i = 0; i < learnt.size(); ++i) means_[i].take(*learnt[i]);
  }

  void finish() override {
    if (!means_.empty()) {
      const std::vector<AdaGrad*> learnt = all_weights();
      for (std::size_t i = 0; i < learnt.size(); ++i) means_[i].give(*learnt[i]);
    }
    const bool is_small = options_.recipe == TagRecipe::small;
    if (is_small) model_.weights.mask = kShortKey;
    data_.reset();  // the memory is needed for the model
    const double least = is_small ? std::max(kMinWeightOfSmall, options_.min_weight) : options_.min_weight;
    copy_weights(std::move(weights_), index_.take_keys(), least, model_.weights);
    for (std::size_t before = 0; before < transitions_.rows(); ++before) {
      for (const float weight : transitions_.row(before)) model_.transitions.push_back(whole(weight));
    }
    for (std::size_t source = 0; source < vectors_.size(); ++source) {
      for (std::size_t row = 0; row < vectors_[source].rows(); ++row) {
        const auto weights = vectors_[source].row(row);
        model_.vectors[source].weights.insert(model_.vectors[source].weights.end(), weights.begin(),
                                              weights.end());
      }
    }
  }

 private:
  static std::size_t bytes_per_feature(const TaggerOptions& options, std::size_t tags) {
    return AdaGrad::bytes_per_row(tags) + (options.trainings > 1 ? MeanWeights::bytes_per_row(tags) : 0);
  }

  std::vector<AdaGrad*> all_weights() {
    std::vector<AdaGrad*> all = {&weights_, &transitions_};
    for (AdaGrad& weights : vectors_) all.push_back(&weights);
    return all;
  }

  void score(std::size_t sentence, std::size_t i, std::span<float> scores) const {
    const std::size_t token = data_->begin(sentence) + i;
    data_->for_each_feature(sentence, token, [&](std::uint32_t f) { weights_.add(f, 1, scores); });
    data_->for_each_vector(sentence, token,
                           [&](std::size_t source, std::size_t offset, std::span<const float> vector) {
                             const std::size_t first = offset * vector.size();
                             for (std::size_t d = 0; d < vector.size(); ++d)
                               vectors_[source].add(first + d, vector[d], scores);
                           });
  }

  void copy_transitions() {
    steps_.clear();
    for (std::size_t before = 0; before < transitions_.rows(); ++before) {
      const std::span<const float> row = transitions_.row(before);
      steps_.insert(steps_.end(), row.begin(), row.end());
    }
  }

  // Whether the right tag is the most probable one.
  bool learn_word(std::size_t sentence, std::size_t i, std::span<const TagId> right) {
    const std::size_t tags = model_.tags.size();
    gradient_.resize(tags);
    float farthest = 0;
    std::size_t best = 0;
    for (std::size_t t = 0; t < tags; ++t) {
      gradient_[t] = (right[i] == t ? 1.0F : 0.0F) - static_cast<float>(chain_.probability(i, t));
      farthest = std::max(farthest, std::abs(gradient_[t]));
      if (chain_.probability(i, t) > chain_.probability(i, best)) best = t;
    }
    if (farthest >= kSettled) {
      update_features(sentence, data_->begin(sentence) + i);
      update_transitions(i, right);
    }
    return best == right[i];
  }

  void update_features(std::size_t sentence, std::size_t token) {
    data_->for_each_feature(sentence, token, [&](std::uint32_t f) { weights_.update(f, 1, gradient_); });
    data_->for_each_vector(sentence, token,
                           [&](std::size_t source, std::size_t offset, std::span<const float> vector) {
                             const std::size_t first = offset * vector.size();
                             for (std::size_t d = 0; d < vector.size(); ++d)
                               vectors_[source].update(first + d, vector[d], gradient_);
                           });
  }

  void update_transitions(std::size_t i, std::span<const TagId> right) {
    const std::size_t tags = model_.tags.size();
    if (i == 0) return transitions_.update(tags, 1, gradient_);
    for (std::size_t before = 0; before < tags; ++before) {
      for (std::size_t t = 0; t < tags; ++t) {
        gradient_[t] = -static_cast<float>(chain_.pair_probability(i, before, t));
      }
      if (right[i - 1] == before) gradient_[right[i]] += 1;
      transitions_.update(before, 1, gradient_);
    }
  }

  Model& model_;
  const TaggerOptions& options_;
  FeatureIndex index_;
  std::optional<TrainingData> data_;  // until all is learnt
  AdaGrad weights_;
  AdaGrad transitions_;
  std::vector<AdaGrad> vectors_;
  std::vector<MeanWeights> means_;  // in the order of all_weights(); none if there is one training
  Chain chain_;
  std::vector<float> local_;
  std::vector<float> steps_;
  std::vector<float> gradient_;
};

}  // namespace

std::unique_ptr<Learner> make_crf(std::span<const TaggedSentence> sentences, const TaggerOptions& options,
                                  Model& model, const RunOptions& run) {
  return std::make_unique<CrfLearner>(sentences, options, model, run);
}

}  // namespace firth::tagger

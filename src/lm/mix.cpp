#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <unordered_set>

#include "base/internals.hpp"
#include "firth/error.hpp"
#include "lm/model.hpp"
#include "lm/text_ids.hpp"

namespace firth {
namespace {

constexpr double kRounding = 1e-12;

void check_parts(std::span<const LanguageModel> models) {
  std::size_t parts = 0;
  for (const LanguageModel& model : models) {
    parts += base::internals(model).parts.size();
    if (model.has_boundaries() != models.front().has_boundaries()) {
      throw UsageError("models with and without sentence boundaries cannot be mixed");
    }
  }
  if (models.size() < 2) throw UsageError("a mixture needs two models or more");
  if (parts > LmState::kMaxParts) {
    throw UsageError(fmt::format("{} models in a mixture", parts),
                     fmt::format("at most {}", LmState::kMaxParts));
  }
}

void check_weights(std::span<const LanguageModel> models, std::span<const double> weights) {
  if (weights.size() != models.size()) {
    throw UsageError(fmt::format("{} weights for {} models", weights.size(), models.size()),
                     "give one for each");
  }
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) throw UsageError("a weight is not a number of 0 or more");
    sum += weight;
  }
  if (std::abs(sum - 1) > 1e-6) throw UsageError(fmt::format("weights add up to {}", sum), "make it 1");
}

/// All words of all models, those of the first model first.
lm::Names union_of_words(std::span<const LanguageModel> models) {
  std::vector<std::string> words;
  std::unordered_set<std::string_view> seen;
  for (const LanguageModel& model : models) {
    for (WordId word = 0; word < model.word_count(); ++word) {
      if (seen.insert(model.word(word)).second) words.emplace_back(model.word(word));
    }
  }
  return lm::Names(words);
}

bool same_words(const lm::Names& a, const lm::Names& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

void map_words(lm::Part& part, const lm::Names& words) {
  const lm::Names& own = part.component->words;
  part.words.clear();
  part.unknown_words = 1;
  if (same_words(own, words)) return;
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    part.words.push_back(own.find(words[i]).value_or(LanguageModel::kUnknown));
    unknown += part.words.back() == LanguageModel::kUnknown ? 1 : 0;
  }
  part.unknown_words = static_cast<double>(unknown);
}

}  // namespace

LanguageModel mix_models(std::span<const LanguageModel> models, std::span<const double> weights) {
  check_parts(models);
  check_weights(models, weights);
  double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (std::abs(sum - 1) < kRounding) sum = 1;  // a mixture comes back from its file as it was
  auto mixture = std::make_shared<lm::Model>();
  mixture->words = union_of_words(models);
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (lm::Part part : base::internals(models[i]).parts) {
      part.weight *= weights[i] / sum;
      map_words(part, mixture->words);
      mixture->parts.push_back(std::move(part));
    }
  }
  return LanguageModel(std::move(mixture));
}

namespace {

/// p of every scored word under every model, word by word.
struct HeldOut {
  std::vector<double> probabilities;
  std::size_t models = 0;

  std::size_t size() const { return probabilities.size() / models; }
};

class HeldOutScorer {
 public:
  HeldOutScorer(std::span<const LanguageModel> models, HeldOut& out) : models_(models), out_(out) {}

  void sentence(std::span<const WordId> words, const LanguageModel& joint) {
    const bool boundaries = joint.has_boundaries();
    LmState state = joint.begin_sentence();
    for (std::size_t i = 0; i < words.size(); ++i) {
      score(joint, state, words[i], boundaries || i > 0);
    }
    if (boundaries) score(joint, state, LanguageModel::kEnd, true);
  }

 private:
  // Unknown words say nothing about which model knows the language better, and words that no model can
  // produce have no best weights.
  void score(const LanguageModel& joint, LmState& state, WordId word, bool counts) {
    std::array<double, LmState::kMaxParts> p{};
    double any = 0;
    std::size_t part = 0;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      for (const lm::Part& own : base::internals(models_[m]).parts) {
        const lm::Part& here = base::internals(joint).parts[part];
        const lm::Step step = here.step(state.nodes[part], word);
        p[m] += own.weight * step.probability;
        state.nodes[part++] = step.next;
      }
      any += p[m];
    }
    if (!counts || word == LanguageModel::kUnknown || any <= 0) return;
    out_.probabilities.insert(out_.probabilities.end(), p.begin(),
                              p.begin() + static_cast<std::ptrdiff_t>(models_.size()));
  }

  std::span<const LanguageModel> models_;
  HeldOut& out_;
};

/// One round: the log-likelihood under `weights`, and the weights that follow from it.
double expectation_maximisation(const HeldOut& data, std::vector<double>& weights) {
  std::vector<double> shares(weights.size(), 0.0);
  double log_likelihood = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const double* p = &data.probabilities[i * data.models];
    double sum = 0;
    for (std::size_t m = 0; m < weights.size(); ++m) sum += weights[m] * p[m];
    log_likelihood += std::log(sum);
    for (std::size_t m = 0; m < weights.size(); ++m) shares[m] += weights[m] * p[m] / sum;
  }
  for (std::size_t m = 0; m < weights.size(); ++m) weights[m] = shares[m] / static_cast<double>(data.size());
  return log_likelihood;
}

}  // namespace

LmMixResult tune_weights(std::span<const LanguageModel> models, const Inputs& held_out,
                         const TextOptions& text, const RunOptions& run) {
  constexpr int kMaxRounds = 500;
  constexpr double kEnough = 1e-8;  // nats per word
  LmMixResult result;
  result.weights.assign(models.size(), 1 / static_cast<double>(models.size()));
  const LanguageModel joint = mix_models(models, result.weights);
  HeldOut data{{}, models.size()};
  HeldOutScorer scorer(models, data);
  lm::for_each_sentence(
      held_out, text, joint, [&](std::span<const WordId> words) { scorer.sentence(words, joint); }, run);
  if (data.size() == 0) {
    throw InputError({held_out.first_name()}, "the held-out text has no word that the models know",
                     "give text of the kind that the models were trained on");
  }
  const auto words = static_cast<double>(data.size());
  double before = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    run.check_stop();
    std::vector<double> next = result.weights;
    const double log_likelihood = expectation_maximisation(data, next);
    result.perplexities.push_back(std::exp(-log_likelihood / words));
    if (round > 0 && (log_likelihood - before) / words < kEnough) break;
    before = log_likelihood;
    result.weights = std::move(next);
  }
  return result;
}

}  // namespace firth

#include "firth/rescore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/parallel.hpp"
#include "firth/error.hpp"
#include "firth/text.hpp"
#include "lm/line_search.hpp"

namespace firth {
namespace {

constexpr double kImpossible = -99;  // as SRILM writes log10 of 0

/// Scores of a hypothesis, then log10 of the model, then the number of words.
using Features = std::vector<double>;
using FeatureLists = std::vector<std::vector<Features>>;

TextOptions words_of(const LanguageModel& model) {
  TextOptions text;
  if (const auto stored = model.preprocessing()) {
    text.lowercase = stored->lowercase;
    text.tokenize = stored->tokenize;
    text.normalize = stored->normalize;
  }
  return text;
}

double sentence_log10(const LanguageModel& model, const std::vector<std::string>& words) {
  LmState state = model.begin_sentence();
  double sum = 0;
  const auto add = [&](WordId word) {
    const double p = model.advance(state, word);
    sum += p > 0 ? std::log10(p) : kImpossible;
  };
  for (const std::string& word : words) add(model.find(word));
  if (model.has_boundaries()) add(LanguageModel::kEnd);
  return sum;
}

FeatureLists features_of(const LanguageModel& model, std::span<const NbestList> lists,
                         const RunOptions& run) {
  const TextOptions text = words_of(model);
  FeatureLists features(lists.size());
  base::parallel_for(lists.size(), 1, run.threads, [&](std::size_t i, std::size_t /*end*/) {
    run.check_stop();
    for (const NbestHypothesis& hypothesis : lists[i].hypotheses) {
      const std::vector<std::string> words = line_words(hypothesis.words, text);
      Features own = hypothesis.scores;
      own.push_back(sentence_log10(model, words));
      own.push_back(static_cast<double>(words.size()));
      features[i].push_back(std::move(own));
    }
  });
  return features;
}

double total_of(const Features& features, const std::vector<double>& weights) {
  double total = 0;
  for (std::size_t i = 0; i < features.size(); ++i) total += weights[i] * features[i];
  return total;
}

std::size_t scores_of(std::span<const NbestList> lists) {
  const bool any = !lists.empty() && !lists.front().hypotheses.empty();
  return any ? lists.front().hypotheses.front().scores.size() : 0;
}

/// The weights as one list, in the order of the features.
std::vector<double> flat(const RescoreWeights& weights, std::size_t scores) {
  std::vector<double> all = weights.scores.empty() ? std::vector<double>(scores, 1.0) : weights.scores;
  if (all.size() != scores) {
    throw UsageError(fmt::format("{} weights for {} scores", all.size(), scores), "give one for each",
                     "RescoreWeights::scores");
  }
  all.push_back(weights.model);
  all.push_back(weights.word);
  return all;
}

/// Substitutions, insertions and deletions that make one sentence of the other.
std::uint64_t word_errors(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::uint64_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::uint64_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint64_t above = row[j];
      const std::uint64_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, changed});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// Lists with references: features and errors of their hypotheses.
struct TuningData {
  FeatureLists features;
  std::vector<std::vector<std::uint64_t>> errors;
  std::uint64_t words = 0;

  std::vector<lm::MovingList> moving(const std::vector<double>& weights, std::size_t which) const {
    std::vector<double> others = weights;
    others[which] = 0;
    std::vector<lm::MovingList> lists(features.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
      for (std::size_t h = 0; h < features[i].size(); ++h) {
        lists[i].push_back({total_of(features[i][h], others), features[i][h][which], errors[i][h]});
      }
    }
    return lists;
  }
};

TuningData tuning_data(const LanguageModel& model, std::span<const NbestList> lists,
                       const NbestReferences& references, const RunOptions& run) {
  const std::unordered_map<std::string, std::string> said(references.begin(), references.end());
  std::vector<NbestList> used;
  for (const NbestList& list : lists) {
    if (said.contains(list.id)) used.push_back(list);
  }
  if (used.empty()) throw UsageError("no list has a reference", "give references with the ids of the lists");
  TuningData data{features_of(model, used, run), {}, 0};
  const TextOptions text = words_of(model);
  for (const NbestList& list : used) {
    const std::vector<std::string> truth = line_words(said.at(list.id), text);
    data.words += truth.size();
    std::vector<std::uint64_t>& errors = data.errors.emplace_back();
    for (const NbestHypothesis& hypothesis : list.hypotheses) {
      errors.push_back(word_errors(line_words(hypothesis.words, text), truth));
    }
  }
  return data;
}

}  // namespace

std::vector<std::vector<RescoredHypothesis>> rescore(const LanguageModel& model,
                                                     std::span<const NbestList> lists,
                                                     const RescoreWeights& weights, const RunOptions& run) {
  const std::size_t scores = scores_of(lists);
  const std::vector<double> all = flat(weights, scores);
  const FeatureLists features = features_of(model, lists, run);
  std::vector<std::vector<RescoredHypothesis>> result(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t h = 0; h < features[i].size(); ++h) {
      const Features& own = features[i][h];
      if (own.size() != all.size()) throw UsageError("hypotheses have different numbers of scores");
      result[i].push_back({h, total_of(own, all), own[scores]});
    }
    std::stable_sort(result[i].begin(), result[i].end(),
                     [](const auto& a, const auto& b) { return a.total > b.total; });
  }
  return result;
}

RescoreTuning tune_rescoring(const LanguageModel& model, std::span<const NbestList> lists,
                             const NbestReferences& references, const RunOptions& run) {
  constexpr int kMaxRounds = 20;
  const TuningData data = tuning_data(model, lists, references, run);
  const std::size_t scores = scores_of(lists);
  std::vector<double> weights = flat({}, scores);
  RescoreTuning result;
  result.words = data.words;
  for (const auto& errors : data.errors) result.errors_before += errors.front();
  result.errors = lm::errors_at(data.moving(weights, scores), weights[scores]);
  bool moved = true;
  for (int round = 0; moved && round < kMaxRounds; ++round) {
    moved = false;
    for (std::size_t which = scores > 0 ? 1 : 0; which < weights.size(); ++which) {
      run.check_stop();
      const lm::BestWeight best = lm::best_weight(data.moving(weights, which), weights[which]);
      moved = moved || best.errors < result.errors;
      weights[which] = best.weight;
      result.errors = best.errors;
    }
  }
  result.weights.model = weights[scores];
  result.weights.word = weights[scores + 1];
  weights.resize(scores);
  result.weights.scores = std::move(weights);
  return result;
}

}  // namespace firth

#include "reference/naive_tagger.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace firth::reference {

using namespace tagger;

namespace {

std::map<Hash, std::map<TagId, Score>> all_weights(const Model& model) {
  std::map<Hash, std::map<TagId, Score>> weights;
  for (std::size_t row = 0; row < model.weights.index.size(); ++row) {
    for (std::uint64_t i = model.weights.first[row]; i < model.weights.first[row + 1]; ++i) {
      weights[model.weights.index.keys()[row]][model.weights.tags[i]] += model.weights.values[i];
    }
  }
  return weights;
}

bool is_allowed(const TagSet& tags, const std::vector<TagId>& sequence) {
  std::size_t before = tags.size();
  for (const TagId tag : sequence) {
    if (!tags.may_follow(before, tag)) return false;
    before = tag;
  }
  return true;
}

SentenceCase case_of(WordFeaturizer& featurizer, const std::vector<std::string_view>& words) {
  std::size_t capitals = 0;
  std::size_t with_small = 0;
  for (const std::string_view word : words) {
    WordFeatures features;
    featurizer.make(word, features);
    capitals += features.atoms.is_capital ? 1 : 0;
    with_small += features.atoms.has_small ? 1 : 0;
  }
  return sentence_case(words.size(), capitals, with_small);
}

struct Way {
  std::vector<TagId> tags;
  Score score = 0;
};

}  // namespace

std::vector<Score> naive_scores(const Model& model, const std::vector<std::string_view>& words, std::size_t i,
                                History history) {
  const auto weights = all_weights(model);
  WordFeaturizer featurizer(model.classes);
  text::UnicodeWords unicode;
  std::vector<WordFeatures> window(kOffsets);
  std::vector<Hash> features;
  std::vector<Score> scores(model.tags.size(), 0);
  for (int offset = -kWindow; offset <= kWindow; ++offset) {
    const auto at = static_cast<std::ptrdiff_t>(i) + offset;
    const bool inside = at >= 0 && at < static_cast<std::ptrdiff_t>(words.size());
    WordFeatures& word = window[static_cast<std::size_t>(offset + kWindow)];
    word = WordFeaturizer::boundary();
    if (inside) featurizer.make(words[static_cast<std::size_t>(at)], word);
    for (const Hash hash : word.at(offset)) features.push_back(at_offset(hash, offset));
    if (!inside || offset < -kVectorWindow || offset > kVectorWindow) continue;
    for (const VectorTable& table : model.vectors) {
      const auto vector = table.find(words[static_cast<std::size_t>(at)], unicode);
      for (std::size_t t = 0; t < scores.size() && !vector.empty(); ++t) {
        float sum = 0;
        const auto row = table.weights_at(static_cast<std::size_t>(offset + kVectorWindow), scores.size());
        for (std::size_t d = 0; d < vector.size(); ++d) sum += vector[d] * row[d * scores.size() + t];
        scores[t] += vector_score(sum);
      }
    }
  }
  std::array<WordView, kOffsets> faces;
  for (std::size_t k = 0; k < kOffsets; ++k) {
    const bool has_classes = !window[k].coarse.empty();
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i + k) - kWindow;
    const bool inside = at >= 0 && at < static_cast<std::ptrdiff_t>(words.size());
    faces[k] = {window[k].atoms, has_classes ? window[k].coarse.data() : nullptr, inside};
  }
  if (model.joint)
    add_joint_features(
        {faces, case_of(featurizer, words), model.classes.size(), model.tags.scheme() == TagScheme::plain},
        features);
  std::vector<Hash> lower;
  for (const std::string_view word : words) lower.push_back(lower_hash(unicode.lower(word)));
  std::vector<std::vector<NameMark>> marks(model.names.size());
  for (std::size_t k = 0; k < marks.size(); ++k) mark_names(model.names[k], lower, marks[k]);
  add_name_features(marks, i, features);
  if (model.is_chain()) {
    for (std::size_t t = 0; t < scores.size(); ++t) scores[t] += model.transitions_from(history.before)[t];
  } else {
    add_history_features(history, window[kWindow].atoms, features);
  }
  for (const Hash feature : features) {
    const auto found = weights.find(feature & model.weights.mask);
    if (found == weights.end()) continue;
    for (const auto& [tag, weight] : found->second) scores[tag] += weight;
  }
  return scores;
}

std::vector<TagId> naive_greedy(const Model& model, const std::vector<std::string_view>& words) {
  std::vector<TagId> tags;
  History history = {model.tags.size(), model.tags.size()};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::vector<Score> scores = naive_scores(model, words, i, history);
    std::optional<TagId> best;
    for (std::size_t t = 0; t < scores.size(); ++t) {
      const auto tag = static_cast<TagId>(t);
      if (!model.tags.may_follow(history.before, tag)) continue;
      if (i + 1 == words.size() && !model.tags.may_end(tag)) continue;
      if (!best || scores[t] > scores[*best]) best = tag;
    }
    tags.push_back(*best);
    history = {*best, history.before};
  }
  return tags;
}

Score sequence_score(const Lattice& lattice, HistoryScorer& scorer, std::span<const TagId> tags) {
  Score sum = 0;
  std::vector<Score> scores(lattice.tags.size());
  History history = {lattice.tags.size(), lattice.tags.size()};
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const std::span<const Score> local = lattice.at(i);
    scores.assign(local.begin(), local.end());
    scorer.add(i, history, scores);
    sum += scores[tags[i]];
    history = {tags[i], history.before};
  }
  return sum;
}

Score naive_best_score(const Lattice& lattice, HistoryScorer& scorer) {
  std::optional<Score> best;
  std::vector<TagId> tags(lattice.length, 0);
  while (true) {
    if (is_allowed(lattice.tags, tags) && lattice.tags.may_end(tags.back())) {
      const Score score = sequence_score(lattice, scorer, tags);
      best = std::max(best.value_or(score), score);
    }
    std::size_t place = 0;
    while (place < tags.size() && ++tags[place] == lattice.tags.size()) tags[place++] = 0;
    if (place == tags.size()) return *best;
  }
}

void for_each_sequence(const TagSet& tags, std::size_t length,
                       const std::function<void(const std::vector<TagId>&)>& use) {
  std::vector<TagId> sequence(length, 0);
  while (true) {
    if (is_allowed(tags, sequence) && tags.may_end(sequence.back())) use(sequence);
    std::size_t place = 0;
    while (place < length && ++sequence[place] == tags.size()) sequence[place++] = 0;
    if (place == length) return;
  }
}

std::vector<TagId> naive_beam(const Lattice& lattice, HistoryScorer& scorer, std::size_t width) {
  std::vector<Way> beam(1);
  for (std::size_t i = 0; i < lattice.length; ++i) {
    std::vector<Way> longer;
    for (const Way& way : beam) {
      for (std::size_t t = 0; t < lattice.tags.size(); ++t) {
        Way next = way;
        next.tags.push_back(static_cast<TagId>(t));
        if (!is_allowed(lattice.tags, next.tags)) continue;
        if (i + 1 == lattice.length && !lattice.tags.may_end(next.tags.back())) continue;
        next.score = sequence_score(lattice, scorer, next.tags);
        longer.push_back(next);
      }
    }
    std::stable_sort(longer.begin(), longer.end(),
                     [](const Way& a, const Way& b) { return a.score > b.score; });
    if (longer.size() > width) longer.resize(width);
    beam = longer;
  }
  return beam.front().tags;
}

}  // namespace firth::reference

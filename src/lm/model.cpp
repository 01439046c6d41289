#include "lm/model.hpp"

#include <algorithm>
#include <numeric>

#include "firth/error.hpp"

namespace firth {
namespace lm {

Members Component::members() const {
  Members result;
  result.first.assign(trie.symbol_count() + 1, 0);
  for (WordId word = 0; word < words.size(); ++word) ++result.first[symbol_of(word) + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.words.resize(words.size());
  std::vector<std::uint64_t> next(result.first.begin(), result.first.end() - 1);
  for (WordId word = 0; word < words.size(); ++word) result.words[next[symbol_of(word)]++] = word;
  for (Symbol symbol = 0; symbol < trie.symbol_count(); ++symbol) {
    std::stable_sort(result.words.begin() + static_cast<std::ptrdiff_t>(result.first[symbol]),
                     result.words.begin() + static_cast<std::ptrdiff_t>(result.first[symbol + 1]),
                     [&](WordId a, WordId b) { return emission_of(a) > emission_of(b); });
  }
  return result;
}

Model::Model() = default;
Model::~Model() = default;

std::shared_ptr<const Model> make_model(std::shared_ptr<const Component> component) {
  auto model = std::make_shared<Model>();
  model->words = component->words;
  model->parts.push_back({1, std::move(component), {}, 1});
  return model;
}

}  // namespace lm

LanguageModel::LanguageModel(std::shared_ptr<const lm::Model> model) : model_(std::move(model)) {}

std::size_t LanguageModel::word_count() const {
  return model_->words.size();
}

std::string_view LanguageModel::word(WordId word) const {
  return model_->words[word];
}

WordId LanguageModel::find(std::string_view word) const {
  return model_->words.find(word).value_or(kUnknown);
}

int LanguageModel::order() const {
  int order = 0;
  for (const lm::Part& part : model_->parts) order = std::max(order, part.component->trie.order());
  return order;
}

bool LanguageModel::has_boundaries() const {
  return model_->first().boundaries;
}

std::vector<LmPart> LanguageModel::parts() const {
  std::vector<LmPart> parts;
  for (const lm::Part& part : model_->parts) {
    const lm::Trie& trie = part.component->trie;
    LmPart info{part.weight, trie.order(), part.component->has_classes(), trie.symbol_count(), {}};
    const auto levels = trie.arrays().level_begin;
    for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
      info.ngrams.push_back(levels[level + 1] - levels[level]);
    }
    parts.push_back(std::move(info));
  }
  return parts;
}

std::optional<Preprocessing> LanguageModel::preprocessing() const {
  const std::optional<Preprocessing>& first = model_->first().preprocessing;
  const bool same = std::all_of(model_->parts.begin(), model_->parts.end(),
                                [&](const lm::Part& part) { return part.component->preprocessing == first; });
  return same ? first : std::nullopt;
}

LmState LanguageModel::begin_sentence() const {
  LmState state;
  for (std::size_t i = 0; i < model_->parts.size(); ++i) {
    state.nodes[i] = model_->parts[i].component->begin_sentence();
  }
  return state;
}

double LanguageModel::advance(LmState& state, WordId word) const {
  double sum = 0;
  for (std::size_t i = 0; i < model_->parts.size(); ++i) {
    const lm::Part& part = model_->parts[i];
    const lm::Step step = part.step(state.nodes[i], word);
    sum += part.weight * step.probability;
    state.nodes[i] = step.next;
  }
  return sum;
}

double LanguageModel::probability(const LmState& state, WordId word) const {
  LmState copy = state;
  return advance(copy, word);
}

std::vector<double> LanguageModel::distribution(const LmState& state) const {
  std::vector<double> sums(word_count(), 0.0);
  for (std::size_t i = 0; i < model_->parts.size(); ++i) {
    const lm::Part& part = model_->parts[i];
    const lm::Component& component = *part.component;
    std::vector<double> symbols(component.trie.symbol_count());
    component.trie.distribution(state.nodes[i], symbols);
    for (WordId word = 0; word < sums.size(); ++word) {
      const WordId own = part.word(word);
      sums[word] +=
          part.weight * symbols[component.symbol_of(own)] * component.emission_of(own) * part.share(own);
    }
  }
  return sums;
}

std::vector<LmWord> LanguageModel::suggest(const LmState& state, std::size_t max_words) const {
  const std::scoped_lock lock(model_->suggester_mutex);
  if (!model_->suggester) model_->suggester = std::make_unique<lm::ModelSuggester>(*model_);
  return model_->suggester->words(state, max_words);
}

std::vector<LmWord> LanguageModel::complete(const LmState& state, std::string_view prefix,
                                            std::size_t max_words) const {
  if (prefix.empty()) return suggest(state, max_words);
  const std::scoped_lock lock(model_->suggester_mutex);
  if (!model_->suggester) model_->suggester = std::make_unique<lm::ModelSuggester>(*model_);
  return model_->suggester->completions(state, prefix, max_words);
}

bool LanguageModel::has_classes() const {
  return model_->single() && model_->first().has_classes();
}

ClassId LanguageModel::class_of(WordId word) const {
  return model_->first().symbol_of(word);
}

std::string_view LanguageModel::class_name(ClassId number) const {
  return model_->first().symbol_names()[number];
}

std::size_t LanguageModel::class_count() const {
  return model_->first().trie.symbol_count();
}

}  // namespace firth

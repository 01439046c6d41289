// New words in the classes of a model.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/internals.hpp"
#include "base/parse_number.hpp"
#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "lm/emission.hpp"
#include "lm/model.hpp"
#include "text/line_reader.hpp"

namespace firth {
namespace lm {
namespace {

/// What is wrong with a word is said of its line, if it has one.
[[noreturn]] void refuse_new_word(const LmNewWord& word, std::string_view problem, std::string_view hint) {
  if (word.where.path.empty()) throw UsageError(problem, hint);
  throw InputError(word.where, problem, hint);
}

/// The class that a new word joins.
Symbol class_like(const Component& c, const LmNewWord& word) {
  if (const auto own = c.classes.find(word.like); own && *own >= kSpecialSymbols) return *own;
  const auto like = c.words.find(word.like);
  if (like && *like >= kSpecialSymbols) return c.class_of[*like];
  refuse_new_word(word,
                  fmt::format("'{}' is to be like '{}', which is neither a word nor a class of the model",
                              word.word, word.like),
                  "name a word that the model has");
}

void check_word(const LanguageModel& model, const LmNewWord& word) {
  if (word.word.empty() || word.word.find_first_of(" \t\r\n\v\f") != std::string::npos)
    refuse_new_word(word, fmt::format("'{}' is not a word", word.word), "words have no white space in them");
  const WordId known = model.find(word.word);
  if (known != LanguageModel::kUnknown || word.word == kUnknownName)
    refuse_new_word(word, fmt::format("the model has '{}' already", word.word), "leave it out");
  if (!(word.probability >= 0 && word.probability < 1))
    refuse_new_word(word, fmt::format("the probability of '{}' is {}", word.word, word.probability),
                    "give a number below 1, or 0 for that of the least likely word of its class");
}

/// p(word | class) of the least likely word of a class that is possible at all.
double min_emission(const Component& c, Symbol own) {
  double least = 1;
  for (WordId word = 0; word < c.words.size(); ++word) {
    if (c.class_of[word] == own && c.emission[word] > 0) least = std::min(least, c.emission[word]);
  }
  return least;
}

std::shared_ptr<const Component> with_words(const Component& c, std::span<const LmNewWord> words) {
  auto storage = std::make_shared<EmissionStorage>();
  storage->class_of.assign(c.class_of.begin(), c.class_of.end());
  storage->probability.assign(c.emission.begin(), c.emission.end());
  std::vector<std::string> names;
  for (WordId word = 0; word < c.words.size(); ++word) names.emplace_back(c.words[word]);
  for (const LmNewWord& word : words) {
    const Symbol own = class_like(c, word);
    const double least = min_emission(c, own);
    // A share of the least likely word: with it, the new word is as likely as that one afterwards.
    const double share = word.probability > 0 ? word.probability : least / (1 + least);
    for (std::size_t i = 0; i < storage->class_of.size(); ++i) {
      if (storage->class_of[i] == own) storage->probability[i] *= 1 - share;
    }
    names.push_back(word.word);
    storage->class_of.push_back(own);
    storage->probability.push_back(share);
  }
  auto component = std::make_shared<Component>(c);
  component->words = Names(names);
  component->class_of = storage->class_of;
  component->emission = storage->probability;
  component->owner = std::move(storage);
  return component;
}

}  // namespace
}  // namespace lm

std::vector<LmNewWord> load_new_words(const Inputs& list, const RunOptions& run) {
  text::LineReader lines(list, run);
  std::vector<LmNewWord> words;
  for (std::string_view line; lines.next(line);) {
    LmNewWord word;
    word.word = text::next_field(line);
    if (word.word.empty()) continue;
    word.like = text::next_field(line);
    const std::string_view number = text::next_field(line);
    const auto probability = number.empty() ? std::optional(0.0) : base::parse_number<double>(number);
    if (word.like.empty() || !probability || !(*probability >= 0 && *probability < 1) ||
        !text::next_field(line).empty()) {
      throw InputError(
          lines.where(), "this is not a new word",
          "write the word, a word that it is like and, if you wish, its probability in the class");
    }
    word.probability = *probability;
    word.where = lines.where();
    words.push_back(std::move(word));
  }
  return words;
}

LanguageModel add_words(const LanguageModel& model, std::span<const LmNewWord> words) {
  const lm::Model& old = base::internals(model);
  if (std::none_of(old.parts.begin(), old.parts.end(),
                   [](const lm::Part& p) { return p.component->has_classes(); }))
    throw UsageError("this model has no classes that a word could join", "train one with train_class_lm()");
  std::unordered_set<std::string_view> seen;
  for (const LmNewWord& word : words) {
    lm::check_word(model, word);
    if (!seen.insert(word.word).second)
      lm::refuse_new_word(word, fmt::format("'{}' is added twice", word.word), "leave one of them out");
  }
  std::vector<LanguageModel> parts;
  std::vector<double> weights;
  for (const lm::Part& part : old.parts) {
    parts.emplace_back(lm::make_model(part.component->has_classes() ? lm::with_words(*part.component, words)
                                                                    : part.component));
    weights.push_back(part.weight);
  }
  return parts.size() == 1 ? parts.front() : mix_models(parts, weights);
}

}  // namespace firth

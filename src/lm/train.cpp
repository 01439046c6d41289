#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/stage.hpp"
#include "firth/error.hpp"
#include "lm/emission.hpp"
#include "lm/model.hpp"
#include "lm/smoothing.hpp"
#include "lm/text_ids.hpp"
#include "text/inputs.hpp"
#include "text/sentence_reader.hpp"
#include "text/vocabulary_choice.hpp"

namespace firth {
namespace lm {
namespace {

const std::vector<std::string>& special_names() {
  static const std::vector<std::string> names = {std::string(kUnknownName), std::string(kBeginName),
                                                 std::string(kEndName)};
  return names;
}

bool is_special(std::string_view word) {
  return word == kUnknownName || word == kBeginName || word == kEndName;
}

/// Words of a model to be, and their classes in a class model.
struct Plan {
  Names words;
  std::vector<std::string> classes;  ///< names of the symbols; empty in a word model
  std::vector<Symbol> class_of;

  std::size_t symbols() const { return classes.empty() ? words.size() : classes.size(); }
};

Plan plan_words(const std::vector<std::string>& words) {
  std::vector<std::string> all = special_names();
  all.insert(all.end(), words.begin(), words.end());
  return {Names(all), {}, {}};
}

/// Numbers of the classes that have words besides the special ones, and a word that must not become one: the
/// name of a class must not look like a word of the text to readers of the class n-grams.
Plan plan_classes(const Clustering& clustering, const RunOptions& run) {
  std::vector<std::string> words = special_names();
  Plan plan;
  plan.classes = special_names();
  plan.class_of = {kUnknownSymbol, kBeginSymbol, kEndSymbol};
  std::vector<Symbol> symbol(clustering.class_count(), 0);
  bool left_out = false;
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    const std::string_view spelling = clustering.vocabulary().word(word);
    if (is_special(spelling)) {
      left_out = left_out || spelling != kUnknownName;
      continue;
    }
    Symbol& own = symbol[clustering.class_of(word)];
    if (own == 0) {
      own = static_cast<Symbol>(plan.classes.size());
      plan.classes.push_back(fmt::format("CLASS-{}", clustering.class_of(word)));
    }
    words.emplace_back(spelling);
    plan.class_of.push_back(own);
  }
  if (left_out) base::warn(run, "<s> and </s> are no words: they were left out of their classes");
  plan.words = Names(words);
  return plan;
}

/// Counts the n-grams of symbols with `counter`; how often each word was predicted is the result.
std::vector<Count> count_text(std::vector<text::InputFile> files, const Plan& plan,
                              const LmTrainOptions& options, NgramCounter& counter, const RunOptions& run) {
  std::vector<Count> predicted(plan.words.size(), 0);
  std::vector<Symbol> symbols;
  bool any = false;
  const std::string first_path = files.front().path;
  const auto add = [&](std::span<const WordId> words) {
    any = true;
    for (const WordId word : words) ++predicted[word];
    if (!options.boundaries && options.order > 1) --predicted[words.front()];  // context only
    if (plan.class_of.empty()) {
      counter.add(words);
      return;
    }
    symbols.clear();
    for (const WordId word : words) symbols.push_back(plan.class_of[word]);
    counter.add(symbols);
  };
  visit_sentences({std::move(files), options.text}, plan.words, add, run);
  if (!any) throw InputError({first_path}, "the text has no words", "give text to learn from");
  return predicted;
}

std::shared_ptr<const Model> build(std::vector<text::InputFile> files, Plan plan,
                                   const LmTrainOptions& options, const RunOptions& run) {
  NgramCounter counter({options.order, plan.symbols(), options.boundaries}, run);
  const std::vector<Count> predicted = count_text(std::move(files), plan, options, counter, run);
  const base::Stage stage(run, "estimating");
  auto component = std::make_shared<Component>();
  component->words = plan.words;
  component->boundaries = options.boundaries;
  component->preprocessing = preprocessing_of(options.text);
  component->trie =
      estimate(counter.finish(lower_counts(options.smoothing)), {options.smoothing, options.boundaries}, run);
  if (!plan.class_of.empty()) {
    component->classes = Names(plan.classes);
    auto emissions = std::make_shared<EmissionStorage>();
    emissions->class_of = std::move(plan.class_of);
    emissions->probability =
        estimate_emissions(emissions->class_of, predicted, plan.classes.size(), options.emission);
    component->class_of = emissions->class_of;
    component->emission = emissions->probability;
    component->owner = std::move(emissions);
  }
  return make_model(std::move(component));
}

/// The words that the options let pass, most frequent first.
std::vector<std::string> choose_words(const std::vector<text::InputFile>& files,
                                      const VocabularyOptions& options, const TextOptions& text,
                                      const RunOptions& run) {
  if (options.rare != RarePolicy::unk) {
    throw UsageError("a language model needs every place of the text",
                     "make rare words <unk> (VocabularyOptions::rare)", "VocabularyOptions::rare");
  }
  validate(options);
  text::SentenceReader reader(files, text, run);
  const std::vector<text::CountedWord> words = text::count_words(reader);
  std::vector<text::CountedWord> ranked;
  for (const std::uint32_t place : text::frequency_order(words)) {
    if (!is_special(words[place].word)) ranked.push_back(words[place]);
  }
  const std::vector<bool> chosen = text::choose_words(ranked, options, run);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (chosen[i]) result.emplace_back(ranked[i].word);
  }
  return result;
}

}  // namespace
}  // namespace lm

void validate(const LmTrainOptions& options) {
  if (options.order < 1 || options.order > lm::kMaxOrder) {
    throw UsageError(fmt::format("order {} is not possible", options.order),
                     fmt::format("use 1 to {}", lm::kMaxOrder), "LmTrainOptions::order");
  }
  if (!options.boundaries && options.order > 2) {
    throw UsageError("a model without sentence boundaries has order 1 or 2", "lower LmTrainOptions::order",
                     "LmTrainOptions::order");
  }
}

LanguageModel train_class_lm(const Inputs& inputs, const Clustering& classes, const LmTrainOptions& options,
                             const RunOptions& run) {
  validate(options);
  lm::Plan plan = lm::plan_classes(classes, run);
  return LanguageModel(lm::build(text::expand_inputs(inputs, run.stop), std::move(plan), options, run));
}

LanguageModel train_word_lm(const Inputs& inputs, const VocabularyOptions& vocabulary,
                            const LmTrainOptions& options, const RunOptions& run) {
  validate(options);
  std::vector<text::InputFile> files = text::expand_inputs(inputs, run.stop);
  text::spool_unseekable(files, run.temp_folder);
  const std::vector<std::string> words = lm::choose_words(files, vocabulary, options.text, run);
  return LanguageModel(lm::build(std::move(files), lm::plan_words(words), options, run));
}

LanguageModel train_word_lm(const Inputs& inputs, const Vocabulary& vocabulary, const LmTrainOptions& options,
                            const RunOptions& run) {
  validate(options);
  std::vector<std::string> words;
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    if (!lm::is_special(vocabulary.word(word))) words.emplace_back(vocabulary.word(word));
  }
  return LanguageModel(lm::build(text::expand_inputs(inputs, run.stop), lm::plan_words(words), options, run));
}

}  // namespace firth

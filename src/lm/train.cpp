#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/internals.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "lm/count_file.hpp"
#include "lm/emission.hpp"
#include "lm/model.hpp"
#include "lm/smoothing.hpp"
#include "lm/special_words.hpp"
#include "lm/text_ids.hpp"
#include "text/inputs.hpp"
#include "text/sentence_reader.hpp"
#include "text/vocabulary_choice.hpp"

namespace firth {
namespace lm {
namespace {

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
  if (left_out) base::warn(run, "<s> and </s> are not words: they were left out of their classes");
  plan.words = Names(words);
  return plan;
}

/// Counts the n-grams of symbols with `counter`; how often each word was predicted is the result.
std::vector<Count> count_plan(std::vector<text::InputFile> files, const Plan& plan,
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

/// The same from n-grams that were counted before: a text position is an n-gram of the files, whose last `order`
/// symbols are the n-gram of the model.
std::vector<Count> add_counts(const CountFiles& counts, const Plan& plan, int order, NgramCounter& counter,
                              const RunOptions& run) {
  const base::Stage stage(run, "reading n-grams");
  std::vector<Count> predicted(plan.words.size(), 0);
  std::vector<Symbol> symbols;
  for (const CountFile& file : counts.files) {
    const std::vector<WordId> word_of = words_of(file, plan.words);
    for_each_ngram(
        file,
        [&](std::span<const Symbol> ngram, Count count) {
          if (ngram.back() != kEndSymbol) predicted[word_of[ngram.back()]] += count;
          symbols.clear();
          for (const Symbol symbol : ngram.last(static_cast<std::size_t>(order))) {
            const WordId word = word_of[symbol];
            symbols.push_back(plan.class_of.empty() ? word : plan.class_of[word]);
          }
          counter.add(symbols, count);
        },
        run);
  }
  return predicted;
}

/// `count(plan, counter)` counts n-grams, and gives how often each word was predicted.
template <class CountNgrams>
std::shared_ptr<const Model> build(Plan plan, const LmTrainOptions& options,
                                   const std::optional<Preprocessing>& preprocessing,
                                   const CountNgrams& count, const RunOptions& run) {
  NgramCounter counter({options.order, plan.symbols(), options.boundaries}, run);
  const std::vector<Count> predicted = count(plan, counter);
  const base::Stage stage(run, "estimating");
  auto component = std::make_shared<Component>();
  component->words = plan.words;
  component->boundaries = options.boundaries;
  component->preprocessing = preprocessing;
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

LanguageModel train_on_text(std::vector<text::InputFile> files, Plan plan, const LmTrainOptions& options,
                            const RunOptions& run) {
  const auto count = [&](const Plan& of, NgramCounter& counter) {
    return count_plan(std::move(files), of, options, counter, run);
  };
  return LanguageModel(build(std::move(plan), options, preprocessing_of(options.text), count, run));
}

/// The options with what the counts say.
LmTrainOptions options_for(const CountFiles& counts, LmTrainOptions options) {
  const LmCountsInfo& info = counts.total;
  options.boundaries = info.boundaries;
  validate(options);
  if (options.order > info.order || (!info.boundaries && options.order != info.order)) {
    throw UsageError(fmt::format("a model of order {} cannot be made of n-grams of order {}{}", options.order,
                                 info.order, info.boundaries ? "" : " without boundaries"),
                     info.boundaries ? "lower LmTrainOptions::order, or count longer n-grams"
                                     : "LmTrainOptions::order must be that of the counts",
                     "LmTrainOptions::order");
  }
  if (info.tokens == 0)
    throw InputError({counts.files.front().path}, "the counts have no words", "give text to learn from");
  return options;
}

LanguageModel train_on_counts(const LmCounts& counts, Plan plan, const LmTrainOptions& given,
                              const RunOptions& run) {
  const CountFiles& files = base::internals(counts);
  const LmTrainOptions options = options_for(files, given);
  const auto count = [&](const Plan& of, NgramCounter& counter) {
    return add_counts(files, of, options.order, counter, run);
  };
  return LanguageModel(build(std::move(plan), options, files.total.preprocessing, count, run));
}

void check_vocabulary(const VocabularyOptions& options) {
  if (options.rare != RarePolicy::unk) {
    throw UsageError("a language model needs every place of the text",
                     "make rare words <unk> (VocabularyOptions::rare)", "VocabularyOptions::rare");
  }
  validate(options);
}

/// The words that the options let pass, most frequent first.
std::vector<std::string> choose_words(const std::vector<text::CountedWord>& ranked,
                                      const VocabularyOptions& options, const RunOptions& run) {
  const std::vector<bool> chosen = text::choose_words(ranked, options, run);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (chosen[i]) result.emplace_back(ranked[i].word);
  }
  return result;
}

std::vector<std::string> choose_words(const std::vector<text::InputFile>& files,
                                      const VocabularyOptions& options, const TextOptions& text,
                                      const RunOptions& run) {
  text::SentenceReader reader(files, text, run);
  const std::vector<text::CountedWord> words = text::count_words(reader);
  std::vector<text::CountedWord> ranked;
  for (const std::uint32_t place : text::frequency_order(words)) {
    if (!is_special(words[place].word)) ranked.push_back(words[place]);
  }
  return choose_words(ranked, options, run);
}

Plan plan_vocabulary(const Vocabulary& vocabulary) {
  std::vector<std::string> words;
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    if (!is_special(vocabulary.word(word))) words.emplace_back(vocabulary.word(word));
  }
  return plan_words(words);
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
  return lm::train_on_text(text::expand_inputs(inputs, run.stop), std::move(plan), options, run);
}

LanguageModel train_word_lm(const Inputs& inputs, const VocabularyOptions& vocabulary,
                            const LmTrainOptions& options, const RunOptions& run) {
  validate(options);
  lm::check_vocabulary(vocabulary);
  std::vector<text::InputFile> files = text::expand_inputs(inputs, run.stop);
  text::spool_unseekable(files, run.temp_folder);
  const std::vector<std::string> words = lm::choose_words(files, vocabulary, options.text, run);
  return lm::train_on_text(std::move(files), lm::plan_words(words), options, run);
}

LanguageModel train_word_lm(const Inputs& inputs, const Vocabulary& vocabulary, const LmTrainOptions& options,
                            const RunOptions& run) {
  validate(options);
  return lm::train_on_text(text::expand_inputs(inputs, run.stop), lm::plan_vocabulary(vocabulary), options,
                           run);
}

LanguageModel train_class_lm(const LmCounts& counts, const Clustering& classes, const LmTrainOptions& options,
                             const RunOptions& run) {
  return lm::train_on_counts(counts, lm::plan_classes(classes, run), options, run);
}

LanguageModel train_word_lm(const LmCounts& counts, const VocabularyOptions& vocabulary,
                            const LmTrainOptions& options, const RunOptions& run) {
  lm::check_vocabulary(vocabulary);
  const std::vector<std::string> words =
      lm::choose_words(base::internals(counts).ranked_words(), vocabulary, run);
  return lm::train_on_counts(counts, lm::plan_words(words), options, run);
}

LanguageModel train_word_lm(const LmCounts& counts, const Vocabulary& vocabulary,
                            const LmTrainOptions& options, const RunOptions& run) {
  return lm::train_on_counts(counts, lm::plan_vocabulary(vocabulary), options, run);
}

}  // namespace firth

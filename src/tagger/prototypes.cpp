#include "firth/prototypes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cluster/assign/spelling_classifier.hpp"
#include "firth/error.hpp"
#include "text/inputs.hpp"
#include "text/sentence_reader.hpp"

namespace firth {
namespace tagger {
namespace {

constexpr std::uint32_t kMaxContexts = 100;
constexpr std::uint32_t kMaxWidth = 100;
constexpr ClassId kNotLookedUp = static_cast<ClassId>(-2);

/// Sentences with the class of every word.
class ClassifiedText {
 public:
  ClassifiedText(const Clustering& classes, std::vector<text::InputFile> files, const TextOptions& options,
                 const RunOptions& run)
      : classes_(classes), index_(classes.vocabulary()), reader_(std::move(files), options, run) {}

  /// The next sentence; words without a class have kNoClass.
  bool next() {
    std::span<const WordId> read;
    if (!reader_.next(read)) return false;
    words.clear();
    ids.clear();
    for (const WordId word : read) {
      if (word >= known_.size()) known_.resize(reader_.word_count(), kNotLookedUp);
      if (known_[word] == kNotLookedUp) known_[word] = look_up(reader_.word(word));
      ids.push_back(known_[word]);
      words.push_back(reader_.word(word));
    }
    return true;
  }

  std::vector<std::string_view> words;
  std::vector<ClassId> ids;

  /// Words without a class get that which fits their spelling.
  void guess_by_spelling() { spelling_.emplace(classes_); }

 private:
  ClassId look_up(std::string_view word) const {
    if (const auto known = index_.find(word)) return classes_.class_of(*known);
    return spelling_ ? spelling_->guess(word).class_id : kNoClass;
  }

  const Clustering& classes_;
  WordIndex index_;
  text::SentenceReader reader_;
  std::optional<clusters::SpellingClassifier> spelling_;
  std::vector<ClassId> known_;
};

std::string context(std::span<const std::string_view> words, std::size_t place, std::size_t width) {
  const std::size_t begin = place > width ? place - width : 0;
  const std::size_t end = std::min(words.size(), place + width + 1);
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) text += ' ';
    text += i == place ? fmt::format("[{}]", words[i]) : std::string(words[i]);
  }
  return text;
}

/// Tokens of every word of the clustering in the text.
std::vector<Count> count_tokens(const Clustering& classes, text::SentenceReader& reader) {
  std::vector<Count> tokens(classes.word_count(), 0);
  const WordIndex index(classes.vocabulary());
  for (const auto& [word, count] : text::count_words(reader)) {
    if (const auto known = index.find(word)) tokens[*known] += count;
  }
  return tokens;
}

std::vector<Prototype> choose_words(const Clustering& classes, std::span<const Count> tokens) {
  std::vector<Prototype> found;
  const auto members = classes.members();
  for (ClassId id = 0; id < classes.class_count(); ++id) {
    Prototype one{.class_id = id};
    Count highest = 0;
    for (const WordId word : members[id]) {
      one.tokens += tokens[word];
      if (tokens[word] <= highest) continue;
      highest = tokens[word];
      one.word = classes.vocabulary().word(word);
    }
    if (one.tokens > 0) found.push_back(std::move(one));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Prototype& a, const Prototype& b) { return a.tokens > b.tokens; });
  return found;
}

/// Takes `wanted` of the `total` places of a word, spread over the text.
class PlaceChooser {
 public:
  PlaceChooser(Count total, Count wanted) : total_(total), wanted_(wanted) {}

  /// For each place in order: whether to show it.
  bool take() {
    const Count before = seen_ * wanted_ / total_;
    return ++seen_ * wanted_ / total_ > before;
  }

 private:
  Count total_;
  Count wanted_;
  Count seen_ = 0;
};

void add_contexts(ClassifiedText& text, const PrototypeOptions& options,
                  std::span<const Count> tokens_of_word, std::vector<Prototype>& prototypes) {
  std::map<ClassId, std::pair<Prototype*, PlaceChooser>> by_class;
  for (std::size_t i = 0; i < prototypes.size(); ++i) {
    const Count wanted = std::min<Count>(options.contexts, tokens_of_word[i]);
    by_class.try_emplace(prototypes[i].class_id, &prototypes[i], PlaceChooser(tokens_of_word[i], wanted));
  }
  while (text.next()) {
    for (std::size_t i = 0; i < text.words.size(); ++i) {
      const auto place = by_class.find(text.ids[i]);
      if (place == by_class.end()) continue;
      auto& [prototype, chooser] = place->second;
      if (text.words[i] != prototype->word || !chooser.take()) continue;
      prototype->contexts.push_back(context(text.words, i, options.width));
    }
  }
}

/// What is wrong with a prototype is said of its line, if it has one.
[[noreturn]] void refuse_prototype(const Prototype& one, std::string_view problem, std::string_view hint) {
  if (one.where.path.empty()) throw UsageError(problem, hint);
  throw InputError(one.where, problem, hint);
}

/// The tag of each class; empty where nobody gave one.
std::vector<std::string> tags_of_classes(const Clustering& classes, std::span<const Prototype> prototypes) {
  std::vector<std::string> tags(classes.class_count());
  std::vector<std::string_view> words(classes.class_count());
  const WordIndex index(classes.vocabulary());
  bool any = false;
  for (const Prototype& prototype : prototypes) {
    if (prototype.tag.empty()) continue;
    const auto word = index.find(prototype.word);
    if (!word) {
      refuse_prototype(prototype, fmt::format("the prototype '{}' is in no class", prototype.word),
                       "use the classes that the list was made for");
    }
    const ClassId id = classes.class_of(*word);
    if (!tags[id].empty() && tags[id] != prototype.tag) {
      refuse_prototype(prototype,
                       fmt::format("'{}' is tagged {}, '{}' of the same class {}", words[id], tags[id],
                                   prototype.word, prototype.tag),
                       "keep one of them, or use more classes");
    }
    tags[id] = prototype.tag;
    words[id] = prototype.word;
    any = true;
  }
  if (!any) throw UsageError("no prototype has a tag", "write one beside each word, in place of the ?");
  return tags;
}

}  // namespace
}  // namespace tagger

void validate(const PrototypeOptions& options) {
  if (options.contexts > tagger::kMaxContexts || options.width > tagger::kMaxWidth) {
    throw UsageError(fmt::format("{} places of {} words", options.contexts, options.width),
                     fmt::format("up to {} places with {} words on each side are possible",
                                 tagger::kMaxContexts, tagger::kMaxWidth));
  }
}

std::vector<Prototype> choose_prototypes(const Clustering& classes, const Inputs& text,
                                         const PrototypeOptions& options, const RunOptions& run) {
  validate(options);
  std::vector<text::InputFile> files = text::expand_inputs(text, run.stop);
  text::spool_unseekable(files, run.temp_folder);
  text::SentenceReader reader(files, options.text, run);
  const std::vector<Count> tokens = tagger::count_tokens(classes, reader);
  std::vector<Prototype> prototypes = tagger::choose_words(classes, tokens);
  if (prototypes.empty()) {
    throw InputError({text.first_name()}, "no word of the classes is in the text",
                     "give the text that was clustered, read in the same way");
  }
  if (options.contexts == 0) return prototypes;
  const WordIndex index(classes.vocabulary());
  std::vector<Count> tokens_of_word;
  tokens_of_word.reserve(prototypes.size());
  for (const Prototype& one : prototypes) tokens_of_word.push_back(tokens[*index.find(one.word)]);
  tagger::ClassifiedText sentences(classes, files, options.text, run);
  tagger::add_contexts(sentences, options, tokens_of_word, prototypes);
  return prototypes;
}

PrototypeTagger::PrototypeTagger(Clustering classes, std::span<const Prototype> prototypes)
    : classes_(std::move(classes)), tags_(tagger::tags_of_classes(classes_, prototypes)) {}

void PrototypeTagger::tag(const Inputs& text, const TextOptions& options, const TagSink& sink,
                          const RunOptions& run) const {
  tagger::ClassifiedText sentences(classes_, text::expand_inputs(text, run.stop), options, run);
  sentences.guess_by_spelling();
  std::vector<std::string_view> found;
  while (sentences.next()) {
    if (sentences.words.empty()) continue;
    found.clear();
    for (const ClassId id : sentences.ids) found.push_back(tags_[id]);
    sink(sentences.words, found);
  }
}

}  // namespace firth

#include "lm/text_ids.hpp"

#include <fmt/format.h>

#include "base/internals.hpp"
#include "base/stage.hpp"
#include "lm/model.hpp"

namespace firth::lm {

IdReader::IdReader(SentenceSource source, const Names& names, const RunOptions& run)
    : blank_lines_(source.blank_lines),
      names_(names),
      run_(run),
      reader_(std::move(source.files), source.text, run) {}

bool IdReader::next(std::vector<WordId>& words) {
  for (std::span<const WordId> sentence; reader_.next(sentence);) {
    if (sentence.empty() && !blank_lines_) continue;
    while (known_.size() < reader_.word_count())
      known_.push_back(word_for(reader_.word(static_cast<WordId>(known_.size()))));
    words.clear();
    for (const WordId word : sentence) words.push_back(known_[word]);
    return true;
  }
  return false;
}

WordId IdReader::word_for(std::string_view spelling) {
  const WordId found = names_.find(spelling).value_or(LanguageModel::kUnknown);
  if (found != LanguageModel::kBegin && found != LanguageModel::kEnd) return found;
  if (!warned_) {
    base::warn(run_,
               fmt::format("the text has the word {}, which is read as an unknown word: every line begins "
                           "with <s> and ends with </s> by itself; take them out of the text",
                           spelling));
  }
  warned_ = true;
  return LanguageModel::kUnknown;
}

void visit_sentences(SentenceSource source, const Names& names, const SentenceVisitor& visit,
                     const RunOptions& run) {
  IdReader reader(std::move(source), names, run);
  for (std::vector<WordId> words; reader.next(words);) visit(words);
}

void for_each_sentence(const Inputs& inputs, const TextOptions& text, const LanguageModel& model,
                       const SentenceVisitor& visit, const RunOptions& run) {
  visit_sentences({text::expand_inputs(inputs, run.stop), text}, base::internals(model).words, visit, run);
}

}  // namespace firth::lm

#include "lm/text_ids.hpp"

#include "base/internals.hpp"
#include "lm/model.hpp"

namespace firth::lm {

IdReader::IdReader(SentenceSource source, const Names& names, const RunOptions& run)
    : blank_lines_(source.blank_lines), names_(names), reader_(std::move(source.files), source.text, run) {}

bool IdReader::next(std::vector<WordId>& words) {
  for (std::span<const WordId> sentence; reader_.next(sentence);) {
    if (sentence.empty() && !blank_lines_) continue;
    while (known_.size() < reader_.word_count()) {
      const WordId found = names_.find(reader_.word(static_cast<WordId>(known_.size()))).value_or(0);
      known_.push_back(found <= LanguageModel::kEnd ? LanguageModel::kUnknown : found);
    }
    words.clear();
    for (const WordId word : sentence) words.push_back(known_[word]);
    return true;
  }
  return false;
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

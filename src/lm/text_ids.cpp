#include "lm/text_ids.hpp"

#include "base/internals.hpp"
#include "lm/model.hpp"
#include "text/sentence_reader.hpp"

namespace firth::lm {

void visit_sentences(std::vector<text::InputFile> files, const TextOptions& text, const Names& names,
                     const RunOptions& run, const SentenceVisitor& visit, bool blank_lines) {
  text::SentenceReader reader(std::move(files), text, run);
  std::vector<WordId> known;  // word of the model for each word of the reader, found once
  std::vector<WordId> words;
  for (std::span<const WordId> sentence; reader.next(sentence);) {
    if (sentence.empty() && !blank_lines) continue;
    while (known.size() < reader.word_count()) {
      const WordId found = names.find(reader.word(static_cast<WordId>(known.size()))).value_or(0);
      known.push_back(found <= LanguageModel::kEnd ? LanguageModel::kUnknown : found);
    }
    words.clear();
    for (const WordId word : sentence) words.push_back(known[word]);
    visit(words);
  }
}

void for_each_sentence(const Inputs& inputs, const TextOptions& text, const LanguageModel& model,
                       const RunOptions& run, const SentenceVisitor& visit) {
  visit_sentences(text::expand_inputs(inputs, run.stop), text, base::internals(model).words, run, visit);
}

}  // namespace firth::lm

#include "hmm/text.hpp"

#include "firth/error.hpp"
#include "text/sentence_reader.hpp"
#include "text/vocabulary_choice.hpp"

namespace firth::hmm {
namespace {

// Words by the reader's numbers get their ranks in a vocabulary of those that the options let pass.
std::vector<WordId> rank_words(const std::vector<text::CountedWord>& words, const VocabularyOptions& options,
                               const RunOptions& run, Vocabulary& vocabulary) {
  std::vector<text::CountedWord> ranked;
  for (const std::uint32_t place : text::frequency_order(words)) ranked.push_back(words[place]);
  const std::vector<bool> chosen = text::choose_words(ranked, options, run);
  std::vector<std::pair<std::string, Count>> kept;
  Count unknown = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (chosen[i] && ranked[i].word != kUnknownWord) {
      kept.emplace_back(ranked[i].word, ranked[i].count);
    } else {
      unknown += ranked[i].count;
    }
  }
  if (unknown > 0) kept.emplace_back(kUnknownWord, unknown);
  vocabulary = Vocabulary::from_words(std::move(kept));
  const WordIndex index(vocabulary);
  std::vector<WordId> ranks;
  for (const text::CountedWord& word : words) {
    const auto found = index.find(word.word);
    ranks.push_back(found ? *found : *index.find(kUnknownWord));
  }
  return ranks;
}

}  // namespace

Text read_text(const Inputs& inputs, const HmmOptions& options, const RunOptions& run) {
  text::SentenceReader reader(text::expand_inputs(inputs, run.stop), options.text, run);
  Text text;
  std::vector<Count> counts;
  for (std::span<const WordId> sentence; reader.next(sentence);) {
    if (sentence.empty()) continue;
    counts.resize(reader.word_count());
    for (const WordId word : sentence) ++counts[word];
    text.words.insert(text.words.end(), sentence.begin(), sentence.end());
    text.ends.push_back(text.words.size());
  }
  if (text.words.empty())
    throw InputError({inputs.first_name()}, "no words", "give a text with at least one word");
  std::vector<text::CountedWord> words;
  for (WordId word = 0; word < counts.size(); ++word) words.push_back({reader.word(word), counts[word]});
  const std::vector<WordId> ranks = rank_words(words, options.vocabulary, run, text.vocabulary);
  for (WordId& word : text.words) word = ranks[word];
  return text;
}

}  // namespace firth::hmm

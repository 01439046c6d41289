#include "counts/count/rank_words.hpp"

#include <memory>
#include <string>

#include "counts/pairs/pair_source.hpp"
#include "counts/vocabulary_storage.hpp"
#include "text/vocabulary_choice.hpp"

namespace firth::counts {
std::vector<bool> choose_words(const Vocabulary& vocabulary, const VocabularyOptions& options,
                               const RunOptions& run) {
  std::vector<CountedWord> words;
  words.reserve(vocabulary.size());
  for (WordId id = 0; id < vocabulary.size(); ++id)
    words.push_back({vocabulary.word(id), vocabulary.count(id)});
  return text::choose_words(words, options, run);
}

RankedWords rank_words(std::span<const CountedWord> words) {
  std::vector<std::uint32_t> order = text::frequency_order(words);
  while (!order.empty() && words[order.back()].count == 0) order.pop_back();
  std::size_t bytes = 0;
  for (const std::uint32_t place : order) bytes += words[place].word.size();
  const auto storage = std::make_shared<VocabularyStorage>();
  storage->words.reserve(order.size(), bytes);
  storage->counts.reserve(order.size());
  RankedWords ranked;
  ranked.ranks.assign(words.size(), kNoWord);
  for (const std::uint32_t place : order) {
    ranked.ranks[place] = static_cast<WordId>(storage->counts.size());
    storage->add(words[place].word, words[place].count);
  }
  ranked.vocabulary = make_vocabulary(storage);
  return ranked;
}

}  // namespace firth::counts

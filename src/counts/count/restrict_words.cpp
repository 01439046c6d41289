#include "counts/count/restrict_words.hpp"

#include "counts/count/rank_words.hpp"

namespace firth::counts {

RestrictedWords restrict_words(const Vocabulary& old, const VocabularyOptions& options,
                               const RunOptions& run) {
  const std::vector<bool> selected = choose_words(old, options, run);
  std::vector<CountedWord> words;
  std::vector<WordId> place(old.size(), kNoWord);
  Count unknown = 0;
  for (WordId id = 0; id < old.size(); ++id) {
    const bool is_unknown =
        options.rare == RarePolicy::unk && (!selected[id] || old.word(id) == kUnknownWord);
    if (is_unknown) {
      unknown += old.count(id);
    } else if (selected[id]) {
      place[id] = static_cast<WordId>(words.size());
      words.push_back({old.word(id), old.count(id)});
    }
  }
  words.push_back({kUnknownWord, unknown});
  const RankedWords ranked = rank_words(words);
  const WordId none = unknown > 0 ? ranked.ranks.back() : kNoWord;
  RestrictedWords result{ranked.vocabulary, std::vector<WordId>(old.size()), none};
  for (WordId id = 0; id < old.size(); ++id) {
    const bool own = place[id] != kNoWord;
    result.new_ids[id] = own ? ranked.ranks[place[id]] : none;
  }
  return result;
}

}  // namespace firth::counts

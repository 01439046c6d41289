#include <algorithm>
#include <utility>

#include "counts/count/rank_words.hpp"
#include "counts/pairs/build_pairs.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

// New ids of old words: their own, that of <unk>, or none.
struct NewWords {
  Vocabulary vocabulary;
  std::vector<WordId> new_ids;
};

NewWords number_words(const Vocabulary& old, const VocabularyOptions& options, const RunOptions& run) {
  const std::vector<bool> selected = counts::choose_words(old, options, run);
  std::vector<counts::CountedWord> words;
  std::vector<WordId> place(old.size(), counts::kNoWord);
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
  const counts::RankedWords ranked = counts::rank_words(words);
  NewWords result{ranked.vocabulary, std::vector<WordId>(old.size())};
  for (WordId id = 0; id < old.size(); ++id) {
    const bool own = place[id] != counts::kNoWord;
    const WordId none = options.rare == RarePolicy::unk ? ranked.ranks.back() : counts::kNoWord;
    result.new_ids[id] = own ? ranked.ranks[place[id]] : none;
  }
  return result;
}

PairCounts with_new_ids(const PairCounts& pairs, const NewWords& words, const RunOptions& run) {
  if (pairs.rows() == 0) return {};
  std::vector<std::unique_ptr<counts::PairSource>> sources;
  counts::append_mapped_sources(pairs, words.new_ids, sources);
  return counts::build_pairs(words.vocabulary.size(), sources, {run.memory_bytes / 2, run.temp_folder}, run);
}

}  // namespace

Counts restrict_vocabulary(const Counts& counts, const VocabularyOptions& options, const RunOptions& run) {
  validate(options);
  if (!options.restricts()) return counts;
  if (options.rare == RarePolicy::drop) {
    throw UsageError(
        "dropping words (VocabularyOptions::rare) needs the text: counts do not know the neighbours' neighbours",
        "drop them when the text is counted, or choose another VocabularyOptions::rare",
        "VocabularyOptions::rare");
  }
  const NewWords words = number_words(counts.vocabulary(), options, run);
  std::vector<PairCounts> pairs;
  for (const int distance : counts.distances())
    pairs.push_back(with_new_ids(counts.pairs_at(distance), words, run));
  CountsInfo info = counts.info();
  info.restricted = true;
  const Counts fewer(words.vocabulary, counts.distances(), std::move(pairs), std::move(info));
  return fewer.with_held_out(with_new_ids(counts.held_out(), words, run));
}

}  // namespace firth

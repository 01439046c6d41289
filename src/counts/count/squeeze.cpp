#include "counts/count/squeeze.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "counts/count/rank_words.hpp"
#include "counts/pairs/build_pairs.hpp"
#include "firth/error.hpp"

namespace firth::counts {
namespace {

/// N(a,a) of every word.
std::vector<Count> repetitions(const PairCounts& bigrams) {
  std::vector<Count> result(bigrams.rows(), 0);
  for (WordId word = 0; word < bigrams.rows(); ++word) {
    const auto rights = bigrams.right_words(word);
    const auto place = std::lower_bound(rights.begin(), rights.end(), word);
    if (place == rights.end() || *place != word) continue;
    result[word] = bigrams.right_counts(word)[static_cast<std::size_t>(place - rights.begin())];
  }
  return result;
}

/// The bigrams without those of a word with itself.
PairCounts without_diagonal(const PairCounts& bigrams) {
  struct Storage {
    std::vector<std::uint64_t> offsets = {0};
    std::vector<WordId> rights;
    std::vector<Count> counts;
  };
  const auto storage = std::make_shared<Storage>();
  for (WordId word = 0; word < bigrams.rows(); ++word) {
    const auto rights = bigrams.right_words(word);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      if (rights[i] == word) continue;
      storage->rights.push_back(rights[i]);
      storage->counts.push_back(bigrams.right_counts(word)[i]);
    }
    storage->offsets.push_back(storage->rights.size());
  }
  return PairCounts(storage->offsets, storage->rights, storage->counts, storage);
}

PairCounts squeezed_pairs(const PairCounts& bigrams, const RankedWords& ranked, const RunOptions& run) {
  if (bigrams.rows() == 0) return {};
  const PairCounts others = without_diagonal(bigrams);
  std::vector<std::unique_ptr<PairSource>> sources;
  append_mapped_sources(others, ranked.ranks, sources);
  return build_pairs(ranked.vocabulary.size(), sources, {run.memory_bytes / 2, run.temp_folder}, run);
}

}  // namespace

void check_squeeze(const CountOptions& options) {
  if (options.distances != std::vector<int>{1}) {
    throw UsageError("texts are squeezed for neighbours at distance 1 only", "count distance 1",
                     "TextOptions::squeeze");
  }
  if (options.vocabulary.rare == RarePolicy::drop && options.vocabulary.restricts()) {
    throw UsageError("a text cannot be squeezed while words are dropped",
                     "choose another VocabularyOptions::rare", "TextOptions::squeeze");
  }
  if (options.text.format == InputFormat::counts) {
    throw UsageError("a count table cannot be squeezed", "leave it out, or give the text",
                     "TextOptions::squeeze");
  }
}

Counts squeezed(const Counts& counts, const RunOptions& run) {
  const Vocabulary& old = counts.vocabulary();
  const std::vector<Count> repeated = repetitions(counts.bigrams());
  std::vector<CountedWord> words;
  CountsInfo info = counts.info();
  for (WordId word = 0; word < old.size(); ++word) {
    words.push_back({old.word(word), old.count(word) - repeated[word]});
    info.tokens -= repeated[word];
  }
  const RankedWords ranked = rank_words(words);
  const Counts shorter(ranked.vocabulary, squeezed_pairs(counts.bigrams(), ranked, run), std::move(info));
  return shorter.with_held_out(squeezed_pairs(counts.held_out(), ranked, run));
}

}  // namespace firth::counts

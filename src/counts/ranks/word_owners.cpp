#include "counts/ranks/word_owners.hpp"

#include <xxhash.h>

#include <bit>
#include <limits>
#include <string_view>

#include "base/rank_error.hpp"
#include "counts/count/rank_words.hpp"
#include "counts/pairs/pair_source.hpp"
#include "counts/ranks/word_message.hpp"
#include "counts/ranks/word_sort.hpp"
#include "firth/error.hpp"

namespace firth::counts {
namespace {

std::uint64_t hash_of(std::string_view word) {
  return XXH3_64bits(word.data(), word.size());
}

/// By the upper half of the hash: the lower half says where a word is in a table.
unsigned owner_of(std::string_view word, unsigned ranks) {
  return static_cast<unsigned>(((hash_of(word) >> 32) * ranks) >> 32);
}

/// Different words with the sums of their counts, by place. Places are found through an open hash table: a map of the standard
/// library takes several times as long.
class WordSums {
 public:
  explicit WordSums(std::size_t max_words) : slots_(std::bit_ceil(2 * max_words + 1), kNoWord) {}

  WordId add(const CountedWord& word) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_of(word.word) & mask;
    while (slots_[slot] != kNoWord && words_[slots_[slot]].word != word.word) slot = (slot + 1) & mask;
    if (slots_[slot] == kNoWord) {
      slots_[slot] = static_cast<WordId>(words_.size());
      words_.push_back({word.word, 0});
    }
    Count& count = words_[slots_[slot]].count;
    if (count > std::numeric_limits<Count>::max() - word.count) {
      throw InputError({}, "the counts add up to more than 2^64 - 1", "divide all counts by a common factor");
    }
    count += word.count;
    return slots_[slot];
  }
  const std::vector<CountedWord>& words() const { return words_; }

 private:
  std::vector<WordId> slots_;
  std::vector<CountedWord> words_;
};

/// The words that belong to this rank, and the places among them of what each rank has sent.
struct OwnedWords {
  std::vector<CountedWord> words;
  std::vector<std::vector<WordId>> places;
};

OwnedWords add_up(const base::RankMessages& received) {
  std::vector<std::vector<CountedWord>> sent;
  std::size_t all = 0;
  for (const auto& message : received) all += sent.emplace_back(read_words(message)).size();
  WordSums sums(all);
  OwnedWords owned;
  for (const std::vector<CountedWord>& words : sent) {
    std::vector<WordId>& places = owned.places.emplace_back();
    places.reserve(words.size());
    for (const CountedWord& word : words) places.push_back(sums.add(word));
  }
  owned.words = sums.words();
  return owned;
}

}  // namespace

GlobalWords join_words(std::span<const CountedWord> own, const base::Ranks& ranks) {
  std::vector<base::MessageWriter> requests(ranks.size());
  std::vector<unsigned> owners;
  owners.reserve(own.size());
  for (const CountedWord& word : own) {
    owners.push_back(owner_of(word.word, ranks.size()));
    if (word.count > 0) write_word(word, requests[owners.back()]);
  }
  const base::RankMessages received = ranks.world().exchange(take_all(requests));
  OwnedWords owned;
  base::together(ranks, [&] { owned = add_up(received); });
  const SortedWords sorted = sort_words(owned.words, ranks);
  base::RankMessages answers;
  for (std::vector<WordId>& places : owned.places) {
    for (WordId& place : places) place = sorted.numbers[place];
    const auto bytes = std::as_bytes(std::span(places));
    answers.emplace_back(bytes.begin(), bytes.end());
  }
  const base::RankMessages answered = ranks.world().exchange(answers);
  std::vector<base::MessageReader> readers;
  for (const auto& message : answered) readers.emplace_back(message);
  GlobalWords result{sorted.vocabulary, sorted.size, {}};
  result.new_ids.reserve(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    result.new_ids.push_back(own[i].count > 0 ? readers[owners[i]].get<WordId>() : kNoWord);
  }
  return result;
}

}  // namespace firth::counts

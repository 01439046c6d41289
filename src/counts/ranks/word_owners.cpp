#include "counts/ranks/word_owners.hpp"

#include <xxhash.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/message.hpp"
#include "base/rank_error.hpp"
#include "counts/count/rank_words.hpp"
#include "firth/error.hpp"

namespace firth::counts {
namespace {

using Messages = std::vector<std::vector<std::byte>>;

unsigned owner_of(std::string_view word, unsigned ranks) {
  return static_cast<unsigned>(XXH3_64bits(word.data(), word.size()) % ranks);
}

/// Words with their counts, in a message.
class WordReader {
 public:
  explicit WordReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool done() const { return bytes_.empty(); }
  CountedWord next() {
    CountedWord word;
    word.count = take<Count>();
    const auto size = take<std::uint32_t>();
    word.word = {reinterpret_cast<const char*>(bytes_.data()), size};
    bytes_ = bytes_.subspan(size);
    return word;
  }

 private:
  template <typename T>
  T take() {
    base::MessageReader reader(bytes_.first(sizeof(T)));
    bytes_ = bytes_.subspan(sizeof(T));
    return reader.get<T>();
  }

  std::span<const std::byte> bytes_;
};

void write_word(const CountedWord& word, std::vector<std::byte>& message) {
  const auto append = [&](std::span<const std::byte> bytes) {
    message.insert(message.end(), bytes.begin(), bytes.end());
  };
  const auto size = static_cast<std::uint32_t>(word.word.size());
  append(std::as_bytes(std::span(&word.count, 1)));
  append(std::as_bytes(std::span(&size, 1)));
  append(std::as_bytes(std::span(word.word)));
}

/// The words that belong to this rank, and the places among them of what each rank has sent.
struct OwnedWords {
  std::vector<CountedWord> words;
  std::vector<std::vector<WordId>> places;
};

OwnedWords add_up(const Messages& received) {
  OwnedWords owned;
  std::unordered_map<std::string_view, WordId> known;
  for (const auto& message : received) {
    std::vector<WordId>& places = owned.places.emplace_back();
    for (WordReader reader(message); !reader.done();) {
      const CountedWord word = reader.next();
      const auto [found, is_new] = known.try_emplace(word.word, static_cast<WordId>(owned.words.size()));
      if (is_new) owned.words.push_back({word.word, 0});
      places.push_back(found->second);
      Count& count = owned.words[found->second].count;
      if (count > std::numeric_limits<Count>::max() - word.count) {
        throw InputError({}, "the counts add up to more than 2^64 - 1",
                         "divide all counts by a common factor");
      }
      count += word.count;
    }
  }
  return owned;
}

std::vector<std::byte> bytes_of(std::span<const WordId> ids) {
  const auto bytes = std::as_bytes(ids);
  return {bytes.begin(), bytes.end()};
}

std::vector<WordId> ids_of(const std::vector<std::byte>& bytes) {
  std::vector<WordId> ids(bytes.size() / sizeof(WordId));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(ids)).begin());
  return ids;
}

/// Rank 0 sorts the words of all owners; every owner gets the numbers of its own.
std::vector<WordId> number_owned_words(const OwnedWords& owned, const base::Ranks& ranks,
                                       Vocabulary& vocabulary) {
  Messages to(ranks.size());
  for (const CountedWord& word : owned.words) write_word(word, to[0]);
  const Messages sent = ranks.world().exchange(to);
  Messages answers(ranks.size());
  if (ranks.is_root()) {
    std::vector<CountedWord> all;
    std::vector<std::size_t> begins;
    for (const auto& message : sent) {
      begins.push_back(all.size());
      for (WordReader reader(message); !reader.done();) all.push_back(reader.next());
    }
    begins.push_back(all.size());
    const RankedWords ranked = rank_words(all);
    vocabulary = ranked.vocabulary;
    for (unsigned r = 0; r < ranks.size(); ++r) {
      answers[r] = bytes_of(std::span(ranked.ranks).subspan(begins[r], begins[r + 1] - begins[r]));
    }
  }
  return ids_of(ranks.world().exchange(answers)[0]);
}

}  // namespace

GlobalWords join_words(const Vocabulary& own, const base::Ranks& ranks) {
  Messages requests(ranks.size());
  for (WordId id = 0; id < own.size(); ++id) {
    write_word({own.word(id), own.count(id)}, requests[owner_of(own.word(id), ranks.size())]);
  }
  const Messages received = ranks.world().exchange(requests);
  OwnedWords owned;
  base::together(ranks, [&] { owned = add_up(received); });
  GlobalWords result;
  std::uint64_t size = owned.words.size();
  ranks.add(std::span(&size, 1));
  result.size = size;
  const std::vector<WordId> numbers = number_owned_words(owned, ranks, result.vocabulary);
  Messages answers;
  for (std::vector<WordId>& places : owned.places) {
    for (WordId& place : places) place = numbers[place];
    answers.push_back(bytes_of(places));
  }
  std::vector<std::vector<WordId>> answered;
  for (const auto& message : ranks.world().exchange(answers)) answered.push_back(ids_of(message));
  std::vector<std::size_t> next(ranks.size(), 0);
  for (WordId id = 0; id < own.size(); ++id) {
    const unsigned owner = owner_of(own.word(id), ranks.size());
    result.new_ids.push_back(answered[owner][next[owner]++]);
  }
  return result;
}

}  // namespace firth::counts

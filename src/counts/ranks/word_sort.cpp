#include "counts/ranks/word_sort.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "base/rank_error.hpp"
#include "base/string_table.hpp"
#include "counts/count/rank_words.hpp"
#include "counts/pairs/pair_source.hpp"
#include "counts/ranks/word_message.hpp"
#include "firth/error.hpp"

namespace firth::counts {
namespace {

using Words = std::span<const CountedWord>;

/// The order of text::frequency_order.
bool comes_first(const CountedWord& a, const CountedWord& b) {
  return a.count != b.count ? a.count > b.count : a.word < b.word;
}

/// Some words of all ranks; they point into `messages`.
struct Samples {
  base::RankMessages messages;
  std::vector<CountedWord> words;
};

/// Every rank gives samples at the same distance from each other in its sorted words.
Samples collect_samples(Words own, std::span<const std::uint32_t> order, const base::Ranks& ranks) {
  constexpr std::size_t kPerRange = 16;
  const std::size_t step = own.size() / (kPerRange * ranks.size()) + 1;
  base::MessageWriter writer;
  for (std::size_t i = step / 2; i < order.size(); i += step) write_word(own[order[i]], writer);
  Samples samples{ranks.gather_messages(writer.take()), {}};
  for (const auto& message : samples.messages) {
    for (const CountedWord& word : read_words(message)) samples.words.push_back(word);
  }
  std::ranges::sort(samples.words, comes_first);
  return samples;
}

/// Sends every own word to the rank of its range, in order; places[i] is where own word i is in its message.
base::RankMessages deal(Words own, std::span<const std::uint32_t> order, const base::Ranks& ranks,
                        std::vector<unsigned>& rank_of) {
  const Samples samples = collect_samples(own, order, ranks);
  std::vector<base::MessageWriter> to(ranks.size());
  unsigned range = 0;
  rank_of.assign(own.size(), 0);
  for (const std::uint32_t place : order) {
    const auto border = [&] { return samples.words.size() * (range + 1) / ranks.size(); };
    while (range + 1 < ranks.size() && border() < samples.words.size() &&
           !comes_first(own[place], samples.words[border()])) {
      ++range;
    }
    rank_of[place] = range;
    write_word(own[place], to[range]);
  }
  return ranks.world().exchange(take_all(to));
}

/// The words of this rank's range, in order, on their way to rank 0: lengths, counts and bytes.
std::vector<std::byte> range_message(Words words, std::span<const std::uint32_t> order) {
  base::MessageWriter writer;
  writer.put_number(order.size());
  for (const std::uint32_t place : order) writer.put_number(words[place].word.size());
  for (const std::uint32_t place : order) writer.put_number(words[place].count);
  for (const std::uint32_t place : order) writer.put_bytes(std::as_bytes(std::span(words[place].word)));
  return writer.take();
}

struct JoinedRanges {
  std::vector<std::uint64_t> offsets = {0};
  std::string bytes;
  std::vector<Count> counts;
};

Vocabulary join_ranges(const base::RankMessages& ranges, std::size_t size) {
  const auto storage = std::make_shared<JoinedRanges>();
  storage->offsets.reserve(size + 1);
  storage->counts.reserve(size);
  for (const auto& message : ranges) {
    base::MessageReader reader(message);
    const std::uint64_t words = reader.get_number();
    const std::uint64_t before = storage->offsets.back();
    for (std::uint64_t i = 0; i < words; ++i) {
      storage->offsets.push_back(storage->offsets.back() + reader.get_number());
    }
    for (std::uint64_t i = 0; i < words; ++i) storage->counts.push_back(reader.get_number());
    const auto bytes = reader.get_bytes(storage->offsets.back() - before);
    storage->bytes.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return {storage->offsets, storage->bytes, storage->counts, storage};
}

/// How many words there are in the ranges before that of this rank, and in all of them.
struct RangePlace {
  std::uint64_t before = 0;
  std::uint64_t all = 0;
};

RangePlace count_before(std::uint64_t own, const base::Ranks& ranks) {
  std::vector<std::uint64_t> sizes(ranks.size());
  sizes[ranks.rank()] = own;
  ranks.gather(std::span(sizes));
  RangePlace extent;
  for (unsigned r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) extent.before = extent.all;
    extent.all += sizes[r];
  }
  if (extent.all >= kNoWord) {
    throw ResourceError("there are more than 2^32 - 2 different words", "leave rare words out of the parts");
  }
  return extent;
}

}  // namespace

SortedWords sort_words(Words own, const base::Ranks& ranks) {
  std::vector<unsigned> rank_of;
  const std::vector<std::uint32_t> own_order = text::frequency_order(own);
  const base::RankMessages received = deal(own, own_order, ranks, rank_of);
  std::vector<CountedWord> words;
  std::vector<std::size_t> begins;
  for (const auto& message : received) {
    begins.push_back(words.size());
    for (const CountedWord& word : read_words(message)) words.push_back(word);
  }
  begins.push_back(words.size());
  const std::vector<std::uint32_t> order = text::frequency_order(words);
  const RangePlace extent = count_before(words.size(), ranks);
  base::RankMessages ranges(ranks.size());
  ranges[0] = range_message(words, order);
  ranges = ranks.world().exchange(ranges);
  SortedWords sorted;
  sorted.size = extent.all;
  if (ranks.is_root()) sorted.vocabulary = join_ranges(ranges, extent.all);

  std::vector<WordId> numbers(words.size());
  for (std::size_t i = 0; i < order.size(); ++i) numbers[order[i]] = static_cast<WordId>(extent.before + i);
  base::RankMessages answers;
  for (unsigned r = 0; r < ranks.size(); ++r) {
    const auto part = std::as_bytes(std::span(numbers).subspan(begins[r], begins[r + 1] - begins[r]));
    answers.emplace_back(part.begin(), part.end());
  }
  std::vector<base::MessageReader> readers;
  const base::RankMessages answered = ranks.world().exchange(answers);
  for (const auto& message : answered) readers.emplace_back(message);
  sorted.numbers.resize(own.size());
  for (const std::uint32_t place : own_order) sorted.numbers[place] = readers[rank_of[place]].get<WordId>();
  return sorted;
}

}  // namespace firth::counts

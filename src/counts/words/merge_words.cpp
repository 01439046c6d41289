#include "counts/words/merge_words.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <span>
#include <string>
#include <utility>

#include "base/parallel.hpp"
#include "base/temp_file.hpp"
#include "counts/pairs/pair_source.hpp"
#include "firth/error.hpp"

namespace firth::counts {
namespace {

constexpr std::size_t kRangesPerThread = 4;
constexpr std::size_t kWordsPerStopCheck = 65536;

using Runs = std::vector<std::unique_ptr<WordRun>>;

/// Spellings from `from` on and before `to`; empty = no limit.
struct SpellingRange {
  std::string from;
  std::string to;
};

std::vector<SpellingRange> cut_spellings(const Runs& runs, std::size_t wanted) {
  std::vector<std::string> samples;
  for (const auto& run : runs) {
    std::vector<std::string> some = run->sample();
    samples.insert(samples.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  std::sort(samples.begin(), samples.end());
  std::vector<SpellingRange> ranges(1);
  for (std::size_t i = 1; i < wanted && !samples.empty(); ++i) {
    const std::string& cut = samples[i * samples.size() / wanted];
    if (cut.empty() || cut <= ranges.back().from) continue;
    ranges.back().to = cut;
    ranges.push_back({cut, ""});
  }
  return ranges;
}

/// Goes through all runs side by side.
class Merger {
 public:
  Merger(const Runs& runs, const SpellingRange& range) {
    for (const auto& run : runs) {
      auto cursor = run->range(range.from, range.to);
      RunWord word;
      if (cursor->next(word)) waiting_.push({word, std::move(cursor)});
    }
  }

  /// Calls visit(word, count, ids) for every word, rising.
  template <typename Visit>
  void for_each(const RunOptions& run, const Visit& visit) {
    std::string word;
    std::vector<std::uint64_t> ids;
    for (std::size_t done = 0; !waiting_.empty(); ++done) {
      if (done % kWordsPerStopCheck == 0) run.check_stop();
      word = waiting_.top().word.word;
      Count count = 0;
      ids.clear();
      while (!waiting_.empty() && waiting_.top().word.word == word) add_top(count, ids);
      visit(std::string_view(word), count, std::span<const std::uint64_t>(ids));
    }
  }

 private:
  struct Waiting {
    RunWord word;
    mutable std::unique_ptr<WordCursor> cursor;

    friend bool operator>(const Waiting& a, const Waiting& b) { return a.word.word > b.word.word; }
  };

  void add_top(Count& count, std::vector<std::uint64_t>& ids) {
    Waiting next{waiting_.top().word, std::move(waiting_.top().cursor)};
    waiting_.pop();
    if (next.word.count > std::numeric_limits<Count>::max() - count) {
      throw InputError({}, "the counts add up to more than 2^64 - 1", "divide all counts by a common factor");
    }
    count += next.word.count;
    ids.push_back(next.word.id);
    if (next.cursor->next(next.word)) waiting_.push(std::move(next));
  }

  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
};

/// How many words, and how many bytes of spelling: as numbers, or as places where they begin.
struct WordExtent {
  std::uint64_t words = 0;
  std::uint64_t bytes = 0;
};
using ByCount = std::map<Count, WordExtent, std::greater<>>;

/// The arrays of a vocabulary, one after the other in one block.
class Arrays {
 public:
  Arrays(const WordExtent& size, bool in_file, const std::string& temp_folder) : size_(size) {
    const std::uint64_t bytes = (2 * size.words + 1) * sizeof(std::uint64_t) + size.bytes;
    if (in_file) {
      block_ = base::TempFile(temp_folder).map_writable(bytes);
    } else {
      block_ = std::shared_ptr<void>(::operator new(bytes), [](void* block) { ::operator delete(block); });
    }
    offsets()[0] = 0;
  }

  std::uint64_t* offsets() const { return static_cast<std::uint64_t*>(block_.get()); }
  Count* counts() const { return offsets() + size_.words + 1; }
  char* spellings() const { return reinterpret_cast<char*>(counts() + size_.words); }

  Vocabulary vocabulary() const {
    return {{offsets(), size_.words + 1}, {spellings(), size_.bytes}, {counts(), size_.words}, block_};
  }

 private:
  WordExtent size_;
  std::shared_ptr<void> block_;
};

std::vector<ByCount> measure(const Runs& runs, const std::vector<SpellingRange>& ranges,
                             const RunOptions& run) {
  std::vector<ByCount> sizes(ranges.size());
  base::parallel_for(ranges.size(), 1, run.threads, [&](std::size_t i, std::size_t) {
    Merger(runs, ranges[i]).for_each(run, [&](std::string_view word, Count count, auto) {
      if (count == 0) return;
      WordExtent& extent = sizes[i][count];
      ++extent.words;
      extent.bytes += word.size();
    });
  });
  return sizes;
}

/// Turns sizes into beginnings: high counts first, then the ranges in their order. The result is the sum.
WordExtent begins_from_sizes(std::vector<ByCount>& sizes) {
  ByCount all;
  for (const ByCount& by_count : sizes) {
    for (const auto& entry : by_count) all[entry.first] = {};
  }
  WordExtent next;
  for (const auto& entry : all) {
    for (ByCount& by_count : sizes) {
      const auto found = by_count.find(entry.first);
      if (found == by_count.end()) continue;
      const WordExtent begin = next;
      next.words += found->second.words;
      next.bytes += found->second.bytes;
      found->second = begin;
    }
  }
  return next;
}

}  // namespace

RankedWords merge_words(const Runs& runs, std::uint64_t ids, std::uint64_t max_bytes, const RunOptions& run) {
  const std::vector<SpellingRange> ranges =
      cut_spellings(runs, kRangesPerThread * base::resolve_threads(run.threads));
  std::vector<ByCount> begins = measure(runs, ranges, run);
  const WordExtent size = begins_from_sizes(begins);
  if (size.words >= kNoWord) {
    throw ResourceError("there are more than 2^32 - 2 different words", "leave rare words out of the parts");
  }
  const bool in_file = max_bytes > 0 && 2 * size.words * sizeof(std::uint64_t) + size.bytes > max_bytes;
  const Arrays arrays(size, in_file, run.temp_folder);
  RankedWords ranked;
  ranked.ranks.assign(ids, kNoWord);
  base::parallel_for(ranges.size(), 1, run.threads, [&](std::size_t i, std::size_t) {
    Merger(runs, ranges[i]).for_each(run, [&](std::string_view word, Count count, auto word_ids) {
      if (count == 0) return;
      WordExtent& place = begins[i][count];
      for (const std::uint64_t id : word_ids) ranked.ranks[id] = static_cast<WordId>(place.words);
      std::copy(word.begin(), word.end(), arrays.spellings() + place.bytes);
      place.bytes += word.size();
      arrays.counts()[place.words] = count;
      arrays.offsets()[++place.words] = place.bytes;
    });
  });
  ranked.vocabulary = arrays.vocabulary();
  return ranked;
}

}  // namespace firth::counts

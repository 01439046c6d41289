#include "counts/count/rank_words.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "base/string_table.hpp"
#include "counts/pairs/pair_source.hpp"

namespace firth::counts {
namespace {

struct Storage {
  base::StringTable words;
  std::vector<Count> counts;
};

// The first eight bytes as a number that sorts as they do: most comparisons need no more.
std::uint64_t prefix_of(std::string_view word) {
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    prefix = (prefix << 8) | (i < word.size() ? static_cast<unsigned char>(word[i]) : 0u);
  }
  return prefix;
}

struct SortKey {
  Count count;
  std::uint64_t prefix;
  std::uint32_t index;
};

}  // namespace

RankedWords rank_words(std::span<const CountedWord> words) {
  std::vector<SortKey> keys;
  keys.reserve(words.size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].count == 0) continue;
    keys.push_back({words[i].count, prefix_of(words[i].word), static_cast<std::uint32_t>(i)});
    bytes += words[i].word.size();
  }
  std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
    if (a.count != b.count) return a.count > b.count;
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return words[a.index].word < words[b.index].word;
  });
  const auto storage = std::make_shared<Storage>();
  storage->words.reserve(keys.size(), bytes);
  storage->counts.reserve(keys.size());
  RankedWords ranked;
  ranked.ranks.assign(words.size(), kNoWord);
  for (const SortKey& key : keys) {
    ranked.ranks[key.index] = static_cast<WordId>(storage->counts.size());
    storage->words.add(words[key.index].word);
    storage->counts.push_back(key.count);
  }
  ranked.vocabulary = Vocabulary(storage->words.offsets(), storage->words.bytes(), storage->counts, storage);
  return ranked;
}

}  // namespace firth::counts

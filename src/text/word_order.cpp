#include "text/word_order.hpp"

#include <algorithm>

namespace firth::text {
namespace {

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

std::vector<std::uint32_t> frequency_order(std::span<const CountedWord> words) {
  std::vector<SortKey> keys;
  keys.reserve(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    keys.push_back({words[i].count, prefix_of(words[i].word), static_cast<std::uint32_t>(i)});
  }
  std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
    if (a.count != b.count) return a.count > b.count;
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return words[a.index].word < words[b.index].word;
  });
  std::vector<std::uint32_t> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const SortKey& key) { return key.index; });
  return order;
}

}  // namespace firth::text

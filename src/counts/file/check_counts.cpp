#include <algorithm>
#include <atomic>
#include <string>

#include "base/parallel.hpp"
#include "base/string_table.hpp"
#include "counts/file/count_file.hpp"
#include "text/utf8.hpp"
#include "text/word_table.hpp"

namespace firth::counts {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 14;

__extension__ using WideSum = unsigned __int128;

bool sums_fit(std::span<const Count> counts) {
  WideSum sum = 0;
  for (const Count count : counts) sum += count;
  return (sum >> 64) == 0;
}

std::string_view word(const RawCounts& raw, std::size_t id) {
  return raw.word_bytes.substr(raw.word_offsets[id], raw.word_offsets[id + 1] - raw.word_offsets[id]);
}

bool in_count_order(const RawCounts& raw, std::size_t id) {
  if (id == 0 || raw.word_counts[id - 1] > raw.word_counts[id]) return true;
  return raw.word_counts[id - 1] == raw.word_counts[id] && word(raw, id - 1) < word(raw, id);
}

bool words_differ(const RawCounts& raw) {
  struct Hashed {
    std::uint64_t hash;
    std::size_t id;
  };
  std::vector<Hashed> hashed(raw.word_counts.size());
  for (std::size_t id = 0; id < hashed.size(); ++id) hashed[id] = {text::hash_word(word(raw, id)), id};
  std::sort(hashed.begin(), hashed.end(), [](const Hashed& a, const Hashed& b) { return a.hash < b.hash; });
  const auto same = [&](const Hashed& a, const Hashed& b) {
    return a.hash == b.hash && word(raw, a.id) == word(raw, b.id);
  };
  return std::adjacent_find(hashed.begin(), hashed.end(), same) == hashed.end();
}

void check_words(const std::string& path, const RawCounts& raw) {
  const std::size_t words = raw.word_counts.size();
  if (raw.word_offsets.size() != words + 1 || !base::are_offsets(raw.word_offsets, raw.word_bytes.size())) {
    throw_damaged(path, "the words do not fit together");
  }
  if (words >= static_cast<WordId>(-1)) throw_damaged(path, "there are too many words");
  std::atomic<bool> fine = true;
  base::parallel_for(words, kGrain, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t id = begin; id < end; ++id) {
      const std::string_view text = word(raw, id);
      if (text.empty() || text::check_text(text).fault != text::TextFault::none || !in_count_order(raw, id))
        fine = false;
    }
  });
  if (!fine) throw_damaged(path, "the words are not in order");
  if (!words_differ(raw)) throw_damaged(path, "a word is there twice");
  if (!sums_fit(raw.word_counts)) throw_damaged(path, "the counts of words add up to more than 2^64 - 1");
}

bool row_is_fine(const RawCounts::Pairs& pairs, std::size_t row, std::size_t words) {
  for (std::uint64_t i = pairs.offsets[row]; i < pairs.offsets[row + 1]; ++i) {
    if (pairs.rights[i] >= words || pairs.counts[i] == 0) return false;
    if (i > pairs.offsets[row] && pairs.rights[i - 1] >= pairs.rights[i]) return false;
  }
  return true;
}

void check_pairs(const std::string& path, const RawCounts::Pairs& pairs, std::size_t words) {
  if (pairs.offsets.size() != words + 1 || pairs.rights.size() != pairs.counts.size() ||
      !base::are_offsets(pairs.offsets, pairs.rights.size())) {
    throw_damaged(path, "the pairs do not fit together");
  }
  std::atomic<bool> fine = true;
  base::parallel_for(words, kGrain, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (!row_is_fine(pairs, row, words)) fine = false;
    }
  });
  if (!fine) throw_damaged(path, "the pairs are not in order");
  if (!sums_fit(pairs.counts)) throw_damaged(path, "the counts of pairs add up to more than 2^64 - 1");
}

}  // namespace

void check_contents(const std::string& path, const RawCounts& raw) {
  check_words(path, raw);
  for (const RawCounts::Pairs& pairs : raw.pairs) check_pairs(path, pairs, raw.word_counts.size());
}

}  // namespace firth::counts

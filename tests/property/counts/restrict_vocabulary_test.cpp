// Leaving words out of counts, against pairs that are renamed one by one.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/rng.hpp"
#include "firth/count.hpp"
#include "reference/naive_counter.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using Pairs = std::map<std::pair<std::string, std::string>, Count>;

Pairs named_pairs(const Counts& counts, const std::set<std::string>& kept, RarePolicy rare) {
  Pairs result;
  const auto name = [&](WordId id) -> std::string {
    const std::string word(counts.vocabulary().word(id));
    if (kept.contains(word)) return word;
    return rare == RarePolicy::unk ? "<unk>" : "";
  };
  counts.bigrams().for_each_pair([&](WordId left, WordId right, Count count) {
    const std::string a = name(left);
    const std::string b = name(right);
    if (!a.empty() && !b.empty()) result[{a, b}] += count;
  });
  return result;
}

std::string random_text(base::Rng& rng) {
  std::string text;
  const std::uint64_t words = 1 + rng.below(60);
  for (std::uint64_t i = rng.below(400) + 1; i > 0; --i) {
    const std::uint64_t word = std::min(rng.below(words), rng.below(words));
    text += word == 7 ? "<unk>" : "w" + std::to_string(word);
    text += rng.below(9) == 0 ? '\n' : ' ';
  }
  return text;
}

/// In memory without a limit, with one that sends the pairs to disk, and on several threads.
void expect_the_same(const Counts& counts, const VocabularyOptions& options) {
  const Counts fewer = restrict_vocabulary(counts, options, {.threads = 1});
  std::set<std::string> kept;
  for (WordId id = 0; id < fewer.vocabulary().size(); ++id) kept.emplace(fewer.vocabulary().word(id));
  const Pairs all = named_pairs(fewer, kept, options.rare);
  if (options.rare == RarePolicy::unk) kept.erase("<unk>");
  EXPECT_EQ(all, named_pairs(counts, kept, options.rare));
  for (const RunOptions& run : {RunOptions{.threads = 3}, RunOptions{.threads = 1, .memory_bytes = 2}}) {
    const Counts again = restrict_vocabulary(counts, options, run);
    ASSERT_TRUE(std::ranges::equal(again.bigrams().offsets(), fewer.bigrams().offsets()));
    ASSERT_TRUE(std::ranges::equal(again.bigrams().rights(), fewer.bigrams().rights()));
    ASSERT_TRUE(std::ranges::equal(again.bigrams().counts(), fewer.bigrams().counts()));
  }
}

TEST(RestrictVocabulary, RenamesEveryPair) {
  const testing::TempFolder folder;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    base::Rng rng(seed);
    const std::vector<std::string> inputs = {folder.write("text", random_text(rng))};
    const Counts counts = count_text(inputs, {}, {});
    for (const RarePolicy rare : {RarePolicy::unk, RarePolicy::no_pairs}) {
      SCOPED_TRACE(seed);
      expect_the_same(counts, {.min_count = 1 + rng.below(6), .rare = rare});
      expect_the_same(counts, {.max_vocab = 1 + rng.below(30), .rare = rare});
    }
  }
}

}  // namespace
}  // namespace firth

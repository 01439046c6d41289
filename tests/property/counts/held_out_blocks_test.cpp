// Blocks of a text that are held out, against going through the words one by one.
#include "counts/count/held_out_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "counts/count/counting.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/world.hpp"
#include "reference/naive_counter.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using Pairs = std::map<std::pair<std::string, std::string>, Count>;
using reference::Sequences;

constexpr std::uint64_t kSeed = 7;

Pairs held_out_of(const Counts& counts) {
  Pairs pairs;
  counts.held_out().for_each_pair([&](WordId left, WordId right, Count count) {
    pairs[{std::string(counts.vocabulary().word(left)), std::string(counts.vocabulary().word(right))}] =
        count;
  });
  return pairs;
}

std::string random_text(base::Rng& rng, std::uint64_t words) {
  std::string text;
  for (std::uint64_t i = 0; i < words; ++i) {
    text += "w" + std::to_string(rng.below(6) * rng.below(6));
    text += rng.below(8) == 0 ? "\n" : " ";
  }
  return text;
}

/// What the words of a text become.
struct Spelling {
  bool squeeze = false;
  bool drop = false;
  std::map<std::string, bool> kept = {};
};

Pairs naive_pairs(const Sequences& sequences, const counts::HeldOutBlocks& blocks, const Spelling& spelling) {
  Pairs pairs;
  std::uint64_t position = 0;
  for (const auto& sequence : sequences) {
    std::string before;
    for (std::string word : sequence) {
      const bool kept = spelling.kept.contains(word);
      if (!kept && spelling.drop) continue;
      if (!kept) word = "<unk>";
      const bool repeated = spelling.squeeze && word == before;
      if (!before.empty() && blocks.contains(position) && !repeated) ++pairs[{before, word}];
      before = word;
      ++position;
    }
  }
  return pairs;
}

Spelling spelling_of(const CountOptions& options, const Counts& counts) {
  Spelling spelling{.squeeze = options.text.squeeze, .drop = options.vocabulary.rare == RarePolicy::drop};
  for (WordId word = 0; word < counts.vocabulary().size(); ++word)
    spelling.kept[std::string(counts.vocabulary().word(word))] = true;
  return spelling;
}

CountOptions random_options(base::Rng& rng) {
  CountOptions options;
  options.held_out_share = rng.below(2) == 0 ? 0.1 : 0.4;
  options.text.boundaries = static_cast<TextBoundaries>(rng.below(2));
  switch (rng.below(4)) {
    case 0:
      options.text.squeeze = true;
      break;
    case 1:
      options.vocabulary = {.min_count = 40, .rare = RarePolicy::drop};
      break;
    case 2:
      options.vocabulary.min_count = 40;
      break;
    default:
      options.distances = {1, 2};
  }
  return options;
}

Counts count(const std::vector<std::string>& paths, const CountOptions& options, std::size_t block_bytes,
             unsigned threads) {
  counts::CountTuning tuning;
  tuning.block_bytes = block_bytes;
  const RunOptions run{.threads = threads, .seed = kSeed};
  Counts counts = counts::count_files(text::expand_inputs(paths, {}), options, tuning, run);
  return options.vocabulary.rare == RarePolicy::drop ? counts
                                                     : restrict_vocabulary(counts, options.vocabulary, run);
}

TEST(HeldOutBlocks, PairsAreThoseOfTheBlocks) {
  base::Rng rng(1);
  const testing::TempFolder folder;
  for (int round = 0; round < 60; ++round) {
    CountOptions options = random_options(rng);
    const bool squeeze = options.text.squeeze;
    options.text.squeeze = false;  // done by count_text(), below
    std::vector<std::string> paths;
    Sequences sequences;
    for (std::uint64_t file = 0; file < 1 + rng.below(3); ++file) {
      const std::string text = random_text(rng, 20 + rng.below(1500));
      paths.push_back(folder.write("f" + std::to_string(file), text));
      const Sequences more = reference::naive_text(text, options.text.boundaries);
      sequences.insert(sequences.end(), more.begin(), more.end());
    }
    const counts::HeldOutBlocks blocks(options.held_out_share, kSeed);
    for (const std::size_t block_bytes : {std::size_t{16}, std::size_t{200}, std::size_t{1} << 20}) {
      for (const unsigned threads : {1u, 3u}) {
        const Counts found = count(paths, options, block_bytes, threads);
        ASSERT_EQ(held_out_of(found), naive_pairs(sequences, blocks, spelling_of(options, found)))
            << "round " << round << " blocks of " << block_bytes << " threads " << threads;
      }
    }
    if (!squeeze) continue;
    options.text.squeeze = true;
    const Counts found = count_text(paths, options, {.seed = kSeed});
    ASSERT_EQ(held_out_of(found), naive_pairs(sequences, blocks, spelling_of(options, found))) << round;
  }
}

TEST(HeldOutBlocks, AreTheSameOnRanksAndFromMemory) {
  base::Rng rng(2);
  const testing::TempFolder folder;
  const std::string text = random_text(rng, 20000);
  const std::string path = folder.write("text", text);
  const CountOptions options{.vocabulary = {.min_count = 3}, .held_out_share = 0.1};
  const Pairs wanted = held_out_of(count_text(path, options, {.seed = kSeed}));
  EXPECT_FALSE(wanted.empty());
  EXPECT_EQ(held_out_of(count_text(Inputs::from_text(text), options, {.seed = kSeed})), wanted);
  EXPECT_NE(held_out_of(count_text(path, options, {.seed = kSeed + 1})), wanted);
  run_on_threads(3, [&](World& world) {
    RunOptions run{.threads = 1, .seed = kSeed};
    run.world = &world;
    EXPECT_EQ(held_out_of(read_counts(path, options, run)), wanted);
  });
}

TEST(HeldOutBlocks, AreTheirShareOfShortAndLongTexts) {
  for (const double share : {0.1, 0.25, 0.5}) {
    const counts::HeldOutBlocks blocks(share, 1);
    for (const std::uint64_t words : {5000u, 100'000u, 10'000'000u}) {
      double held_out = 0;
      blocks.for_each_within(0, words, [&](std::uint64_t begin, std::uint64_t end) {
        EXPECT_TRUE(blocks.contains(begin) && blocks.contains(end - 1));
        held_out += static_cast<double>(end - begin);
      });
      EXPECT_NEAR(held_out / static_cast<double>(words), share, 0.05) << words;
    }
  }
}

TEST(HeldOutBlocks, NeedAText) {
  const testing::TempFolder folder;
  const std::string table = folder.write("table", "a b 300\nb a 300\n");
  CountOptions options{.held_out_share = 0.5};
  options.text.format = InputFormat::counts;
  EXPECT_EQ(count_text(table, options).held_out().rows(), 0u);
  options = {.held_out_share = 1};
  EXPECT_THROW((void)count_text(table, options), UsageError);
}

}  // namespace
}  // namespace firth

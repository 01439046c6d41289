// Counting that several ranks share gives the bytes of one process.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/rng.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/world.hpp"
#include "support/packers.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using base::Rng;
using ::testing::HasSubstr;

constexpr unsigned kSizes[] = {1, 2, 3, 5, 8};

std::string random_word(Rng& rng) {
  return "w" + std::to_string(static_cast<int>(rng.uniform() * rng.uniform() * 3000));
}

/// Words with spaces and, every now and then, the end of a line; `line` = 0: none at all.
std::string random_text(Rng& rng, std::size_t bytes, std::uint64_t line) {
  std::string text;
  while (text.size() < bytes) {
    text += random_word(rng);
    text += line > 0 && rng.below(line) == 0 ? (rng.below(5) == 0 ? "\r\n\n" : "\n") : " ";
  }
  return text;
}

std::string random_conllu(Rng& rng, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    for (std::uint64_t i = 1 + rng.below(9); i > 0; --i) {
      text += std::to_string(i) + "\t" + random_word(rng) + "\t" + random_word(rng) +
              "\tNOUN\tNN\t_\t0\troot\t_\t_\n";
    }
    text += "\n";
  }
  return text;
}

/// The bytes of the counts that rank 0 gets, on worlds of every size.
void expect_same_on_ranks(const Inputs& inputs, const CountOptions& options, std::uint64_t memory = 0) {
  const std::string wanted = count_text(inputs, options, {.threads = 1}).to_bytes();
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      RunOptions run{.threads = 1 + world.rank() % 2, .memory_bytes = memory};
      run.world = &world;
      const Counts counts = count_text(inputs, options, run);
      if (world.rank() == 0) {
        EXPECT_EQ(counts.to_bytes(), wanted) << size << " ranks";
      } else {
        EXPECT_TRUE(counts.vocabulary().empty());
      }
    });
  }
}

TEST(CountOnRanks, FilesAndPartsOfFiles) {
  Rng rng(1);
  const testing::TempFolder folder;
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<std::string> paths;
    for (std::uint64_t file = 0; file <= rng.below(4); ++file) {
      const std::string text = random_text(rng, 1 + rng.below(200000), 1 + rng.below(20));
      paths.push_back(folder.write(std::to_string(file) + ".txt", (file == 1 ? "\xef\xbb\xbf" : "") + text));
    }
    CountOptions options;
    options.text.boundaries = trial % 2 == 0 ? TextBoundaries::lines : TextBoundaries::stream;
    if (trial % 3 == 1) options.distances = {1, 2, 5};
    expect_same_on_ranks(paths, options);
  }
}

TEST(CountOnRanks, OneLongLineIsCutAtSpaces) {
  Rng rng(2);
  const testing::TempFolder folder;
  const std::string path = folder.write("line.txt", random_text(rng, 400000, 0));
  for (const TextBoundaries boundaries : {TextBoundaries::lines, TextBoundaries::stream}) {
    CountOptions options;
    options.text.boundaries = boundaries;
    options.distances = {1, 3};
    expect_same_on_ranks(path, options);
  }
}

TEST(CountOnRanks, CompressedFilesAndOtherFormats) {
  Rng rng(3);
  const testing::TempFolder folder;
  std::vector<std::string> packed;
  for (int i = 0; i < 5; ++i) {
    const std::string text = random_text(rng, 30000, 10);
    packed.push_back(
        folder.write(std::to_string(i) + ".gz", i % 2 == 0 ? testing::gzip(text) : testing::zstd(text)));
  }
  expect_same_on_ranks(packed, {});
  const std::string conllu = folder.write("a.conllu", random_conllu(rng, 200000));
  CountOptions options;
  options.text.format = InputFormat::automatic;
  expect_same_on_ranks(conllu, options);
  options.text.boundaries = TextBoundaries::stream;
  expect_same_on_ranks(conllu, options);
}

TEST(CountOnRanks, RepeatedWordsCountOnce) {
  Rng rng(9);
  const testing::TempFolder folder;
  std::string text;
  while (text.size() < 150000) text += "w" + std::to_string(rng.below(3)) + (rng.below(9) == 0 ? "\n" : " ");
  CountOptions options;
  options.text.squeeze = true;
  options.vocabulary.min_count = 2;
  expect_same_on_ranks(folder.write("a.txt", text), options);
  options.text.boundaries = TextBoundaries::stream;
  expect_same_on_ranks(folder.write("a.txt", text), options);
}

TEST(CountOnRanks, WordsOfColumnsAreNotTokenizedAgain) {
  const testing::TempFolder folder;
  std::vector<std::string> paths;
  for (const char* name : {"a.conllu", "b.conllu", "c.conllu"}) {
    std::string text;
    while (text.size() < 40000)
      text += "1\tdon't\t_\tX\t_\t_\t0\troot\t_\t_\n2\tgo.\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
    paths.push_back(folder.write(name, text));
  }
  CountOptions options;
  options.text.format = InputFormat::automatic;
  options.text.tokenize = true;
  expect_same_on_ranks(paths, options);
}

TEST(CountOnRanks, WordsThatAreLeftOut) {
  Rng rng(4);
  const testing::TempFolder folder;
  const std::string path = folder.write("a.txt", random_text(rng, 150000, 12));
  for (const RarePolicy rare : {RarePolicy::unk, RarePolicy::no_pairs, RarePolicy::drop}) {
    CountOptions options;
    options.vocabulary.min_count = 3;
    options.vocabulary.max_vocab = 500;
    options.vocabulary.rare = rare;
    expect_same_on_ranks(path, options);
  }
}

TEST(CountOnRanks, WithLittleMemory) {
  Rng rng(5);
  const testing::TempFolder folder;
  const std::string path = folder.write("a.txt", random_text(rng, 600000, 12));
  expect_same_on_ranks(path, {}, std::uint64_t{2} << 25);
}

TEST(CountOnRanks, TextFromMemoryIsReadByRankZero) {
  Rng rng(6);
  const std::string text = random_text(rng, 50000, 12);
  const std::string wanted = count_text(Inputs::from_text(text), {}, {}).to_bytes();
  run_on_threads(3, [&](World& world) {
    RunOptions run{.threads = 1};
    run.world = &world;
    const Counts counts = count_text(Inputs::from_text(text), {}, run);
    EXPECT_EQ(counts.to_bytes(), world.rank() == 0 ? wanted : Counts().to_bytes());
  });
}

TEST(CountOnRanks, ReadCountsGivesThemToAll) {
  Rng rng(7);
  const testing::TempFolder folder;
  const std::string path = folder.write("a.txt", random_text(rng, 100000, 12));
  CountOptions options;
  options.distances = {1, 2};
  options.vocabulary.min_count = 2;
  const Counts wanted = count_text(path, options, {});
  const std::string file = folder.file("a.counts");
  save_counts(file, count_text(path, {.distances = {1, 2}}, {}));
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      RunOptions run{.threads = 1};
      run.world = &world;
      EXPECT_EQ(read_counts(path, options, run).to_bytes(), wanted.to_bytes());
      EXPECT_EQ(read_counts(file, options, run).to_bytes(), wanted.to_bytes());
    });
  }
}

std::string message_of(const Inputs& inputs, const CountOptions& options, unsigned ranks) {
  try {
    run_on_threads(ranks, [&](World& world) {
      RunOptions run{.threads = 1};
      run.world = &world;
      (void)count_text(inputs, options, run);
    });
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CountOnRanks, ErrorsAreThoseOfOneProcess) {
  Rng rng(8);
  const testing::TempFolder folder;
  for (int trial = 0; trial < 5; ++trial) {
    std::string text = random_text(rng, 200000, 9);
    for (int fault = 0; fault < 3; ++fault) text[rng.below(text.size())] = '\xff';
    const std::string path = folder.write("bad.txt", text);
    const std::string wanted = message_of(path, {}, 1);
    EXPECT_THAT(wanted, HasSubstr("broken UTF-8"));
    for (const unsigned size : kSizes) EXPECT_EQ(message_of(path, {}, size), wanted) << size << " ranks";
  }
  EXPECT_THAT(message_of(folder.file("missing"), {}, 3), HasSubstr("missing"));
  CountOptions bad_list;
  bad_list.vocabulary.vocab_file = folder.file("no-list");
  EXPECT_THAT(message_of(folder.write("ok.txt", "a b\n"), bad_list, 3), HasSubstr("no-list"));
}

TEST(CountOnRanks, NoWordsAtAll) {
  const testing::TempFolder folder;
  const std::string empty = folder.write("empty.txt", "");
  expect_same_on_ranks(empty, {});
  EXPECT_THROW(run_on_threads(2,
                              [&](World& world) {
                                RunOptions run{.threads = 1};
                                run.world = &world;
                                (void)read_counts(empty, {}, run);
                              }),
               InputError);
}

}  // namespace
}  // namespace firth

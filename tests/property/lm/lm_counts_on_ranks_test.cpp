// N-grams that several ranks count make the file of one process.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "firth/lm_counts.hpp"
#include "firth/world.hpp"
#include "support/packers.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using base::Rng;
using ::testing::HasSubstr;
using testing::TempFolder;

constexpr unsigned kSizes[] = {1, 2, 3, 5, 8};

/// Lines of words, some of them special ones or blank.
std::string random_text(Rng& rng, std::size_t bytes, int words) {
  std::string text;
  while (text.size() < bytes) {
    const auto word = static_cast<int>(rng.uniform() * rng.uniform() * words);
    text += word == 7 ? "<unk>" : word == 9 ? "</s>" : fmt::format("w{}", word);
    text += rng.below(8) == 0 ? (rng.below(5) == 0 ? "\r\n\n" : "\n") : " ";
  }
  return text;
}

/// The bytes and the numbers of one process, on worlds of every size.
void expect_same_on_ranks(const TempFolder& folder, const Inputs& inputs, const LmCountOptions& options,
                          std::uint64_t memory = 0) {
  const LmCountsInfo wanted = count_ngrams(folder.file("alone"), inputs, options, {.threads = 1});
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      RunOptions run{.threads = 1 + world.rank() % 2, .memory_bytes = memory};
      run.world = &world;
      const LmCountsInfo info = count_ngrams(folder.file("ranks"), inputs, options, run);
      EXPECT_EQ(info.words, wanted.words);
      EXPECT_EQ(info.ngrams, wanted.ngrams);
      EXPECT_EQ(info.tokens, wanted.tokens);
      EXPECT_EQ(info.sentences, wanted.sentences);
      EXPECT_EQ(info.text_options, wanted.text_options);
    });
    EXPECT_EQ(testing::read_file(folder.file("ranks")), testing::read_file(folder.file("alone")))
        << size << " ranks";
  }
}

TEST(LmCountsOnRanks, AnyOrderFilesAndPartsOfFiles) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const TempFolder folder;
    std::vector<std::string> paths;
    for (std::uint64_t file = 0; file <= rng.below(4); ++file) {
      const std::string text = random_text(rng, 1 + rng.below(80000), seed % 3 == 0 ? 12 : 900);
      paths.push_back(folder.write(fmt::format("{}.txt", file), text));
    }
    LmCountOptions options;
    options.boundaries = seed % 4 != 3;
    options.order = 1 + static_cast<int>(options.boundaries ? seed % 6 : seed % 2);
    if (seed % 5 == 4) options.text.boundaries = TextBoundaries::stream;
    expect_same_on_ranks(folder, paths, options);
  }
}

TEST(LmCountsOnRanks, LittleMemory) {
  Rng rng(1);
  const TempFolder folder;
  const std::string path = folder.write("a.txt", random_text(rng, 60000, 2000));
  expect_same_on_ranks(folder, path, {.order = 4}, 1 << 16);
}

TEST(LmCountsOnRanks, FewNgramsForManyRanks) {
  const TempFolder folder;
  for (const char* text : {"", "\n\n", "one\n", "<s>\n", "a a a a\na a\n"}) {
    expect_same_on_ranks(folder, folder.write("a.txt", text), {});
  }
}

TEST(LmCountsOnRanks, CompressedFilesAndOtherFormats) {
  Rng rng(2);
  const TempFolder folder;
  std::vector<std::string> packed;
  for (int i = 0; i < 3; ++i) {
    packed.push_back(folder.write(fmt::format("{}.gz", i), testing::gzip(random_text(rng, 20000, 300))));
  }
  expect_same_on_ranks(folder, packed, {});
  std::string jsonl;
  std::string conllu;
  while (jsonl.size() < 80000) {
    jsonl += fmt::format("{{\"text\": \"a{} b\\nc{} d\", \"id\": 3}}\n", rng.below(50), rng.below(9));
    conllu +=
        fmt::format("1\tw{}'s\t_\tX\t_\t_\t0\troot\t_\t_\n{}", rng.below(99), rng.below(3) == 0 ? "\n" : "");
  }
  LmCountOptions options;
  options.text.format = InputFormat::automatic;
  expect_same_on_ranks(folder, folder.write("a.jsonl", jsonl), options);
  options.text.tokenize = true;  // which words of CoNLL-U are already: all ranks must leave them alone
  expect_same_on_ranks(folder, folder.write("a.conllu", conllu), options);
}

TEST(LmCountsOnRanks, AnErrorHasTheLineOfTheFile) {
  Rng rng(3);
  const TempFolder folder;
  const std::string text = random_text(rng, 70000, 300);
  const std::string path = folder.write("a.txt", text + "a \xff b\n");
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  run_on_threads(3, [&](World& world) {
    RunOptions run{.threads = 1};
    run.world = &world;
    try {
      (void)count_ngrams(folder.file("ranks"), path, {}, run);
      ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
      EXPECT_EQ(error.where().line, static_cast<std::uint64_t>(lines));
      EXPECT_THAT(error.what(), HasSubstr("a.txt"));
    }
  });
  EXPECT_EQ(testing::read_file(folder.file("ranks")), "");
}

}  // namespace
}  // namespace firth

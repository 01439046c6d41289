// Counting against the naive counter: random corpora, every option, any threads, memory and cuts.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "counts/count/counting.hpp"
#include "firth/count.hpp"
#include "reference/naive_counter.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using base::Rng;
using counts::CountTuning;
using reference::NaiveCounts;
using reference::Sequences;

// Few words, so that pairs repeat; short and long ones, some of several bytes a letter.
const std::vector<std::string> kWords = {"a",
                                         "b",
                                         "c",
                                         "the",
                                         "of",
                                         "<unk>",
                                         "na\xc3\xafve",
                                         "x",
                                         "eightlet",
                                         "sixteen-letters!",
                                         "seventeen-letters",
                                         "a-very-long-word-beyond-any-small-key",
                                         "\xe6\x97\xa5\xe6\x9c\xac",
                                         "\x01"};

std::string random_word(Rng& rng) {
  const std::uint64_t most = 1 + rng.below(kWords.size());
  if (rng.below(8) == 0) return std::string("w").append(std::to_string(rng.below(40)));
  return kWords[rng.below(most)];
}

std::string random_text(Rng& rng) {
  static const std::vector<std::string> kSpaces = {" ", "  ", "\t", "\n", "\n\n", "\r\n", " \n ", "\v", "\f"};
  const std::uint64_t spaces = 1 + rng.below(kSpaces.size());
  std::string text;
  for (std::uint64_t words = rng.below(60); words > 0; --words) {
    text += random_word(rng);
    if (words > 1 || rng.below(2) == 0) text += kSpaces[rng.below(spaces)];
  }
  if (rng.below(8) == 0) text.insert(0, "\n ");
  return text;
}

std::string random_conllu(Rng& rng) {
  std::string text;
  const std::string end = rng.below(4) == 0 ? "\r\n" : "\n";
  for (std::uint64_t sentences = rng.below(8); sentences > 0; --sentences) {
    if (rng.below(2) == 0) text += "# sent_id = " + std::to_string(sentences) + end;
    const std::uint64_t words = rng.below(7);
    for (std::uint64_t i = 1; i <= words; ++i) {
      if (rng.below(6) == 0)
        text += std::to_string(i) + "-" + std::to_string(i + 1) + "\tdel\t_\t_\t_\t_\t_\t_\t_\t_" + end;
      const std::string form = rng.below(9) == 0 ? "10 000" : random_word(rng);
      text +=
          std::to_string(i) + "\t" + form + "\t" + random_word(rng) + "\tNOUN\tNN\t_\t0\troot\t_\t_" + end;
      if (rng.below(6) == 0) text += std::to_string(i) + ".1\tghost\t_\t_\t_\t_\t_\t_\t_\t_" + end;
    }
    if (sentences > 1 || rng.below(2) == 0) text += end;
  }
  return text;
}

std::string random_table(Rng& rng) {
  std::string text;
  const std::string space = rng.below(2) == 0 ? "\t" : " ";
  for (std::uint64_t rows = rng.below(40); rows > 0; --rows) {
    const Count count = rng.below(5) == 0 ? rng.below(std::uint64_t{1} << 40) : rng.below(4);
    text += random_word(rng) + space + random_word(rng) + space + std::to_string(count);
    if (rows > 1 || rng.below(2) == 0) text += "\n";
  }
  return text;
}

VocabularyOptions random_vocabulary(Rng& rng, bool may_drop) {
  VocabularyOptions options;
  if (rng.below(2) == 0) options.min_count = 1 + rng.below(4);
  if (rng.below(3) == 0) options.max_vocab = 1 + rng.below(8);
  const RarePolicy policies[] = {RarePolicy::unk, RarePolicy::no_pairs, RarePolicy::drop};
  options.rare = policies[rng.below(may_drop ? 3 : 2)];
  return options;
}

std::vector<int> random_distances(Rng& rng) {
  std::vector<int> distances;
  for (int d = 1; d <= 5; ++d) {
    if (rng.below(2) == 0) distances.push_back(d);
  }
  return distances.empty() ? std::vector<int>{1} : distances;
}

/// `spill_words`: they may have to leave the memory after every block.
CountTuning random_tuning(Rng& rng, bool spill_words) {
  CountTuning tuning;
  const std::size_t blocks[] = {1, 7, 16, 64, 1000, std::size_t{1} << 20};
  tuning.block_bytes = blocks[rng.below(6)];
  tuning.table_bytes = rng.below(2) == 0 ? 1 : 0;
  tuning.build_bytes = rng.below(2) == 0 ? 1 : 0;
  tuning.recent_bits = rng.below(2) == 0 ? 2 : 5;
  tuning.word_bytes = spill_words && rng.below(2) == 0 ? 1 : 0;
  return tuning;
}

struct Case {
  CountOptions options;
  std::vector<std::string> files;
  NaiveCounts expected;
};

Case random_case(Rng& rng) {
  Case test;
  TextOptions& text = test.options.text;
  constexpr std::array kFormats = {InputFormat::text, InputFormat::conllu, InputFormat::counts};
  text.format = kFormats[rng.below(kFormats.size())];
  text.boundaries = static_cast<TextBoundaries>(rng.below(2));
  const bool lemmas = rng.below(2) == 1;
  if (lemmas) text.column = "lemma";
  const bool table = text.format == InputFormat::counts;
  test.options.vocabulary = random_vocabulary(rng, !table);
  if (!table) test.options.distances = random_distances(rng);
  Sequences sequences;
  std::string all_rows;
  for (std::uint64_t files = 1 + rng.below(3); files > 0; --files) {
    Sequences more;
    if (text.format == InputFormat::text) {
      test.files.push_back(random_text(rng));
      more = reference::naive_text(test.files.back(), text.boundaries);
    } else if (text.format == InputFormat::conllu) {
      test.files.push_back(random_conllu(rng));
      more = reference::naive_conllu(test.files.back(), lemmas ? 2 : 1, text.boundaries);
    } else {
      test.files.push_back(random_table(rng));
      all_rows += test.files.back() + "\n";
    }
    sequences.insert(sequences.end(), more.begin(), more.end());
  }
  test.expected = table ? reference::naive_table(all_rows, test.options.vocabulary)
                        : reference::naive_count(sequences, test.options.vocabulary, test.options.distances);
  return test;
}

Counts count(const Case& test, const std::vector<std::string>& paths, const CountTuning& tuning,
             unsigned threads) {
  const RunOptions run{.threads = threads};
  const Counts all = counts::count_files(text::expand_inputs(paths, {}), test.options, tuning, run);
  return test.options.vocabulary.rare == RarePolicy::drop
             ? all
             : restrict_vocabulary(all, test.options.vocabulary, run);
}

// Each file counted apart, written, merged, and then restricted.
Counts count_in_shards(const Case& test, const std::vector<std::string>& paths,
                       const testing::TempFolder& scratch) {
  CountOptions all = test.options;
  all.vocabulary = {};
  std::vector<std::string> shards;
  for (const std::string& path : paths) {
    shards.push_back(scratch.file("shard" + std::to_string(shards.size())));
    save_counts(shards.back(), count_text(path, all, {.threads = 2}));
  }
  return restrict_vocabulary(merge_counts(shards), test.options.vocabulary);
}

class CountTextProperty : public ::testing::TestWithParam<int> {};

TEST_P(CountTextProperty, AgreesWithTheNaiveCounter) {
  Rng rng(static_cast<std::uint64_t>(GetParam()) + 1);
  const testing::TempFolder scratch;
  for (int round = 0; round < 250; ++round) {
    const Case test = random_case(rng);
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < test.files.size(); ++i) {
      paths.push_back(scratch.write("f" + std::to_string(i), test.files[i]));
    }
    std::optional<Counts> first;
    const bool drops = test.options.vocabulary.rare == RarePolicy::drop;
    for (const unsigned threads : {1u, 2u, 4u}) {
      const Counts got = count(test, paths, random_tuning(rng, !drops), threads);
      ASSERT_EQ(reference::difference(test.expected, reference::as_naive(got)), "")
          << "round " << round << " threads " << threads << " text:\n"
          << ::testing::PrintToString(test.files);
      if (!first) first = got;
      ASSERT_TRUE(reference::same_arrays(*first, got)) << "round " << round << " threads " << threads;
      std::swap(paths.front(), paths.back());
    }
    if (round % 50 != 0) continue;  // writing syncs the disk: slow
    save_counts(scratch.file("out"), *first);
    ASSERT_TRUE(reference::same_arrays(*first, load_counts(scratch.file("out"))));
    if (drops) continue;
    ASSERT_TRUE(reference::same_arrays(*first, count_in_shards(test, paths, scratch))) << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CountTextProperty, ::testing::Range(0, 8));

}  // namespace
}  // namespace firth

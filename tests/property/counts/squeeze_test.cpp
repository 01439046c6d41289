// Squeezed counts against counting the squeezed text, and token ids against words.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "firth/class_ids.hpp"
#include "firth/class_lm.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using Lines = std::vector<std::vector<std::uint32_t>>;

Lines random_lines(base::Rng& rng) {
  Lines lines(1 + rng.below(40));
  for (auto& line : lines) {
    line.resize(rng.below(14));
    for (auto& id : line) id = static_cast<std::uint32_t>(rng.below(4) * rng.below(4));
  }
  return lines;
}

Lines squeezed(Lines lines) {
  for (auto& line : lines) line.erase(std::unique(line.begin(), line.end()), line.end());
  return lines;
}

std::string as_text(const Lines& lines, const std::string& prefix) {
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      text += (i > 0 ? " " : "") + prefix + std::to_string(line[i]);
    text += '\n';
  }
  return text;
}

std::map<std::pair<std::string, std::string>, Count> pairs_of(const Counts& counts) {
  std::map<std::pair<std::string, std::string>, Count> pairs;
  counts.bigrams().for_each_pair([&](WordId left, WordId right, Count count) {
    pairs[{std::string(counts.vocabulary().word(left)), std::string(counts.vocabulary().word(right))}] =
        count;
  });
  return pairs;
}

TEST(Squeeze, CountsAreThoseOfTheTextWithoutRepetitions) {
  base::Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    const Lines lines = random_lines(rng);
    CountOptions options;
    options.text.format = InputFormat::ids;
    options.text.boundaries = round % 2 == 0 ? TextBoundaries::lines : TextBoundaries::stream;
    Lines plain = squeezed(lines);
    if (options.text.boundaries == TextBoundaries::stream) {
      std::vector<std::uint32_t> all;
      for (const auto& line : lines) all.insert(all.end(), line.begin(), line.end());
      plain = squeezed({all});
    }
    const Counts expected = count_text(Inputs::from_text(as_text(plain, "")), options, {});
    options.text.squeeze = true;
    const Counts counts = count_text(Inputs::from_text(as_text(lines, "")), options, {.threads = 2});
    ASSERT_EQ(counts.vocabulary().size(), expected.vocabulary().size());
    for (WordId word = 0; word < counts.vocabulary().size(); ++word) {
      EXPECT_EQ(counts.vocabulary().word(word), expected.vocabulary().word(word));
      EXPECT_EQ(counts.vocabulary().count(word), expected.vocabulary().count(word));
    }
    EXPECT_EQ(pairs_of(counts), pairs_of(expected));
    EXPECT_EQ(counts.info().tokens, expected.info().tokens);
    EXPECT_EQ(counts.info().sequences, expected.info().sequences);
  }
}

TEST(Squeeze, RefusesWhatTheCountsCannotTell) {
  const Inputs text = Inputs::from_text("1 1 2\n");
  CountOptions options;
  options.text.squeeze = true;
  options.distances = {1, 2};
  EXPECT_THROW(static_cast<void>(count_text(text, options, {})), UsageError);
  options.distances = {1};
  options.vocabulary = {.min_count = 2, .rare = RarePolicy::drop};
  EXPECT_THROW(static_cast<void>(count_text(text, options, {})), UsageError);
}

TEST(TokenIds, GiveTheClassesThatWordsGive) {
  base::Rng rng(2);
  for (int round = 0; round < 20; ++round) {
    const Lines lines = random_lines(rng);
    CountOptions ids;
    ids.text.format = InputFormat::ids;
    const Counts numbers = count_text(Inputs::from_text(as_text(lines, "")), ids, {});
    const Counts words = count_text(Inputs::from_text(as_text(lines, "")), {}, {});
    if (numbers.vocabulary().size() < 3) continue;
    const auto one = cluster_exchange(numbers, {.classes = 3}).clustering;
    const auto other = cluster_exchange(words, {.classes = 3}).clustering;
    EXPECT_TRUE(one == other);
    const std::vector<std::int32_t> table = classes_by_id(one);
    for (std::uint32_t id = 0; id < table.size(); ++id) {
      const auto word = WordIndex(one.vocabulary()).find(std::to_string(id));
      EXPECT_EQ(table[id], word ? static_cast<std::int32_t>(one.class_of(*word)) : -1);
    }
  }
}

TEST(TokenIds, TablesAreByTheNamesOfIds) {
  const testing::TempFolder folder;
  const std::string names = folder.write("names.txt", "cat\ndog\nnever\nrun\n");
  const Vocabulary vocabulary = Vocabulary::from_words({{"cat", 3}, {"dog", 2}, {"run", 1}});
  const Clustering clustering(vocabulary, std::vector<ClassId>{0, 0, 1});
  EXPECT_EQ(classes_by_id(clustering, names), (std::vector<std::int32_t>{0, 0, -1, 1}));
  EXPECT_THROW(static_cast<void>(classes_by_id(clustering)), InputError);
  save_classes_by_id(folder.file("c.npy"), {0, 0, -1, 1});
  const std::string bytes = testing::read_file(folder.file("c.npy"));
  EXPECT_EQ(bytes.size() % 64, 16u);
  EXPECT_NE(bytes.find("'descr': '<i4', 'fortran_order': False, 'shape': (4,), }"), std::string::npos);
}

}  // namespace
}  // namespace firth

// Phrases against a count of the text word by word, and joining against doing it to strings.
#include "firth/phrases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using Lines = std::vector<std::vector<std::string>>;

Lines random_lines(base::Rng& rng) {
  Lines lines(1 + rng.below(60));
  const std::size_t words = 2 + rng.below(6);
  for (auto& line : lines) {
    line.resize(rng.below(9));
    for (auto& word : line) word = std::string(1, static_cast<char>('a' + rng.below(words)));
  }
  return lines;
}

std::string as_text(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) text += (i > 0 ? " " : "") + line[i];
    text += '\n';
  }
  return text;
}

double naive_score(PhraseScore score, double both, double left, double right, double total) {
  if (score == PhraseScore::npmi) {
    if (both == total) return 1;
    return std::log(both * total / (left * right)) / -std::log(both / total);
  }
  if (both * total <= left * right) return 0;
  double sum = 0;
  const double table[2][2] = {{both, left - both}, {right - both, total - left - right + both}};
  const double rows[2] = {left, total - left};
  const double columns[2] = {right, total - right};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (table[i][j] > 0) sum += table[i][j] * std::log(table[i][j] / (rows[i] * columns[j] / total));
  return 2 * sum;
}

std::map<std::pair<std::string, std::string>, double> naive_pairs(const Lines& lines, PhraseScore score,
                                                                  double threshold, double min_count) {
  std::map<std::pair<std::string, std::string>, double> pairs;
  std::map<std::string, double> left;
  std::map<std::string, double> right;
  double total = 0;
  for (const auto& line : lines) {
    for (std::size_t i = 1; i < line.size(); ++i) {
      ++pairs[{line[i - 1], line[i]}];
      ++left[line[i - 1]];
      ++right[line[i]];
      ++total;
    }
  }
  std::map<std::pair<std::string, std::string>, double> found;
  for (const auto& [pair, count] : pairs) {
    const double value = naive_score(score, count, left[pair.first], right[pair.second], total);
    if (count >= min_count && value >= threshold) found[pair] = value;
  }
  return found;
}

/// Joins what can be joined from left to right, again and again.
void naive_join(std::vector<std::string>& line, const std::set<std::pair<std::string, std::string>>& pairs) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<std::string> result;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i + 1 < line.size() && pairs.count({line[i], line[i + 1]}) > 0) {
        result.push_back(line[i] + "_" + line[i + 1]);
        ++i;
        changed = true;
      } else {
        result.push_back(line[i]);
      }
    }
    line = result;
  }
}

TEST(Phrases, ScoresAreThoseOfTheFormulas) {
  base::Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    const Lines lines = random_lines(rng);
    for (const PhraseScore score : {PhraseScore::npmi, PhraseScore::likelihood_ratio}) {
      const double threshold = score == PhraseScore::npmi ? 0.05 : 0.5;
      const auto expected = naive_pairs(lines, score, threshold, 2);
      const Phrases phrases = find_phrases(Inputs::from_text(as_text(lines)),
                                           {.score = score, .threshold = threshold, .min_count = 2}, {});
      ASSERT_EQ(phrases.list.size(), expected.size()) << as_text(lines);
      for (const Phrase& phrase : phrases.list)
        EXPECT_NEAR(phrase.score, expected.at({phrase.left, phrase.right}), 1e-9);
    }
  }
}

TEST(Phrases, LongerPhrasesComeFromTheJoinedText) {
  base::Rng rng(2);
  const testing::TempFolder folder;
  const std::string path = folder.file("joined.txt");
  for (int round = 0; round < 100; ++round) {
    Lines lines = random_lines(rng);
    const std::string text = as_text(lines);
    const PhraseOptions options = {.threshold = 0.1, .min_count = 2, .max_words = 3};
    const Phrases phrases = find_and_join_phrases(path, Inputs::from_text(text), options, {}, {.threads = 2});
    std::set<std::pair<std::string, std::string>> pairs;
    for (int level = 0; level < 2; ++level) {
      const Lines before = lines;
      for (const auto& [pair, score] : naive_pairs(before, PhraseScore::npmi, 0.1, 2)) {
        const auto words = 2 + std::count(pair.first.begin(), pair.first.end(), '_') +
                           std::count(pair.second.begin(), pair.second.end(), '_');
        if (words <= 3) pairs.insert(pair);
      }
      for (auto& line : lines) naive_join(line, pairs);
    }
    std::set<std::pair<std::string, std::string>> found;
    for (const Phrase& phrase : phrases.list) found.insert({phrase.left, phrase.right});
    ASSERT_EQ(found, pairs) << text;
    std::ifstream file(path);
    std::ostringstream joined;
    joined << file.rdbuf();
    EXPECT_EQ(joined.str(), as_text(lines));
  }
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string joined_by(const Phrases& phrases, const std::string& text, const std::string& path) {
  static_cast<void>(join_phrases(path, Inputs::from_text(text), phrases, {}));
  return bytes_of(path);
}

TEST(Phrases, ASavedTableJoinsAsTheSearchDid) {
  base::Rng rng(3);
  const testing::TempFolder folder;
  int rounds_mattered = 0;
  for (int round = 0; round < 50; ++round) {
    const std::string text = as_text(random_lines(rng));
    const PhraseOptions options = {.threshold = 0.0, .min_count = 1, .max_words = 4};
    const Phrases phrases =
        find_and_join_phrases(folder.file("one.txt"), Inputs::from_text(text), options, {});
    std::ofstream(folder.file("list.tsv")) << format_phrases(phrases);
    Phrases loaded = load_phrases(folder.file("list.tsv"));
    ASSERT_EQ(format_phrases(loaded), format_phrases(phrases));
    const std::string at_once = bytes_of(folder.file("one.txt"));
    ASSERT_EQ(joined_by(loaded, text, folder.file("two.txt")), at_once) << text;
    for (Phrase& phrase : loaded.list) phrase.round = 1;
    rounds_mattered += joined_by(loaded, text, folder.file("three.txt")) != at_once ? 1 : 0;
  }
  EXPECT_GT(rounds_mattered, 0);
}

TEST(Phrases, ATableMayLackFigures) {
  const testing::TempFolder folder;
  std::ofstream(folder.file("list.tsv")) << "new\tyork\nnew_york\tcity\t3\t4\t5\t0.5\t2\n";
  const Phrases phrases = load_phrases(folder.file("list.tsv"));
  ASSERT_EQ(phrases.list.size(), 2U);
  EXPECT_EQ(phrases.list[0].count, 0U);
  EXPECT_EQ(phrases.list[1].right_count, 5U);
  EXPECT_EQ(phrases.list[1].score, 0.5);
  for (const char* line : {"new\tyork\tmany\n", "new\tyork\t1\t1\t1\t1\t0\n", "new\tyork\t1\t1\t1\tx\n"}) {
    std::ofstream(folder.file("bad.tsv")) << line;
    EXPECT_THROW(static_cast<void>(load_phrases(folder.file("bad.tsv"))), InputError) << line;
  }
}

TEST(Phrases, RefuseWhatMakesNoSense) {
  const Inputs text = Inputs::from_text("a b\n");
  EXPECT_THROW(static_cast<void>(find_phrases(text, {.min_count = 0}, {})), UsageError);
  EXPECT_THROW(static_cast<void>(find_phrases(text, {.max_words = 1}, {})), UsageError);
  EXPECT_THROW(static_cast<void>(find_phrases(text, {.joiner = " "}, {})), UsageError);
  const testing::TempFolder folder;
  std::ofstream(folder.file("bad.tsv")) << "new\tyork\nnew york\n";
  EXPECT_THROW(static_cast<void>(load_phrases(folder.file("bad.tsv"))), InputError);
}

}  // namespace
}  // namespace firth

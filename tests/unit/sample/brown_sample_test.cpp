#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "firth/sample.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

std::string text_of(const BrownModel& model, std::uint64_t tokens, std::uint64_t seed) {
  std::string text;
  model.sample(tokens, [&](std::string_view line) { text += line; }, {.seed = seed});
  return text;
}

TEST(BrownModel, IsAProbabilityModel) {
  const BrownModel model({.words = 500, .classes = 12, .zipf = 0.8}, 3);
  std::set<std::string> names;
  std::vector<double> emission_sums(12);
  for (std::uint32_t word = 0; word < 500; ++word) {
    names.insert(model.word(word));
    EXPECT_GT(model.emission(word), 0);
    emission_sums[model.class_of(word)] += model.emission(word);
  }
  EXPECT_EQ(names.size(), 500u);
  for (const double sum : emission_sums) EXPECT_NEAR(sum, 1.0, 1e-12);
  const auto p = model.class_probabilities();
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1.0, 1e-12);
  for (ClassId to = 0; to < 12; ++to) {
    double inflow = 0;
    for (ClassId from = 0; from < 12; ++from) inflow += p[from] * model.transitions(from)[to];
    EXPECT_NEAR(inflow, p[to], 1e-12);
  }
  for (ClassId from = 0; from < 12; ++from) {
    const auto row = model.transitions(from);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-12);
    EXPECT_GT(*std::min_element(row.begin(), row.end()), 0.0);
  }
}

TEST(BrownModel, NamesStayDifferentWithManyWordsAndClasses) {
  const BrownModel model({.words = 20'000, .classes = 300}, 1);
  std::set<std::string> names;
  for (std::uint32_t word = 0; word < 20'000; ++word) names.insert(model.word(word));
  EXPECT_EQ(names.size(), 20'000u);
}

TEST(BrownModel, LinesOfExactlyTwoWordsAreBigramsOfTheModel) {
  const BrownModel model({.words = 40, .classes = 4, .sentence_length = 2, .fixed_length = true}, 5);
  std::istringstream lines(text_of(model, 40'000, 9));
  std::map<std::string, std::uint32_t> number;
  for (std::uint32_t word = 0; word < 40; ++word) number[model.word(word)] = word;
  std::vector<double> pairs(16);
  int count = 0;
  for (std::string left, right, line; std::getline(lines, line); ++count) {
    std::istringstream words(line);
    ASSERT_TRUE(words >> left >> right);
    ASSERT_FALSE(words >> line);
    ++pairs[model.class_of(number.at(left)) * 4 + model.class_of(number.at(right))];
  }
  EXPECT_EQ(count, 20'000);
  for (ClassId left = 0; left < 4; ++left)
    for (ClassId right = 0; right < 4; ++right)
      EXPECT_NEAR(pairs[left * 4 + right] / count,
                  model.class_probabilities()[left] * model.transitions(left)[right], 0.012);
}

TEST(BrownModel, LinesMayStartWithAnyClassAlike) {
  const BrownModel model(
      {.words = 40, .classes = 4, .sentence_length = 1, .fixed_length = true, .first = FirstClass::uniform},
      5);
  std::istringstream lines(text_of(model, 20'000, 9));
  std::map<std::string, std::uint32_t> number;
  for (std::uint32_t word = 0; word < 40; ++word) number[model.word(word)] = word;
  std::vector<double> starts(4);
  for (std::string word; lines >> word;) ++starts[model.class_of(number.at(word))];
  for (const double share : starts) EXPECT_NEAR(share / 20'000, 0.25, 0.015);
}

TEST(BrownModel, SameSeedSameText) {
  const BrownModelOptions options{.words = 50, .classes = 5};
  const std::string text = text_of(BrownModel(options, 9), 1000, 9);
  EXPECT_EQ(text, text_of(BrownModel(options, 9), 1000, 9));
  EXPECT_NE(text, text_of(BrownModel(options, 9), 1000, 10));
  EXPECT_NE(text, text_of(BrownModel(options, 10), 1000, 9));
  // On every machine: the first words of a known draw.
  EXPECT_TRUE(text.starts_with("feli suli suli bali lili beno suba suno baba suba bali bali suli bafe "))
      << text;
}

TEST(BrownModel, TheTextFollowsTheModel) {
  const BrownModel model({.words = 30, .classes = 4, .sentence_length = 10}, 5);
  std::map<std::string, std::uint32_t> ids;
  for (std::uint32_t word = 0; word < 30; ++word) ids[model.word(word)] = word;
  constexpr std::uint64_t kTokens = 400'000;
  std::istringstream lines(text_of(model, kTokens, 5));
  std::vector<double> words(30);
  std::vector<double> pairs(16);
  double tokens = 0;
  double bigrams = 0;
  double sentences = 0;
  for (std::string line; std::getline(lines, line); ++sentences) {
    std::istringstream in(line);
    std::uint32_t previous = 30;
    for (std::string word; in >> word; ++tokens) {
      const std::uint32_t id = ids.at(word);
      ++words[id];
      if (previous < 30) {
        ++pairs[model.class_of(previous) * 4 + model.class_of(id)];
        ++bigrams;
      }
      previous = id;
    }
  }
  EXPECT_EQ(tokens, kTokens);
  EXPECT_NEAR(tokens / sentences, 10, 0.2);
  const auto p = model.class_probabilities();
  for (std::uint32_t word = 0; word < 30; ++word) {
    EXPECT_GT(words[word], 0);
    EXPECT_NEAR(words[word] / tokens, p[model.class_of(word)] * model.emission(word), 0.004);
  }
  for (ClassId a = 0; a < 4; ++a) {
    for (ClassId b = 0; b < 4; ++b) {
      EXPECT_NEAR(pairs[a * 4 + b] / bigrams, p[a] * model.transitions(a)[b], 0.006);
    }
  }
}

TEST(BrownModel, RefusesNonsense) {
  EXPECT_THROW(BrownModel({.words = 3, .classes = 4}, 1), UsageError);
  EXPECT_THROW(BrownModel({.words = 3, .classes = 0}, 1), UsageError);
  EXPECT_THROW(BrownModel({.words = 40'000, .classes = 30'000}, 1), UsageError);
  EXPECT_THROW(BrownModel({.zipf = -1}, 1), UsageError);
  EXPECT_THROW(BrownModel({.zipf = std::nan("")}, 1), UsageError);
  EXPECT_THROW(BrownModel({.contrast = 21}, 1), UsageError);
  EXPECT_THROW(BrownModel({.sentence_length = 0}, 1), UsageError);
  EXPECT_EQ(BrownModel({.words = 1, .classes = 1, .sentence_length = 1}, 1).word_count(), 1u);
}

TEST(BrownSample, WritesTextAndTrueClasses) {
  const testing::TempFolder folder;
  const BrownSample sample =
      save_brown_sample(folder.path(), {.words = 200, .classes = 6}, 50'000, RunOptions{.seed = 4});
  const Clustering truth = load_clustering(folder.file("classes.tsv"));
  EXPECT_EQ(truth.class_count(), 6u);
  EXPECT_EQ(truth.word_count(), 200u);
  EXPECT_EQ(sample.truth.class_count(), 6u);
  EXPECT_EQ(sample.unseen, 0u);
  std::ifstream text(folder.file("text.txt"));
  std::uint64_t tokens = 0;
  std::uint64_t lines = 0;
  for (std::string line; std::getline(text, line); ++lines) {
    std::istringstream in(line);
    for (std::string word; in >> word;) ++tokens;
  }
  EXPECT_EQ(tokens, 50'000u);
  EXPECT_EQ(lines, sample.lines);
}

TEST(BrownSample, StopsAndRefusesBeforeWriting) {
  const testing::TempFolder temp;
  const std::string folder = temp.file("sample");
  std::stop_source source;
  source.request_stop();
  RunOptions stopped;
  stopped.stop = source.get_token();
  EXPECT_THROW(save_brown_sample(folder, {}, 1'000'000, stopped), Cancelled);
  EXPECT_EQ(temp.file_count(), 0u);
  EXPECT_THROW(
      save_brown_sample(folder, {.words = 5000, .classes = 4000}, 10, RunOptions{.memory_bytes = 1u << 20}),
      ResourceError);
  EXPECT_THROW(save_brown_sample(folder, {}, 0, {}), UsageError);
  EXPECT_EQ(temp.file_count(), 0u);
}

}  // namespace
}  // namespace firth

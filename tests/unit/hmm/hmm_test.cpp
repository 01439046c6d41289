#include "firth/hmm.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <fstream>
#include <map>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "reference/naive_hmm.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;

constexpr std::array kAlgorithms = {HmmAlgorithm::em, HmmAlgorithm::vb, HmmAlgorithm::gibbs,
                                    HmmAlgorithm::sparse};

/// Sentences of nouns (a..e), verbs (p..s) and stops, in an order that states can find.
std::string planted_text(std::size_t sentences, std::uint64_t seed) {
  base::Rng rng(seed);
  std::string text;
  const auto word = [&](char first, std::uint64_t kinds) {
    text += static_cast<char>(first + static_cast<char>(std::min(rng.below(kinds), rng.below(kinds))));
    text += ' ';
  };
  for (std::size_t i = 0; i < sentences; ++i) {
    for (std::uint64_t clauses = 1 + rng.below(2); clauses > 0; --clauses) {
      word('a', 5);
      word('p', 4);
      if (rng.below(2) == 0) word('a', 5);
    }
    text += ".\n";
  }
  return text;
}

class HmmTest : public ::testing::Test {
 protected:
  HmmResult train(const std::string& text, const HmmOptions& options, unsigned threads = 2) const {
    const std::vector<std::string> inputs = {folder_.write("text", text)};
    return train_hmm(inputs, options, {.threads = threads, .seed = 3});
  }
  testing::TempFolder folder_;
};

TEST_F(HmmTest, LikelihoodRisesWithEveryStepOfEm) {
  for (const std::uint32_t states : {1U, 2U, 3U, 7U}) {
    const HmmResult result =
        train(planted_text(200, states), {.states = states, .iterations = 60, .tolerance = 0});
    for (std::size_t i = 1; i < result.objective.size(); ++i) {
      EXPECT_GE(result.objective[i], result.objective[i - 1] - 1e-6 * std::abs(result.objective[i - 1]));
    }
  }
}

TEST_F(HmmTest, TheBoundOfVariationalBayesRises) {
  for (const double prior : {0.01, 0.1, 1.0}) {
    const HmmResult result = train(planted_text(200, 5), {.algorithm = HmmAlgorithm::vb,
                                                          .states = 4,
                                                          .iterations = 60,
                                                          .tolerance = 0,
                                                          .transition_prior = prior,
                                                          .emission_prior = prior});
    for (std::size_t i = 1; i < result.objective.size(); ++i) {
      EXPECT_GE(result.objective[i], result.objective[i - 1] - 1e-9 * std::abs(result.objective[i - 1]));
    }
  }
}

TEST_F(HmmTest, TheRegularisedLikelihoodOfSparseEmRises) {
  for (const double sigma : {0.5, 4.0, 32.0}) {
    const HmmResult result =
        train(planted_text(200, 5), {.algorithm = HmmAlgorithm::sparse,
                                     .states = 4,
                                     .iterations = 20,
                                     .tolerance = 0,
                                     .sparse = {.sigma = sigma, .min_count = 1, .steps = 60}});
    EXPECT_GT(result.objective.size(), 3U);
    for (std::size_t i = 1; i + 1 < result.objective.size(); ++i) {
      EXPECT_GE(result.objective[i], result.objective[i - 1] - 1e-5 * std::abs(result.objective[i - 1]));
    }
  }
}

TEST_F(HmmTest, SparseEmUsesFewerStatesPerWord) {
  // Twice as many states as there are kinds of words: plain EM spreads words over them.
  const std::string text = planted_text(150, 12);
  const auto states_used = [&](HmmAlgorithm algorithm) {
    const HmmModel model = train(text, {.algorithm = algorithm,
                                        .states = 6,
                                        .iterations = 100,
                                        .tolerance = 0,
                                        .sparse = {.sigma = 100}})
                               .model;
    double used = 0;
    for (std::size_t word = 0; word < model.vocabulary.size(); ++word) {
      for (std::size_t state = 0; state < model.states; ++state) used += model.emission(word, state) > 1e-2;
    }
    return used / static_cast<double>(model.vocabulary.size());
  };
  EXPECT_LT(states_used(HmmAlgorithm::sparse), 0.8 * states_used(HmmAlgorithm::em));
}

TEST_F(HmmTest, EmReachesTheLikelihoodThatItReports) {
  const std::string text = planted_text(100, 6);
  const HmmResult result = train(text, {.states = 3, .iterations = 100, .tolerance = 1e-12});
  const std::vector<std::string> inputs = {folder_.write("again", text)};
  EXPECT_NEAR(hmm_log_likelihood(result.model, inputs, {}, {}), result.objective.back(), 0.01);
}

TEST_F(HmmTest, EveryAlgorithmFindsPlantedStates) {
  const std::string text = planted_text(2000, 7);
  for (const HmmAlgorithm algorithm : kAlgorithms) {
    const HmmResult result =
        train(text, {.algorithm = algorithm, .states = 3, .iterations = 100, .restarts = 4});
    EXPECT_EQ(result.restarts.size(), 4u);
    EXPECT_EQ(*std::max_element(result.restarts.begin(), result.restarts.end()), result.objective.back());
    const std::vector<std::string> inputs = {folder_.file("text")};
    for (const HmmDecoding decoding : {HmmDecoding::viterbi, HmmDecoding::posterior}) {
      std::map<std::pair<char, std::uint32_t>, std::size_t> seen;  // kind of word and state
      std::size_t tokens = 0;
      decode_text(result.model, inputs, {.decoding = decoding},
                  [&](std::span<const std::string_view> words, std::span<const std::uint32_t> states) {
                    for (std::size_t i = 0; i < words.size(); ++i) {
                      const char first = words[i][0];
                      ++seen[{first == '.' ? '.' : first >= 'p' ? 'p' : 'a', states[i]}];
                      ++tokens;
                    }
                  },
                  {});
      std::map<std::uint32_t, std::size_t> best;
      for (const auto& [key, count] : seen) best[key.second] = std::max(best[key.second], count);
      std::size_t right = 0;
      for (const auto& [state, count] : best) right += count;
      EXPECT_GT(static_cast<double>(right), 0.99 * static_cast<double>(tokens))
          << "algorithm " << static_cast<int>(algorithm);
    }
  }
}

TEST_F(HmmTest, DoesNotDependOnThreads) {
  const std::string text = planted_text(3000, 8);
  for (const HmmAlgorithm algorithm : kAlgorithms) {
    const HmmOptions options{.algorithm = algorithm, .states = 5, .iterations = 5, .restarts = 3};
    const HmmResult one = train(text, options, 1);
    const HmmResult three = train(text, options, 3);
    EXPECT_EQ(one.objective, three.objective);
    EXPECT_EQ(one.model.emissions, three.model.emissions);
    EXPECT_EQ(one.model.transitions, three.model.transitions);
  }
}

TEST_F(HmmTest, ProbabilitiesAddUpToOne) {
  for (const HmmAlgorithm algorithm : kAlgorithms) {
    const HmmModel model =
        train(planted_text(50, 9),
              {.algorithm = algorithm, .states = 4, .iterations = 10, .vocabulary = {.min_count = 20}})
            .model;
    for (std::size_t from = 0; from <= model.states; ++from) {
      double sum = 0;
      for (std::size_t to = 0; to <= model.states; ++to) sum += model.transition(from, to);
      EXPECT_NEAR(sum, 1, 1e-12);
    }
    EXPECT_EQ(model.transition(model.states, model.states), 0);
    for (std::size_t state = 0; state < model.states; ++state) {
      double sum = 0;
      for (std::size_t word = 0; word < model.vocabulary.size(); ++word) sum += model.emission(word, state);
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST_F(HmmTest, ModelsCanBeSavedAndAreCheckedWhenLoaded) {
  const HmmModel model = train(planted_text(50, 10), {.states = 3, .iterations = 5}).model;
  const std::string path = folder_.file("model");
  save_hmm(path, model);
  const HmmModel again = load_hmm(path);
  EXPECT_EQ(again.transitions, model.transitions);
  EXPECT_EQ(again.emissions, model.emissions);
  EXPECT_EQ(again.vocabulary.word(0), model.vocabulary.word(0));
  std::string bytes = testing::read_file(path);
  for (std::size_t place = 0; place < bytes.size(); place += 97) {
    std::string broken = bytes;
    broken[place] = static_cast<char>(broken[place] ^ 0x41);
    EXPECT_THROW(load_hmm(folder_.write("broken", broken)), FormatError) << "byte " << place;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{63}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_THROW(load_hmm(folder_.write("short", bytes.substr(0, size))), FormatError);
  }
  HmmModel wrong = model;
  wrong.transitions[0] = 2;
  save_hmm(path, wrong);
  EXPECT_THROW(load_hmm(path), FormatError);
  wrong = model;
  wrong.emissions[0] = std::nan("");
  save_hmm(path, wrong);
  EXPECT_THROW(load_hmm(path), FormatError);
}

TEST_F(HmmTest, RefusesWhatMakesNoSense) {
  EXPECT_THROW(train("a b\n", {.states = 0}), UsageError);
  EXPECT_THROW(train("a b\n", {.states = 2, .iterations = 0}), UsageError);
  EXPECT_THROW(train("a b\n", {.states = 2, .restarts = 0}), UsageError);
  EXPECT_THROW(train("a b\n", {.states = 2, .emission_prior = 0}), UsageError);
  EXPECT_THROW(train("\n\n", {.states = 2}), InputError);
  const std::vector<std::string> inputs = {folder_.write("text", "a b c\n")};
  EXPECT_THROW(train_hmm(inputs, {.states = 2000}, {.memory_bytes = 100000}), ResourceError);
  std::stop_source source;
  source.request_stop();
  RunOptions stopped;
  stopped.stop = source.get_token();
  EXPECT_THROW(train_hmm(inputs, {.states = 2}, stopped), Cancelled);
}

TEST_F(HmmTest, TagsWordsItDoesNotKnowByTheirNeighbours) {
  const HmmModel model = train(planted_text(2000, 11), {.states = 3, .iterations = 100, .restarts = 4}).model;
  const std::vector<std::string> inputs = {folder_.write("new", "a p b .\na new b .\n\nunheard\n")};
  std::vector<std::vector<std::uint32_t>> tagged;
  decode_text(
      model, inputs, {},
      [&](auto, std::span<const std::uint32_t> states) { tagged.emplace_back(states.begin(), states.end()); },
      {});
  ASSERT_EQ(tagged.size(), 3u);
  EXPECT_EQ(tagged[0], tagged[1]);
}

}  // namespace
}  // namespace firth

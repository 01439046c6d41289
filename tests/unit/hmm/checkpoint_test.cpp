// Trainings that are interrupted and continued.
#include <gmock/gmock.h>

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "firth/hmm.hpp"
#include "support/interruptions.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using testing::StopAt;

std::string random_text(std::uint64_t seed, std::size_t sentences) {
  base::Rng rng(seed);
  std::string text;
  for (std::size_t i = 0; i < sentences; ++i) {
    for (std::uint64_t left = 2 + rng.below(6); left > 0; --left) {
      text += static_cast<char>('a' + static_cast<char>(std::min(rng.below(12), rng.below(12))));
      text += ' ';
    }
    text += '\n';
  }
  return text;
}

HmmOptions options_for(HmmAlgorithm algorithm) {
  HmmOptions options{.algorithm = algorithm, .states = 4, .iterations = 12, .restarts = 1};
  options.tolerance = 1e-4;
  options.sparse = {.sigma = 4, .min_count = 3, .steps = 2, .warm_up = 5};
  return options;
}

/// A file that is written when the training ends or is stopped; with 0 seconds, after every iteration as well, which
/// takes long because files are synced.
CheckpointOptions at(const std::string& file, bool resume, double seconds = 3600) {
  return {.file = file, .seconds = seconds, .resume = resume};
}

HmmResult train(const std::string& text, HmmOptions options, const CheckpointOptions& checkpoint,
                const RunOptions& run) {
  options.checkpoint = checkpoint;
  return train_hmm(Inputs::from_text(text), options, run);
}

void expect_same(const HmmResult& one, const HmmResult& other) {
  EXPECT_EQ(one.model.to_bytes(), other.model.to_bytes());
  EXPECT_EQ(one.objective, other.objective);
  EXPECT_EQ(one.restarts, other.restarts);
  EXPECT_EQ(one.tokens, other.tokens);
}

/// Stops after every iteration in turn, goes on with other threads, and compares. Returns the interruptions.
int interrupt_everywhere(const std::string& text, const HmmOptions& options) {
  const HmmResult whole = train(text, options, {}, {.threads = 1, .seed = 5});
  for (int reports = 1;; ++reports) {
    const testing::TempFolder folder;
    StopAt sink(reports);
    const auto threads = static_cast<unsigned>(1 + reports % 2);
    try {
      const HmmResult all = train(text, options, at(folder.file("run"), false),
                                  {.threads = threads, .seed = 5, .progress = &sink, .stop = sink.token()});
      expect_same(all, whole);
      // The stop after the last iteration comes too late; beyond it, there are no more reports.
      if (!sink.token().stop_requested()) return reports - 1;
    } catch (const Cancelled&) {
    }
    expect_same(train(text, options, at(folder.file("run"), true), {.threads = 3 - threads, .seed = 5}),
                whole);
  }
}

TEST(HmmCheckpoint, AContinuedTrainingGivesTheSameModel) {
  const std::string text = random_text(1, 400);
  for (const HmmAlgorithm algorithm :
       {HmmAlgorithm::em, HmmAlgorithm::vb, HmmAlgorithm::gibbs, HmmAlgorithm::sparse}) {
    EXPECT_GE(interrupt_everywhere(text, options_for(algorithm)), 5) << static_cast<int>(algorithm);
  }
}

TEST(HmmCheckpoint, RestartsGoOnToo) {
  const std::string text = random_text(2, 100);
  for (const HmmAlgorithm algorithm : {HmmAlgorithm::em, HmmAlgorithm::vb, HmmAlgorithm::sparse}) {
    HmmOptions options = options_for(algorithm);
    options.restarts = 4;
    options.iterations = 6;
    EXPECT_GE(interrupt_everywhere(text, options), 12);
  }
}

/// The sampler's restarts run on threads of their own, without reports: a clock stops them anywhere.
TEST(HmmCheckpoint, RestartsOfTheSamplerGoOnToo) {
  const std::string text = random_text(3, 300);
  HmmOptions options = options_for(HmmAlgorithm::gibbs);
  options.restarts = 5;
  options.iterations = 30;
  const HmmResult whole = train(text, options, {}, {.threads = 1, .seed = 5});
  const testing::TempFolder folder;
  int interruptions = 0;
  for (int wait = 0;; ++wait) {
    std::stop_source stop;
    const std::jthread clock([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5 << wait));
      stop.request_stop();
    });
    try {
      const unsigned threads = 1 + static_cast<unsigned>(wait % 3);
      const HmmResult continued = train(text, options, at(folder.file("run"), wait > 0, 0),
                                        {.threads = threads, .seed = 5, .stop = stop.get_token()});
      expect_same(continued, whole);
      break;
    } catch (const Cancelled&) {
      ++interruptions;
    }
  }
  EXPECT_GT(interruptions, 0);
}

TEST(HmmCheckpoint, AFinishedTrainingIsReadBack) {
  const std::string text = random_text(4, 100);
  const testing::TempFolder folder;
  HmmOptions options = options_for(HmmAlgorithm::gibbs);
  options.restarts = 3;
  const HmmResult whole = train(text, options, at(folder.file("run"), false), {.threads = 2});
  const HmmResult again = train(text, options, at(folder.file("run"), true), {.threads = 1});
  expect_same(again, whole);
}

/// A process that is killed at any moment leaves what was written last: here, after every iteration.
TEST(HmmCheckpoint, IsWrittenAfterEveryIteration) {
  const std::string text = random_text(9, 50);
  const HmmOptions options = options_for(HmmAlgorithm::vb);
  const testing::TempFolder folder;
  testing::KeepCopies kept(folder, "run");
  const HmmResult whole =
      train(text, options, at(folder.file("run"), false, 0), {.threads = 1, .progress = &kept});
  EXPECT_EQ(kept.files.size(), whole.objective.size());
  for (const std::string& file : kept.files)
    expect_same(train(text, options, at(file, true), {.threads = 2}), whole);
}

TEST(HmmCheckpoint, ThatCannotBeWrittenDoesNotEndTheTraining) {
  const std::string text = random_text(5, 50);
  const HmmOptions options = options_for(HmmAlgorithm::em);
  testing::Warnings sink;
  const HmmResult result = train(text, options, at("/dev/full", false), {.threads = 2, .progress = &sink});
  expect_same(result, train(text, options, {}, {}));
  EXPECT_THAT(sink.messages, ::testing::ElementsAre(HasSubstr("the checkpoint was not written: /dev/full")));
}

TEST(HmmCheckpoint, OfAnotherTrainingIsRefused) {
  const std::string text = random_text(6, 60);
  const testing::TempFolder folder;
  const HmmOptions options = options_for(HmmAlgorithm::vb);
  const CheckpointOptions read = at(folder.file("run"), true);
  const RunOptions run{.threads = 1};
  static_cast<void>(train(text, options, at(folder.file("run"), false), run));
  const auto refused = [&](const std::string& of, const HmmOptions& with, const RunOptions& how) {
    try {
      static_cast<void>(train(of, with, read, how));
      return false;
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr("remove the file to start from the beginning"));
      return true;
    }
  };
  EXPECT_FALSE(refused(text, options, run));
  EXPECT_TRUE(refused(text, options, {.threads = 1, .seed = 77}));
  EXPECT_TRUE(refused(text + "a\n", options, run));
  EXPECT_TRUE(refused(random_text(7, 60), options, run));
  HmmOptions other = options;
  other.states = 5;
  EXPECT_TRUE(refused(text, other, run));
  other = options;
  other.iterations = 13;
  EXPECT_TRUE(refused(text, other, run));
  other = options;
  other.emission_prior = 0.2;
  EXPECT_TRUE(refused(text, other, run));
  EXPECT_TRUE(refused(text, options_for(HmmAlgorithm::em), run));
  EXPECT_THROW(static_cast<void>(train(text, options, at("", true), run)), UsageError);
}

TEST(HmmCheckpoint, EveryDamagedByteIsFound) {
  const std::string text = random_text(8, 40);
  const testing::TempFolder folder;
  const HmmOptions options = options_for(HmmAlgorithm::gibbs);
  static_cast<void>(train(text, options, at(folder.file("run"), false), {.threads = 1}));
  const std::string bytes = testing::read_file(folder.file("run"));
  for (std::size_t place = 0; place < bytes.size(); place += 1 + bytes.size() / 70) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ 0x20);
    EXPECT_THROW(
        static_cast<void>(train(text, options, at(folder.write("changed", changed), true), {.threads = 1})),
        FormatError)
        << place;
  }
  EXPECT_THROW(
      static_cast<void>(train(text, options, at(folder.write("cut", bytes.substr(0, bytes.size() / 2)), true),
                              {.threads = 1})),
      FormatError);
}

}  // namespace
}  // namespace firth

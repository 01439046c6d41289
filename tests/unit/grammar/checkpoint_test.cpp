// Trainings of grammars that are interrupted and continued.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "firth/error.hpp"
#include "firth/lpcfg.hpp"
#include "firth/sample.hpp"
#include "support/interruptions.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using testing::StopAt;

class GrammarCheckpoint : public ::testing::Test {
 protected:
  void SetUp() override {
    save_lpcfg_sample(folder_.file("sample"), {.phrases = 3, .tags = 4, .words = 30, .states = 2}, 300, {});
    trees_ = folder_.file("sample") + "/trees.mrg";
  }

  /// Two models of two grammars.
  static std::vector<LpcfgTrainOptions> models() {
    LpcfgTrainOptions options = recommended_training();
    options.latent.states = 3;
    options.latent.em_steps = 3;
    options.latent.grammars = 2;
    std::vector<LpcfgTrainOptions> both = {options, options};
    both[1].binarize.branching = TreeBranching::right;
    both[1].latent.em_start = EmStart::random;
    return both;
  }

  /// The bytes of all models.
  std::string train(std::vector<LpcfgTrainOptions> options, const CheckpointOptions& checkpoint,
                    const RunOptions& run) const {
    for (LpcfgTrainOptions& each : options) each.checkpoint = checkpoint;
    std::string bytes;
    for (const Lpcfg& model : train_grammars(std::vector<std::string>{trees_}, options, run))
      bytes += model.to_bytes();
    return bytes;
  }

  /// A file that is written when the training ends or is stopped.
  static CheckpointOptions at(const std::string& file, bool resume) {
    return {.file = file, .seconds = 3600, .resume = resume};
  }

  bool is_refused(const std::vector<LpcfgTrainOptions>& options, const CheckpointOptions& checkpoint,
                  const RunOptions& run) const {
    try {
      static_cast<void>(train(options, checkpoint, run));
      return false;
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr("remove the file to start from the beginning"));
      return true;
    }
  }

  testing::TempFolder folder_;
  std::string trees_;
};

TEST_F(GrammarCheckpoint, AContinuedTrainingGivesTheSameGrammars) {
  const std::string whole = train(models(), {}, {.threads = 1, .seed = 5});
  int interruptions = 0;
  for (int reports = 1;; ++reports) {
    const testing::TempFolder folder;
    StopAt sink(reports);
    const auto threads = static_cast<unsigned>(1 + reports % 2);
    try {
      EXPECT_EQ(train(models(), at(folder.file("run"), false),
                      {.threads = threads, .seed = 5, .progress = &sink, .stop = sink.token()}),
                whole);
      if (!sink.token().stop_requested()) break;
    } catch (const Cancelled&) {
      ++interruptions;
    }
    EXPECT_EQ(train(models(), at(folder.file("run"), true), {.threads = 3 - threads, .seed = 5}), whole)
        << "stopped at report " << reports;
  }
  EXPECT_GE(interruptions, 11);  // four grammars of three steps
}

TEST_F(GrammarCheckpoint, IsWrittenAfterEveryStep) {
  const std::string whole = train(models(), {}, {.threads = 2});
  testing::KeepCopies kept(folder_, "run");
  EXPECT_EQ(train(models(), {.file = folder_.file("run"), .seconds = 0}, {.threads = 2, .progress = &kept}),
            whole);
  EXPECT_GE(kept.files.size(), 12U);
  for (const std::string& file : kept.files)
    EXPECT_EQ(train(models(), at(file, true), {.threads = 1}), whole);
}

TEST_F(GrammarCheckpoint, OfAnotherTrainingIsRefused) {
  const CheckpointOptions read = at(folder_.file("run"), true);
  static_cast<void>(train(models(), at(folder_.file("run"), false), {}));
  EXPECT_FALSE(is_refused(models(), read, {}));
  EXPECT_TRUE(is_refused(models(), read, {.seed = 7}));
  std::vector<LpcfgTrainOptions> other = models();
  other[1].latent.em_steps = 4;
  EXPECT_TRUE(is_refused(other, read, {}));
  other = models();
  other[0].latent.smooth_words = 0.2;
  EXPECT_TRUE(is_refused(other, read, {}));
  other.pop_back();
  EXPECT_TRUE(is_refused(other, read, {}));
  other = models();
  for (LpcfgTrainOptions& each : other) each.algorithm = LpcfgAlgorithm::cluster;
  EXPECT_THROW(static_cast<void>(train(other, read, {})), UsageError);
  EXPECT_THROW(static_cast<void>(train(models(), at("", true), {})), UsageError);
  const std::string trees = testing::read_file(trees_);
  folder_.write("sample/trees.mrg", trees.substr(trees.find('\n') + 1));
  EXPECT_TRUE(is_refused(models(), read, {}));
}

TEST_F(GrammarCheckpoint, EveryDamagedByteIsFound) {
  std::vector<LpcfgTrainOptions> one = {models()[0]};
  static_cast<void>(train(one, at(folder_.file("run"), false), {}));
  const std::string bytes = testing::read_file(folder_.file("run"));
  for (std::size_t place = 0; place < bytes.size(); place += 1 + bytes.size() / 50) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ 0x20);
    EXPECT_TRUE(is_refused(one, at(folder_.write("changed", changed), true), {})) << place;
  }
}

TEST_F(GrammarCheckpoint, ThatCannotBeWrittenDoesNotEndTheTraining) {
  const std::vector<LpcfgTrainOptions> one = {models()[0]};
  testing::Warnings sink;
  EXPECT_EQ(train(one, at("/dev/full", false), {.progress = &sink}), train(one, {}, {}));
  EXPECT_THAT(sink.messages, ::testing::ElementsAre(HasSubstr("the checkpoint was not written: /dev/full")));
}

}  // namespace
}  // namespace firth

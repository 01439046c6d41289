// Latent grammars from end to end: trees or tagged sentences in, model file, parses out.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "firth/error.hpp"
#include "firth/parser.hpp"
#include "firth/sample.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

class LatentTraining : public ::testing::Test {
 protected:
  void SetUp() override {
    save_lpcfg_sample(folder_.file("sample"), {.phrases = 3, .tags = 4, .words = 30, .states = 2}, 400, run_);
    trees_ = folder_.file("sample") + "/trees.mrg";
  }

  Lpcfg train(LpcfgAlgorithm algorithm, std::uint32_t grammars = 1, unsigned threads = 1) {
    LpcfgTrainOptions options = recommended_training();
    options.algorithm = algorithm;
    options.latent.states = 3;
    options.latent.grammars = grammars;
    RunOptions run = run_;
    run.threads = threads;
    return train_lpcfg(std::vector<std::string>{trees_}, options, run);
  }

  /// The first trees of the sample, parsed from their words.
  std::string parses(const Lpcfg& grammar) {
    const Parser parser(grammar, {});
    std::ifstream in(trees_);
    std::string result;
    std::string line;
    for (int i = 0; i < 20 && std::getline(in, line); ++i) {
      std::vector<ParserToken> words;
      const std::vector<Tree> trees = parse_trees(line, "tree");
      for (const std::uint32_t leaf : trees.front().leaves())
        words.push_back({trees.front().nodes[leaf].word, {}});
      const ParseResult parsed = parser.parse(words);
      EXPECT_NE(parsed.status, ParseStatus::flat);
      result += format_tree(parsed.tree) + "\n";
    }
    return result;
  }

  testing::TempFolder folder_;
  RunOptions run_;
  std::string trees_;
};

TEST_F(LatentTraining, EveryAlgorithmLearnsSavesAndParses) {
  for (const auto algorithm : {LpcfgAlgorithm::spectral, LpcfgAlgorithm::cluster, LpcfgAlgorithm::em}) {
    for (const std::uint32_t grammars : {1U, 3U}) {
      const Lpcfg grammar = train(algorithm, grammars);
      EXPECT_EQ(grammar.info().grammars, grammars);
      EXPECT_GT(grammar.info().states, grammar.info().phrases + grammar.info().tags);
      const std::string path = folder_.file("model");
      save_lpcfg(path, grammar);
      EXPECT_EQ(parses(load_lpcfg(path)), parses(grammar));
    }
  }
}

TEST_F(LatentTraining, ModelsAreTheSameForAnyThreads) {
  const auto bytes = [&](unsigned threads) {
    const std::string path = folder_.file("model");
    save_lpcfg(path, train(LpcfgAlgorithm::em, 2, threads));
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string one = bytes(1);
  EXPECT_FALSE(one.empty());
  EXPECT_TRUE(one == bytes(3));
}

TEST_F(LatentTraining, TooMuchMemoryIsRefusedBeforehand) {
  run_.memory_bytes = 1000;
  for (const auto algorithm : {LpcfgAlgorithm::pcfg, LpcfgAlgorithm::spectral, LpcfgAlgorithm::em})
    EXPECT_THROW(train(algorithm), ResourceError);
  run_.memory_bytes = 1'000'000;  // enough for the trees, not for their states
  EXPECT_NO_THROW(train(LpcfgAlgorithm::pcfg));
}

TEST_F(LatentTraining, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(validate(LatentOptions{.states = 0}), UsageError);
  EXPECT_THROW(validate(LatentOptions{.singular_cut = 1}), UsageError);
  EXPECT_THROW(validate(LatentOptions{.backoff = -1}), UsageError);
  EXPECT_THROW(validate(LatentOptions{.grammars = 0}), UsageError);
  EXPECT_THROW(validate(LatentOptions{.smooth_words = 2}), UsageError);
}

std::string tags_of(const Tree& tree) {
  std::string tags;
  for (const std::uint32_t leaf : tree.leaves()) tags += tree.nodes[leaf].label + " ";
  return tags;
}

class Sequences : public LatentTraining {
 protected:
  Lpcfg train_on(const std::string& text) {
    LpcfgTrainOptions options = recommended_training();
    options.sequences = true;
    options.lexicon.rare = 1;
    return train_lpcfg(std::vector<std::string>{folder_.write("tagged", text)}, options, run_);
  }
};

TEST_F(Sequences, LearnATagger) {
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += "the\tDET\ndog\tNOUN\nruns\tVERB\n\nthe\tDET\nruns\tNOUN\nend\tVERB\n\n\nruns\tNOUN\n\n";
  const Parser parser(train_on(text), {});
  const auto tags = [&](std::vector<ParserToken> words) { return tags_of(parser.parse(words).tree); };
  EXPECT_EQ(tags({{"the"}, {"dog"}, {"runs"}}), "DET NOUN VERB ");
  EXPECT_EQ(tags({{"the"}, {"runs"}, {"runs"}}), "DET NOUN VERB ");
  EXPECT_EQ(tags({{"runs"}}), "NOUN ");
}

TEST_F(Sequences, ReadsConllu) {
  std::string text = "# a comment\n";
  text +=
      "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t_\t_\t_\t_\n2\tel\t_\tDET\t_\t_\t_\t_\t_\t_\n";
  text += "2.1\tnada\t_\tX\t_\t_\t_\t_\t_\t_\n3\tNew York\t_\t_\tNNP\t_\t_\t_\t_\t_\r\n";
  const Parser parser(train_on(text), {});
  EXPECT_EQ(tags_of(parser.parse(std::vector<ParserToken>{{"de"}, {"el"}, {"New_York"}}).tree),
            "ADP DET NNP ");
}

TEST_F(Sequences, SayWhereTheyCannotBeRead) {
  try {
    train_on("the\tDET\nno tag here\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(":2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(train_on("\n\n"), InputError);
  EXPECT_THROW(train_on("word\t\n"), InputError);
}

}  // namespace
}  // namespace firth

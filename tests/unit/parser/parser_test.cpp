// Training and parsing from end to end, on a treebank of a few trees.
#include "firth/parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

constexpr const char* kTrees =
    "( (S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (JJ big) (NN dog))) (. .)))\n"
    "( (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT the) (NN cat)) (PP (IN with) (NP (DT a) (NN dog)))) "
    "(. .)))\n"
    "( (S (NP (DT a) (NN dog)) (VP (VBD ran)) (. .)))\n"
    "( (S (NP (NP (DT the) (NN cat)) (PP (IN with) (NP (DT the) (NN dog)))) (VP (VBD ran)) (. .)))\n"
    "( (NP (NN cat)))\n"
    "( (S (NP (-LRB- -LRB-) (NN dog) (-RRB- -RRB-)) (VP (VBD ran)) (. .)))\n";

class ParserTest : public ::testing::Test {
 protected:
  Lpcfg train(LpcfgTrainOptions options = {}) {
    options.lexicon = {.rare = 2, .class_size = 1};
    const std::string path = write("trees.mrg", kTrees);
    return train_lpcfg(std::vector<std::string>{path}, options, run_);
  }

  std::string write(const std::string& name, const std::string& text) { return folder_.write(name, text); }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_.file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static std::vector<ParserToken> words(const std::string& text) {
    std::vector<ParserToken> result;
    std::istringstream in(text);
    for (std::string word; in >> word;) result.push_back({word, {}});
    return result;
  }

  std::vector<std::string> parse_lines(const Parser& parser, const std::string& text, const RunOptions& run) {
    std::vector<std::string> lines;
    const std::vector<std::string> inputs = {write("text", text)};
    summary_ = parse_text(
        parser, inputs,
        [&](const ParseResult& result) {
          lines.push_back(result.status == ParseStatus::empty ? "" : format_tree(result.tree));
        },
        run);
    return lines;
  }

  testing::TempFolder folder_;
  RunOptions run_;
  ParseSummary summary_;
};

TEST_F(ParserTest, MarginalsOfLabelsSumOverAnnotationsAndChains) {
  const Lpcfg grammar = train({.binarize = {.horizontal = 1, .vertical = 2}});
  const Parser parser(grammar, {.marginals = ParseMarginals::labels, .min_marginal = 0, .prune = 0});
  const ParseResult result = parser.parse(words("the cat saw the dog with a dog ."));
  std::map<std::string, double> whole;
  std::vector<double> tags(9);
  for (const SpanMarginal& span : result.marginals) {
    EXPECT_EQ(span.label.find_first_of("@^|"), std::string::npos);
    if (span.begin == 0 && span.end == 9) whole[span.label] = span.marginal;
    if (span.end == span.begin + 1 && (span.label.size() > 2 || span.label == "DT" || span.label == "NN" ||
                                       span.label == "IN" || span.label == "."))
      tags[span.begin] += span.marginal;
  }
  EXPECT_NEAR(whole["S"], 1, 1e-5);
  for (const double sum : tags) EXPECT_NEAR(sum, 1, 1e-5);  // every word has one tag
  const Parser fewer(grammar, {.marginals = ParseMarginals::labels, .min_marginal = 0.5, .prune = 0});
  for (const SpanMarginal& span : fewer.parse(words("the cat saw the dog with a dog .")).marginals)
    EXPECT_GE(span.marginal, 0.5);
  EXPECT_TRUE(Parser(grammar, {}).parse(words("the cat ran .")).marginals.empty());
  EXPECT_THROW(Parser(grammar, {.min_marginal = 1.5}), UsageError);
}

TEST_F(ParserTest, FindsTheTreesItLearned) {
  for (const std::uint32_t vertical : {1U, 2U}) {
    for (const ParseDecoding decoding :
         {ParseDecoding::brackets, ParseDecoding::max_marginal, ParseDecoding::viterbi}) {
      const Parser parser(train({.binarize = {.horizontal = 1, .vertical = vertical}}),
                          {.decoding = decoding});
      const ParseResult result = parser.parse(words("the cat saw a big dog ."));
      EXPECT_EQ(result.status, ParseStatus::parsed);
      EXPECT_LT(result.log_probability, 0);
      EXPECT_EQ(format_tree(result.tree),
                "( (S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (JJ big) (NN dog))) (. .)))");
    }
  }
}

TEST_F(ParserTest, OneLineForEveryLine) {
  const Parser parser(train(), {});
  const auto lines = parse_lines(parser, "the cat ran .\n\n   \ncat\nthe (dog) ran .", run_);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[1], "");
  EXPECT_EQ(lines[2], "");
  EXPECT_EQ(lines[3], "( (NP (NN cat)))");
  EXPECT_THAT(lines[4], ::testing::HasSubstr("-LRB-dog-RRB-"));
  EXPECT_EQ(summary_.sentences, 3U);
}

TEST_F(ParserTest, WordsThatWereNeverSeen) {
  const Parser parser(train(), {});
  const ParseResult result = parser.parse(words("the zebra saw a huge lion ."));
  EXPECT_EQ(result.status, ParseStatus::parsed);
  EXPECT_EQ(result.tree.leaves().size(), 7U);
}

// `zorp` is in no tree and has the shape of both kinds of words: what it is, its class says.
TEST_F(ParserTest, NewWordsBehaveAsTheirClasses) {
  std::string trees;
  for (const char* noun : {"cat", "dog", "elk"}) trees += "( (NP (NN " + std::string(noun) + ")))\n";
  for (const char* verb : {"go", "run", "hop"}) trees += "( (S (VB " + std::string(verb) + ")))\n";
  const std::vector<std::string> inputs = {write("planted.mrg", trees)};
  const std::string nouns = "00\tcat\t9\n00\tdog\t9\n00\telk\t9\n";
  const std::string verbs = "01\tgo\t9\n01\trun\t9\n01\thop\t9\n";
  for (const LpcfgAlgorithm algorithm : {LpcfgAlgorithm::pcfg, LpcfgAlgorithm::cluster}) {
    const auto parsed = [&](const std::string& planted) {
      LpcfgTrainOptions options;
      options.algorithm = algorithm;
      options.lexicon = {.rare = 2, .class_size = 1};
      options.clusters = load_clustering(write("paths", nouns + verbs + planted));
      const Lpcfg grammar = train_lpcfg(inputs, options, run_);
      save_lpcfg(folder_.file("model"), grammar);
      return format_tree(Parser(load_lpcfg(folder_.file("model")), {}).parse(words("zorp")).tree);
    };
    EXPECT_EQ(parsed("00\tzorp\t9\n"), "( (NP (NN zorp)))");
    EXPECT_EQ(parsed("01\tzorp\t9\n"), "( (S (VB zorp)))");
  }
}

TEST_F(ParserTest, SeveralModelsVote) {
  const Lpcfg left = train({.binarize = {.horizontal = 1, .vertical = 2}});
  const Lpcfg right = train({.binarize = {.branching = TreeBranching::right}});
  const Parser both(std::vector<Lpcfg>{left, right}, {});
  const ParseResult result = both.parse(words("the cat saw a big dog ."));
  EXPECT_EQ(result.status, ParseStatus::parsed);
  EXPECT_EQ(result.log_probability, Parser(left, {}).parse(words("the cat saw a big dog .")).log_probability);
  EXPECT_EQ(format_tree(result.tree),
            "( (S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (JJ big) (NN dog))) (. .)))");
  EXPECT_EQ(both.parse(words(". . .")).status, ParseStatus::flat);
  EXPECT_EQ(both.parse({}).status, ParseStatus::empty);
  EXPECT_THROW(Parser(std::vector<Lpcfg>{left, right}, {.decoding = ParseDecoding::max_marginal}),
               UsageError);
  EXPECT_THROW(Parser(std::vector<Lpcfg>{}, {}), UsageError);
}

// A model that has no tree for the words leaves it to the other.
TEST_F(ParserTest, ModelsWithoutATreeDoNotVote) {
  const std::vector<std::string> inputs = {write("dots.mrg", "( (S (. .) (. .) (. .)))\n")};
  const Lpcfg dots = train_lpcfg(inputs, {}, run_);
  const Parser parser(std::vector<Lpcfg>{train(), dots}, {});
  const ParseResult result = parser.parse(words(". . ."));
  EXPECT_EQ(result.status, ParseStatus::parsed);
  EXPECT_EQ(format_tree(result.tree), "( (S (. .) (. .) (. .)))");
  EXPECT_TRUE(std::isnan(result.log_probability));
}

// `dog` was never a sentence, but NP|NN was.
TEST_F(ParserTest, SingleWordsThatWereNeverASentence) {
  const std::vector<std::string> inputs = {
      write("one.mrg", "( (NP (NN cat)))\n( (S (NP (DT the) (NN dog)) (VP (VBD ran))))\n")};
  LpcfgTrainOptions options;
  options.lexicon = {.rare = 1, .class_size = 1};
  const Parser parser(train_lpcfg(inputs, options, run_), {});
  EXPECT_EQ(format_tree(parser.parse(words("dog")).tree), "( (NP (NN dog)))");
  EXPECT_EQ(parser.parse(words("the")).status, ParseStatus::flat);
}

TEST_F(ParserTest, FlatTreesWhereThereIsNone) {
  const Parser parser(train(), {});
  const ParseResult result = parser.parse(words(". . ."));
  EXPECT_EQ(result.status, ParseStatus::flat);
  EXPECT_EQ(format_tree(result.tree), "( (X (. .) (. .) (. .)))");
  EXPECT_TRUE(std::isnan(result.log_probability));
  std::string many;
  for (int i = 0; i < 200; ++i) many += ". ";
  EXPECT_EQ(parser.parse(words(many)).status, ParseStatus::flat);
  EXPECT_EQ(parser.parse(words(many)).tree.leaves().size(), 200U);
  const ParseResult one = parser.parse(words("."));
  EXPECT_EQ(one.tree.leaves().size(), 1U);
}

TEST_F(ParserTest, ThreeHundredWords) {
  std::string text = "the cat saw the dog";
  for (int i = 0; i < 98; ++i) text += " with the dog";
  const Parser parser(train(), {});
  const ParseResult result = parser.parse(words(text + " ."));
  EXPECT_EQ(result.status, ParseStatus::parsed);
  EXPECT_EQ(result.tree.leaves().size(), 300U);
  EXPECT_TRUE(std::isfinite(result.log_probability));
}

TEST_F(ParserTest, StopsInTheMiddleOfASentence) {
  const Parser parser(train(), {});
  const auto sentence = words("the cat saw a big dog .");
  const ParseResult before = parser.parse(sentence);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(parser.parse(sentence, {.stop = source.get_token()}), Cancelled);
  EXPECT_EQ(parser.parse(sentence).tree, before.tree);
}

TEST_F(ParserTest, MemoryLimitGivesFlatTrees) {
  const Parser parser(train(), {});
  EXPECT_EQ(parser.parse(words("the cat ran ."), {.memory_bytes = 1000}).status, ParseStatus::flat);
  EXPECT_EQ(parser.parse(words("the cat ran ."), {.memory_bytes = 10'000'000}).status, ParseStatus::parsed);
}

TEST_F(ParserTest, GivenTags) {
  const Parser parser(train(), {.tag_separator = "_"});
  const auto lines = parse_lines(
      parser, "the_DT dog_NN ran_VBD ._.\nthe_DT saw_NN ran ._.\na_XYZ dog_NN ran_VBD ._.\n_\n", run_);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "( (S (NP (DT the) (NN dog)) (VP (VBD ran)) (. .)))");
  EXPECT_THAT(lines[1], ::testing::HasSubstr("(NN saw)"));
  EXPECT_THAT(lines[2], ::testing::HasSubstr("(DT a)"));
  EXPECT_EQ(summary_.unknown_tags, 1U);
}

TEST_F(ParserTest, KnowsTheTagsOfItsGrammars) {
  const Parser parser(train(), {});
  EXPECT_TRUE(parser.knows_tag("NN"));
  EXPECT_TRUE(parser.knows_tag("-LRB-"));
  EXPECT_FALSE(parser.knows_tag("NP"));  // a phrase
  EXPECT_FALSE(parser.knows_tag(""));
}

TEST_F(ParserTest, SameForAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "the cat saw a dog with the dog .\nthe dog ran .\n\n";
  const Parser parser(train({.binarize = {.vertical = 2}}), {});
  RunOptions one;
  one.threads = 1;
  RunOptions three;
  three.threads = 3;
  EXPECT_EQ(parse_lines(parser, text, one), parse_lines(parser, text, three));
}

TEST_F(ParserTest, PruningKeepsTheTree) {
  const Lpcfg grammar = train();
  const Parser pruned(grammar, {});
  const Parser all(grammar, {.prune = 0});
  const auto sentence = words("the dog saw the cat with a dog .");
  EXPECT_EQ(pruned.parse(sentence).tree, all.parse(sentence).tree);
  EXPECT_NEAR(pruned.parse(sentence).log_probability, all.parse(sentence).log_probability, 0.01);
}

TEST_F(ParserTest, ModelFilesComeBackTheSame) {
  const Lpcfg grammar =
      train({.binarize = {.branching = TreeBranching::right, .horizontal = 1, .vertical = 2}});
  const std::string path = folder_.file("model");
  save_lpcfg(path, grammar);
  const Lpcfg loaded = load_lpcfg(path);
  EXPECT_EQ(loaded.info().parameters, grammar.info().parameters);
  const auto sentence = words("the zebra saw a dog .");
  EXPECT_EQ(Parser(loaded, {}).parse(sentence).tree, Parser(grammar, {}).parse(sentence).tree);
  const std::string again = folder_.file("again");
  save_lpcfg(again, loaded);
  EXPECT_EQ(read("model"), read("again"));
}

TEST_F(ParserTest, SetsOfGrammarsComeBackTheSame) {
  const std::vector<Lpcfg> grammars = {train({.binarize = {.branching = TreeBranching::right}}), train()};
  save_grammars(folder_.file("set"), grammars);
  const std::vector<Lpcfg> loaded = load_grammars(folder_.file("set"));
  ASSERT_EQ(loaded.size(), 2u);
  const auto sentence = words("the zebra saw a dog .");
  EXPECT_EQ(Parser(loaded, {}).parse(sentence).tree, Parser(grammars, {}).parse(sentence).tree);
  save_grammars(folder_.file("again"), loaded);
  EXPECT_EQ(read("set"), read("again"));
  EXPECT_THROW(load_lpcfg(folder_.file("set")), FormatError);
  const std::string bytes = read("set");
  for (const std::size_t size : {std::size_t{9}, bytes.size() / 3, bytes.size() - 1}) {
    EXPECT_THROW(load_grammars(write("short", bytes.substr(0, size))), FormatError) << size;
  }
  save_grammars(folder_.file("one"), std::span(grammars).first(1));
  save_lpcfg(folder_.file("single"), grammars.front());
  EXPECT_EQ(read("one"), read("single"));
  EXPECT_EQ(load_grammars(folder_.file("single")).size(), 1u);
  EXPECT_THROW(save_grammars(folder_.file("none"), {}), UsageError);
}

TEST_F(ParserTest, RecipesKeepWhatIsSaidAboutWords) {
  const Clustering classes = load_clustering(write("classes", "cat\t0\t9\ngo\t1\t9\n"));
  const LpcfgTrainOptions words_only = {.lexicon = {.rare = 3}, .clusters = classes};
  EXPECT_EQ(grammar_recipe(GrammarRecipe::fast, words_only).size(), 1u);
  const auto best = grammar_recipe(GrammarRecipe::best, words_only);
  ASSERT_EQ(best.size(), 3u);
  for (const LpcfgTrainOptions& one : best) {
    EXPECT_EQ(one.lexicon.rare, 3u);
    EXPECT_EQ(one.clusters, classes);
    EXPECT_EQ(one.latent.grammars, 2u);
  }
  EXPECT_EQ(grammar_recipe(GrammarRecipe::spectral)[0].algorithm, LpcfgAlgorithm::spectral);
}

TEST_F(ParserTest, DamagedFilesAreRefused) {
  save_lpcfg(folder_.file("model"), train());
  const std::string bytes = read("model");
  EXPECT_THROW(load_lpcfg(write("empty", "")), Error);
  EXPECT_THROW(load_lpcfg(write("text", kTrees)), FormatError);
  for (std::size_t size = 1; size < bytes.size(); size += 97) {
    EXPECT_THROW(load_lpcfg(write("short", bytes.substr(0, size))), FormatError) << size;
  }
  for (std::size_t at = 8; at < bytes.size(); at += 131) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    if (changed == bytes) continue;
    try {
      load_lpcfg(write("changed", changed));
    } catch (const FormatError&) {
      continue;
    }
    // Only the zeros between sections have no checksum.
    EXPECT_EQ(bytes[at], 0) << at;
  }
}

TEST_F(ParserTest, TreeProbabilities) {
  const Lpcfg grammar = train();
  TreeScorer scorer(grammar, true);
  const auto trees = parse_trees(kTrees, "trees");
  double sum = 0;
  for (const Tree& tree : trees) {
    const TreeScore score = scorer.score(tree);
    EXPECT_TRUE(std::isfinite(score.log_tree));
    EXPECT_LE(score.log_tree, score.log_sentence + 1e-5);
    sum += std::exp(score.log_tree);
  }
  EXPECT_LT(sum, 1);
  EXPECT_TRUE(std::isinf(scorer.score(parse_trees("(VP (NP (NN cat)) (VBD ran))", "t")[0]).log_tree));
  EXPECT_TRUE(std::isinf(scorer.score(Tree{}).log_tree));
}

TEST_F(ParserTest, Refusals) {
  EXPECT_THROW(Parser(train(), {.prune = 1}), UsageError);
  EXPECT_THROW(Parser(train(), {.prune = -0.1}), UsageError);
  EXPECT_THROW(train_lpcfg(std::vector<std::string>{write("none", "()\n")}, {}, run_), InputError);
  EXPECT_THROW(train_lpcfg(std::vector<std::string>{write("bad", "(S (NN\n")}, {}, run_), InputError);
  LpcfgTrainOptions options;
  options.lexicon.rare = 0;
  EXPECT_THROW(validate(options), UsageError);
}

}  // namespace
}  // namespace firth

// PARSEVAL on cases small enough to score by hand.
#include "firth/parseval.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

ParsevalScore score(const std::string& gold, const std::string& guess, const ParsevalOptions& options = {}) {
  const auto right = parse_trees(gold, "gold", TreeLayout::lines);
  const auto other = parse_trees(guess + "\n", "guess", TreeLayout::lines);
  return score_parse(right.front(), other.front(), options);
}

TEST(Parseval, EqualTreesMatchExactly) {
  const std::string tree = "( (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))";
  const ParsevalScore s = score(tree, tree);
  EXPECT_EQ(s.gold, 3U);
  EXPECT_EQ(s.matched, 3U);
  EXPECT_EQ(s.exact, 1U);
  EXPECT_EQ(s.words, 3U);  // without the full stop
  EXPECT_EQ(s.right_tags, 3U);
  EXPECT_DOUBLE_EQ(s.f1(), 1);
}

TEST(Parseval, CountsMatchesAndCrossings) {
  const std::string gold = "(S (NP (N a) (N b)) (VP (V c) (NP (N d))))";
  const std::string guess = "(S (NP (N a)) (VP (N b) (X (V c)) (NP (V d))))";
  const ParsevalScore s = score(gold, guess);
  EXPECT_EQ(s.gold, 4U);
  EXPECT_EQ(s.guess, 5U);
  EXPECT_EQ(s.matched, 2U);   // S and the NP over d
  EXPECT_EQ(s.crossing, 1U);  // VP over b c d crosses NP over a b
  EXPECT_EQ(s.right_tags, 3U);
  EXPECT_EQ(s.exact, 0U);
  EXPECT_EQ(s.up_to_two_crossing, 1U);
  EXPECT_DOUBLE_EQ(s.recall(), 0.5);
  EXPECT_DOUBLE_EQ(s.precision(), 0.4);
}

TEST(Parseval, MeansAreOverSentencesThatCount) {
  ParsevalScore sum = score("(S (NP (N a) (N b)) (VP (V c)))", "(S (NP (N a) (N b)) (VP (V c)))");
  sum += score("(S (NP (N a) (N b)) (VP (V c)))", "(S (N a) (VP (N b) (V c)))");
  sum += score("(S (N a))", "(S (N b))");  // other words: an error
  EXPECT_EQ(sum.valid(), 2U);
  EXPECT_DOUBLE_EQ(sum.exact_match(), 0.5);
  EXPECT_DOUBLE_EQ(sum.mean_crossing(), 0.5);
  EXPECT_EQ(ParsevalScore().exact_match(), 0);
}

TEST(Parseval, LabelsAsCollinsHasThem) {
  // Function tags end labels, ADVP is PRT, TOP and empty roots do not count, a bracket matches once.
  const ParsevalScore s = score("(TOP (S-TPC (NP-SBJ=1 (N a)) (PRT (RP b)) (NP (NP (N c)))))",
                                "( (S (NP (N a)) (ADVP (RP b)) (NP (N c))))");
  EXPECT_EQ(s.gold, 5U);
  EXPECT_EQ(s.guess, 4U);
  EXPECT_EQ(s.matched, 4U);
}

TEST(Parseval, TracesAreNoWords) {
  const ParsevalScore s = score("(S (NP (-NONE- *)) (VP (V a)))", "(S (VP (V a)))");
  EXPECT_EQ(s.gold, 2U);
  EXPECT_EQ(s.matched, 2U);
  EXPECT_EQ(s.errors, 0U);
  const ParsevalScore icelandic = score(
      "( (IP-MAT (NP-SBJ *con*) (VBDI kom) (CP-REL (WNP-1 0) (C er) (IP-SUB (NP-SBJ *T*-1) (V b)))) (ID X,.1))",
      "( (IP (VBDI kom) (CP (C er) (IP (V b)))))");
  EXPECT_EQ(icelandic.gold, 3U);
  EXPECT_EQ(icelandic.matched, 3U);
  EXPECT_EQ(icelandic.errors, 0U);
}

TEST(Parseval, PunctuationByEitherTree) {
  const std::string gold = "(S (NP (N a)) (, ,) (VP (V b)))";
  const std::string guess = "(S (NP (N a)) (NP (N ,)) (VP (V b)))";
  EXPECT_EQ(score(gold, guess).errors, 1U);
  const ParsevalScore s = score(gold, guess, {.gold_punctuation = true});
  EXPECT_EQ(s.errors, 0U);
  EXPECT_EQ(s.gold, 3U);
  EXPECT_EQ(s.guess, 3U);  // the NP over the comma has no words
  EXPECT_EQ(s.matched, 3U);
}

TEST(Parseval, MissingTrees) {
  const std::string gold = "(S (NP (N a)) (VP (V b)))";
  EXPECT_EQ(score(gold, "").skipped, 1U);
  const ParsevalScore s = score(gold, "()", {.gold_punctuation = true});
  EXPECT_EQ(s.skipped, 0U);
  EXPECT_EQ(s.gold, 3U);
  EXPECT_EQ(s.guess, 0U);
  EXPECT_EQ(s.words, 2U);
  EXPECT_DOUBLE_EQ(s.f1(), 0);
}

TEST(Parseval, OtherWordsAreAnError) {
  EXPECT_EQ(score("(S (N a) (N b))", "(S (N a) (N c))").errors, 1U);
  EXPECT_EQ(score("(S (N a) (N b))", "(S (N a))").errors, 1U);
  EXPECT_EQ(score("(S (N a))", "(S (N a) (N b))", {.gold_punctuation = true}).errors, 1U);
}

class ParsevalFiles : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.file(name)) << text;
    return folder_.file(name);
  }
  testing::TempFolder folder_;
  RunOptions run_;
};

TEST_F(ParsevalFiles, GoldInAnyLayout) {
  const std::string gold = file("gold", "(S (N a)\n (N b))\n\n(S (N c))\n");
  const std::string guess = file("guess", "(S (N a) (N b))\n(S (N c))\n");
  const ParsevalReport report = score_parses(gold, guess, {.cutoff = 1}, {}, run_);
  EXPECT_EQ(report.all.exact, 2U);
  EXPECT_EQ(report.up_to_cutoff.sentences, 1U);
}

TEST_F(ParsevalFiles, NumbersOfTreesMustAgree) {
  const std::string gold = file("gold", "(S (N a))\n(S (N c))\n");
  const std::string guess = file("guess", "(S (N a))\n");
  EXPECT_THROW(score_parses(gold, guess, {}, {}, run_), InputError);
}

TEST_F(ParsevalFiles, NoTreesAreNoScore) {
  const std::string blank = file("blank", "\n\n");
  const std::string empty = file("empty", "");
  EXPECT_THROW((void)score_parses(empty, empty, {}, {}, run_), InputError);
  EXPECT_THROW((void)score_parses(blank, blank, {}, {}, run_), InputError);
}

}  // namespace
}  // namespace firth

// Reading, cleaning and writing of trees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "firth/error.hpp"
#include "firth/treebank.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;

std::string cleaned(const std::string& text) {
  std::vector<Tree> trees = parse_trees(text, "text");
  EXPECT_EQ(trees.size(), 1U);
  clean_tree(trees.front());
  return format_tree(trees.front());
}

std::string failure(const std::string& text, TreeLayout layout = TreeLayout::free) {
  try {
    parse_trees(text, "bank", layout);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no failure";
}

TEST(ReadTrees, OneALineOrSpreadOverLines) {
  const auto a = parse_trees("( (S (NP (PRP We)) (VP (VBD saw))))\n(ROOT (NP (NN x)))\n", "a");
  const auto b = parse_trees("( (S\n   (NP (PRP We))\r\n\n (VP\t(VBD saw)))) (ROOT (NP (NN x)))", "b");
  ASSERT_EQ(a.size(), 2U);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a[0].nodes[0].size, 6U);
  EXPECT_EQ(a[0].leaves().size(), 2U);
}

TEST(ReadTrees, TreesWithoutWords) {
  EXPECT_TRUE(parse_trees("()\n(())\n(TOP)\n\n", "a").empty());
  const auto lines = parse_trees("(A (B b))\n\n()\n(TOP)\n(())\n", "a", TreeLayout::lines);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_FALSE(lines[0].empty());
  for (std::size_t i = 1; i < 5; ++i) EXPECT_TRUE(lines[i].empty()) << i;
}

TEST(ReadTrees, SaysWhereItFails) {
  EXPECT_THAT(failure("(A (B b))\n(A (B b)))\n"), HasSubstr("bank:2:10: unmatched closing bracket"));
  EXPECT_THAT(failure("(A (B b))\n\n(A (B b)\n"), HasSubstr("bank:3:1: the tree that begins here"));
  EXPECT_THAT(failure("(A word (B b))"), HasSubstr("'word' has no tag"));
  EXPECT_THAT(failure("(A (B b) word)"), HasSubstr("'word' has no tag"));
  EXPECT_THAT(failure("(A (B b c))"), HasSubstr("'c' has no tag"));
  EXPECT_THAT(failure("( ( word))"), HasSubstr("bracket 'word' has no words"));
  EXPECT_THAT(failure("(S (NP) (VP (V v)))"), HasSubstr("bracket 'NP' has no words"));
  EXPECT_THAT(failure("word (A (B b))"), HasSubstr("outside"));
}

TEST(ReadTrees, DeepTreesAreNoProblem) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "(A ";
  text += "(B b)" + std::string(100000, ')');
  auto trees = parse_trees(text, "deep");
  ASSERT_EQ(trees.size(), 1U);
  clean_tree(trees[0]);
  EXPECT_EQ(format_tree(trees[0], false), text);
}

TEST(ReadTrees, FilesAndTheirErrors) {
  const testing::TempFolder folder;
  const std::string path = folder.file("bank.mrg");
  std::ofstream(path) << "(A (B b))\n(A (B b)\n";
  const RunOptions run;
  const std::vector<std::string> inputs = {path};
  TreeReader reader(inputs, TreeLayout::free, run);
  Tree tree;
  EXPECT_TRUE(reader.next(tree));
  EXPECT_EQ(reader.where().line, 1U);
  EXPECT_THROW(reader.next(tree), InputError);
}

TEST(CleanTree, PennHelsinkiTreesHaveTracesAsWords) {
  EXPECT_EQ(cleaned("( (IP-MAT (NP-SBJ *con*) (VBDI kom) (NP-OB1 *T*-1) (X *-2)) (ID 1150.X,1.1))"),
            "( (IP (VBDI kom)))");
  EXPECT_EQ(cleaned("( (CODE <P_1>) (IP (NP (N x)) (SYM *) (UH *grin*)))"),
            "( (IP (NP (N x)) (SYM *) (UH *grin*)))");
  EXPECT_EQ(cleaned("( (IP-MAT (NP-SBJ (PRO-D *con*-D)) (CP-THT (WNP-1 0) (C 0) (NP (NUM 0) (N x*-y)))))"),
            "( (IP (CP (NP (NUM 0) (N x*-y)))))");
}

TEST(ParseTrees, DiscontinuousTreesAreRefused) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      (void)parse_trees(text, "t", TreeLayout::free);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(problem("(S (A 0=the))"), ::testing::HasSubstr("t:1:1: the words of this tree are numbered"));
  EXPECT_THAT(problem("#FORMAT 4\n#BOS 1"), ::testing::HasSubstr("export format of NEGRA"));
  EXPECT_THAT(problem("(S (VP (A 0) (B 2)) (C 1))\tthe words there"),
              ::testing::HasSubstr("t:1:1: the words stand behind this tree"));
  EXPECT_THAT(problem("<?xml version=\"1.0\"?>\n<corpus>"), ::testing::HasSubstr("TIGER-XML"));
  EXPECT_EQ(problem("(S (A 2=2) (B x))"), "nothing");
  EXPECT_EQ(problem("(S (A 0) (B 1))\n(S (A x))"), "nothing");
  EXPECT_THAT(problem("(S (A 0) (B 1))\nx"), ::testing::HasSubstr("'x' stands outside"));
}

TEST(ParseTrees, RemarksBetweenTreesArePassedOver) {
  const auto trees = parse_trees("%% Sent 1\n(S (A a))\n<S ID=2>\n(S (A <b>) (B\n<c>\n))\n</S>\n", "t");
  ASSERT_EQ(trees.size(), 2U);
  EXPECT_EQ(format_tree(trees[1], false), "(S (A <b>) (B <c>))");
}

TEST(CleanTree, FeaturesInLabels) {
  EXPECT_EQ(cleaned("(S##f=1## (NP-SB##x## (NN-NK##lem=der|case=nom## Hund)) (# #) (## x))"),
            "( (S (NP (NN Hund)) (# #) (## x)))");
}

TEST(CleanTree, TracesTagsIndices) {
  EXPECT_EQ(cleaned("( (S (NP-SBJ-1 (PRP We)) (VP (VBD saw) (NP=2 (-NONE- *T*-1)) (ADVP|PRT (RB up)))))"),
            "( (S (NP (PRP We)) (VP (VBD saw) (ADVP (RB up)))))");
  EXPECT_EQ(cleaned("(TOP (NP (-LRB- -LRB-) (NN x) (-RRB- -RRB-)))"),
            "( (NP (-LRB- -LRB-) (NN x) (-RRB- -RRB-)))");
  EXPECT_EQ(cleaned("(ROOT (TOP (X x)))"), "( (X x))");
  EXPECT_EQ(cleaned("( (A a) (B b))"), "( (A a) (B b))");
  EXPECT_EQ(cleaned("(S (NP (-NONE- *)))"), "()");
}

TEST(EscapeBrackets, BothKinds) {
  EXPECT_EQ(escape_brackets("("), "-LRB-");
  EXPECT_EQ(escape_brackets("f(x)"), "f-LRB-x-RRB-");
}

}  // namespace
}  // namespace firth

#include "treebank/penn_tokens.hpp"

#include <gtest/gtest.h>

#include "firth/treebank.hpp"
#include "support/temp_folder.hpp"

namespace firth::treebank {
namespace {

TEST(PennTokens, CutsMarksOff) {
  EXPECT_EQ(penn_tokens("The dog barks."), "The dog barks .");
  EXPECT_EQ(penn_tokens("Mr. Smith (aged 5) left, e.g. at 5:30."),
            "Mr. Smith -LRB- aged 5 -RRB- left , e.g. at 5:30 .");
  EXPECT_EQ(penn_tokens("It costs $1,000 or 5%!"), "It costs $ 1,000 or 5 % !");
  EXPECT_EQ(penn_tokens("yes,no"), "yes , no");
  EXPECT_EQ(penn_tokens("  "), "");
}

TEST(PennTokens, SplitsContractions) {
  EXPECT_EQ(penn_tokens("I don't think John's can't."), "I do n't think John 's ca n't .");
  EXPECT_EQ(penn_tokens("We'll say they're here; I'd go."), "We 'll say they 're here ; I 'd go .");
  EXPECT_EQ(penn_tokens("He cannot go"), "He can not go");
  EXPECT_EQ(penn_tokens("the dogs' bones"), "the dogs ' bones");
}

TEST(PennTokens, TurnsQuotes) {
  EXPECT_EQ(penn_tokens("\"Go,\" he said."), "`` Go , '' he said .");
  EXPECT_EQ(penn_tokens("\xE2\x80\x9CGo.\xE2\x80\x9D"), "`` Go . ''");
  EXPECT_EQ(penn_tokens("It is 'big'."), "It is ` big ' .");
}

TEST(PennTokens, LeavesTokensAlone) {
  const std::string tokens = "`` We do n't -LRB- yet -RRB- '' , he said -- ...";
  EXPECT_EQ(penn_tokens(tokens), tokens);
}

TEST(TreeReader, SkipsBadTrees) {
  const std::string text =
      "(S (NP (PRP We)) (VP (VBD saw)))\n"
      "(S (NP (PRP I)) saw)\n"
      "(S (NP (PRP He))\n"
      "   (VP (VBD ran)))\n"
      "(S (NP (PRP She)) (VP (VBD ran))\n"
      "(S (NP (PRP It)) (VP (VBD ran)))\n"
      ") junk\n"
      "(S (NP (PRP They)) (VP (VBD ran)))\n";
  TreeReader reader(Inputs::from_text(text, "trees"), TreeLayout::free);
  reader.skip_bad();
  std::vector<std::string> first;
  for (Tree tree; reader.next(tree);) first.push_back(tree.nodes[tree.leaves().front()].word);
  EXPECT_EQ(first, (std::vector<std::string>{"We", "He", "It", "They"}));
  EXPECT_EQ(reader.bad(), 3u);
  EXPECT_NE(reader.first_problem().find("trees:2"), std::string::npos);
}

}  // namespace
}  // namespace firth::treebank

// What one model leaves to the next: the guide against its definition, charts over fewer items against enumeration.
#include "parser/phrase_guide.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "base/rng.hpp"
#include "firth/parser.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using parser::PhraseGuide;
using parser::SpanTable;
using treebank::SymbolId;

struct Phrase {
  std::size_t begin = 0;
  std::size_t end = 0;
  SymbolId symbol = 0;
  friend auto operator<=>(const Phrase&, const Phrase&) = default;
};

/// Symbols for the tests: phrases, one of them a chain, their symbols in between, and a tag.
class GuideTest : public ::testing::Test {
 protected:
  GuideTest() {
    for (const char* name : {"NP", "VP", "S|VP", "@NP", "@VP", "@X"}) symbols_.intern(name, false);
    symbols_.intern("NN", true);
  }

  /// The slow twin: a symbol in between belongs to a longer phrase that begins (ends) where it does.
  bool naive_allows(const std::set<Phrase>& phrases, const Phrase& item, TreeBranching branching) const {
    const std::string name(symbols_.name(item.symbol));
    if (name == "@X") return true;  // no phrase of the model that spoke has it
    if (!treebank::is_between(name)) return phrases.contains(item);
    for (const Phrase& phrase : phrases) {
      if (symbols_.is_tag(phrase.symbol)) continue;
      if ('@' + treebank::chain_of(symbols_.name(phrase.symbol)).back() != name) continue;
      const bool left = phrase.begin == item.begin && phrase.end > item.end;
      const bool right = phrase.end == item.end && phrase.begin < item.begin;
      if (branching == TreeBranching::left ? left : right) return true;
    }
    return false;
  }

  treebank::SymbolTable symbols_;
};

TEST_F(GuideTest, AllowsWhatFollowsFromThePhrases) {
  base::Rng rng(31);
  PhraseGuide guide(symbols_);
  for (int round = 0; round < 200; ++round) {
    const SpanTable spans(1 + rng.below(7));
    guide.start(spans, {0, 1, 2, 3, 4, 6});  // all but @X
    std::set<Phrase> phrases;
    for (std::uint64_t n = rng.below(6); n > 0; --n) {
      const std::size_t begin = rng.below(spans.length());
      const std::size_t end = begin + 1 + rng.below(spans.length() - begin);
      const auto symbol = static_cast<SymbolId>(rng.below(symbols_.size()));
      guide.add(spans(begin, end), symbol);
      if (!treebank::is_between(symbols_.name(symbol))) phrases.insert({begin, end, symbol});
    }
    for (const TreeBranching branching : {TreeBranching::right, TreeBranching::left}) {
      guide.set_branching(branching);
      for (std::size_t begin = 0; begin < spans.length(); ++begin) {
        for (std::size_t end = begin + 1; end <= spans.length(); ++end) {
          for (SymbolId symbol = 0; symbol < symbols_.size(); ++symbol) {
            ASSERT_EQ(guide.allows(spans(begin, end), symbol),
                      naive_allows(phrases, {begin, end, symbol}, branching));
          }
          ASSERT_FALSE(guide.is_empty(spans(begin, end)));  // @X
        }
      }
    }
  }
}

TEST_F(GuideTest, SpansWithoutAnythingAreEmpty) {
  PhraseGuide guide(symbols_);
  const SpanTable spans(3);
  guide.start(spans, {0, 1, 2, 3, 4, 5, 6});
  guide.add(spans(0, 2), 0);
  guide.set_branching(TreeBranching::left);
  EXPECT_FALSE(guide.is_empty(spans(0, 1)));  // @NP
  EXPECT_FALSE(guide.is_empty(spans(0, 2)));
  EXPECT_TRUE(guide.is_empty(spans(1, 2)));
  EXPECT_TRUE(guide.is_empty(spans(0, 3)));
}

class GuidedParser : public ::testing::Test {
 protected:
  static std::vector<ParserToken> words(const std::string& text) {
    std::vector<ParserToken> result;
    std::istringstream in(text);
    for (std::string word; in >> word;) result.push_back({word, {}});
    return result;
  }

  static std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, double> marginals_of(
      const Parser& parser, const std::string& text) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, double> result;
    for (const SpanMarginal& span : parser.parse(words(text)).marginals)
      result[{span.begin, span.end, span.label}] = span.marginal;
    return result;
  }

  std::vector<Lpcfg> models() {
    const std::vector<std::string> inputs = {folder_.write(
        "trees.mrg",
        "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (JJ big) (NN dog))) (. .))\n"
        "(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT the) (NN cat)) (PP (IN with) (NP (DT a) (NN dog)))) (. .))\n"
        "(S (NP (DT a) (NN dog)) (VP (VBD ran)) (. .))\n"
        "(S (NP (NP (DT the) (NN cat)) (PP (IN with) (NP (DT the) (NN dog)))) (VP (VBD ran)) (. .))\n"
        "(S (NP (DT a) (JJ big) (JJ big) (NN cat)) (VP (VBD saw) (NP (NN dog)) (PP (IN with) (NN cat))) (. .))\n")};
    std::vector<Lpcfg> result;
    for (LpcfgTrainOptions options : grammar_recipe(GrammarRecipe::best)) {
      options.lexicon = {.rare = 2, .class_size = 1};
      result.push_back(train_lpcfg(inputs, options, {}));
    }
    return result;
  }

  testing::TempFolder folder_;
};

// The slow twin of a guided search is one that leaves nothing out. In these trees no model can make what the one with the
// fewest symbols cannot.
TEST_F(GuidedParser, LosesNothingWhenNothingIsUnlikely) {
  const std::vector<Lpcfg> grammars = models();
  const ParseOptions all = {.marginals = ParseMarginals::labels, .min_marginal = 0, .prune = 0};
  ParseOptions guided = all;
  guided.prune = 1e-12;
  const Parser slow(grammars, all);
  const Parser fast(grammars, guided);
  for (const char* text :
       {"the cat saw the dog with a dog .", "a big dog ran .", "the big zebra saw the cat with a big dog .",
        "the cat with the dog with a cat saw a big big dog .", "dog ran"}) {
    const auto expected = marginals_of(slow, text);
    auto found = marginals_of(fast, text);
    for (const auto& [span, marginal] : expected) ASSERT_NEAR(found[span], marginal, 1e-5) << text;
    EXPECT_EQ(fast.parse(words(text)).tree, slow.parse(words(text)).tree) << text;
  }
}

// What the first model does not know at all, the second may still say.
TEST_F(GuidedParser, ModelsOfOtherTreebanksAreNotSilenced) {
  const std::vector<std::string> inputs = {folder_.write(
      "other.mrg",
      "(Satz (Nom (D the) (N cat)) (Verb ran) (. .))\n(Satz (Nom (D a) (N dog)) (Verb saw) (. .))\n")};
  LpcfgTrainOptions options;
  options.lexicon = {.rare = 2, .class_size = 1};
  const Lpcfg other = train_lpcfg(inputs, options, {});
  std::vector<Lpcfg> both = {models().front(), other};
  const ParseOptions asked = {.marginals = ParseMarginals::labels, .min_marginal = 0.01};
  const auto found = marginals_of(Parser(both, asked), "the cat ran .");
  EXPECT_NEAR(found.at({0, 4, "Satz"}), 1.0 / 3, 0.01);  // one grammar of three
  EXPECT_NEAR(found.at({0, 4, "S"}), 2.0 / 3, 0.01);
}

}  // namespace
}  // namespace firth

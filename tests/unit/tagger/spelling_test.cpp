// Taggers and grammars keep how their words are spelled, and read other words alike.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/count.hpp"
#include "firth/exchange.hpp"
#include "firth/parser.hpp"
#include "firth/tagger.hpp"
#include "tagger/class_lexicon.hpp"

namespace firth {
namespace {

const std::vector<TaggedSentence> kSentences = {{{"The", "DOG", "barks"}, {"D", "N", "V"}, "", {1, 2, 3}},
                                                {{"a", "Cat", "SLEEPS"}, {"D", "N", "V"}, "", {1, 2, 3}}};

std::vector<std::string> tags(const Tagger& tagger, const std::vector<std::string_view>& words) {
  TagSession session(tagger, {});
  std::vector<std::string> names;
  session.tag_names(words, TagScheme::automatic, names);
  return names;
}

TEST(Spelling, TaggersReadWordsAsTheirOwn) {
  const TaggerOptions options = {.words = {.normalize = Normalization::nfkc, .lowercase = true}};
  for (const TagRecipe recipe : {TagRecipe::best, TagRecipe::small}) {
    TaggerOptions own = options;
    own.recipe = recipe;
    const Tagger trained = train_tagger(kSentences, own, {});
    const Tagger tagger = Tagger::from_bytes(trained.to_bytes());
    EXPECT_EQ(tagger.preprocessing(), options.words);
    EXPECT_TRUE(tagger.knows("THE"));
    EXPECT_TRUE(
        tagger.knows("\xEF\xBC\xA3"
                     "at"));  // a full-width C
    EXPECT_FALSE(tagger.knows("mouse"));
    EXPECT_EQ(tags(tagger, {"THE", "dog", "Sleeps"}), tags(tagger, {"the", "dog", "sleeps"}));
  }
}

TEST(Spelling, TaggersWithoutItHaveTheBytesOfBefore) {
  const Tagger tagger = train_tagger(kSentences, {}, {});
  EXPECT_EQ(tagger.preprocessing(), Preprocessing{});
  EXPECT_FALSE(tagger.knows("THE"));
  const Tagger read = Tagger::from_bytes(tagger.to_bytes());
  EXPECT_EQ(read.to_bytes(), tagger.to_bytes());
}

TEST(Spelling, ClassesAreLookedUpAsTheirTextWasRead) {
  const CountOptions lowered = {.text = {.normalize = Normalization::nfkc, .lowercase = true}};
  const Counts counts = count_text(Inputs::from_text("the cat\nthe dog\na cat\na dog\n"), lowered);
  const Clustering classes = cluster_exchange(counts, {.classes = 2}, {}).clustering;
  ASSERT_TRUE(classes.preprocessing().has_value());
  const tagger::ClassLexicon lexicon(classes.vocabulary(),
                                     {classes.classes().begin(), classes.classes().end()},
                                     UnknownWordClass::none, *classes.preprocessing());
  text::UnicodeWords unicode;
  EXPECT_NE(lexicon.find("cat", unicode), kNoClass);
  EXPECT_EQ(lexicon.find("CAT", unicode), lexicon.find("cat", unicode));
  EXPECT_EQ(lexicon.find("\xEF\xBC\xA3"
                         "at",
                         unicode),
            lexicon.find("cat", unicode));
  EXPECT_EQ(lexicon.find("mouse", unicode), kNoClass);
  // A tagger keeps that, too.
  const Tagger trained = train_tagger(kSentences, {}, {{{classes, {.unknown = UnknownWordClass::none}}}});
  const Tagger read = Tagger::from_bytes(trained.to_bytes());
  EXPECT_EQ(read.to_bytes(), trained.to_bytes());
  EXPECT_EQ(tags(read, {"A", "MOUSE", "runs"}), tags(trained, {"A", "MOUSE", "runs"}));
}

TEST(Spelling, NewWordsOfLowerCaseClassesMayHaveAnyLetters) {
  const Vocabulary words = Vocabulary::from_words({{"\xC3\xA9t\xC3\xA9", 3}, {"cat", 2}});
  for (const UnknownWordClass unknown : {UnknownWordClass::lowercase, UnknownWordClass::spelling}) {
    const tagger::ClassLexicon lexicon(words, {0, 1}, unknown, {.lowercase = true});
    text::UnicodeWords unicode;
    EXPECT_EQ(lexicon.find("\xC3\x89T\xC3\x89", unicode), ClassId{0});
    for (const char* word : {"\xF0\x9F\x98\x80", "\xC3\x89t\xC3\xA9s", "\xC2\xB4"}) {
      const ClassId found = lexicon.find(word, unicode);
      if (unknown == UnknownWordClass::lowercase) {
        EXPECT_EQ(found, kNoClass) << word;
      }
    }
  }
}

TEST(Spelling, GrammarsReadWordsAsTheirOwn) {
  const Inputs trees = Inputs::from_text(
      "(S (NP (D The) (N DOG)) (V barks))\n(S (NP (D the) (N dog)) (V SLEEPS))\n(S (NP (D a) (N cat)) (V sleeps))\n");
  LpcfgTrainOptions options;
  options.lexicon = {.rare = 1, .class_size = 1, .words = {.lowercase = true}};
  const Lpcfg trained = train_lpcfg(trees, options);
  EXPECT_EQ(trained.info().words, 6u);  // the, dog, barks, sleeps, a, cat
  const Lpcfg read = Lpcfg::from_bytes(trained.to_bytes());
  EXPECT_EQ(read.preprocessing(), options.lexicon.words);
  const Parser parser(read, {});
  const ParseResult shouted = parser.parse(std::vector<ParserToken>{{"THE"}, {"Cat"}, {"BARKS"}});
  const ParseResult spoken = parser.parse(std::vector<ParserToken>{{"the"}, {"cat"}, {"barks"}});
  EXPECT_EQ(shouted.log_probability, spoken.log_probability);
  EXPECT_THAT(format_tree(shouted.tree), ::testing::HasSubstr("(N Cat)"));
  options.lexicon.words = {};
  EXPECT_EQ(train_lpcfg(trees, options).preprocessing(), Preprocessing{});
}

}  // namespace
}  // namespace firth

// Normal forms, segmentation of scripts without blanks, and what models keep about their text.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "firth/class_lm.hpp"
#include "firth/cluster.hpp"
#include "firth/clustering.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"
#include "firth/hmm.hpp"
#include "firth/text.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace {

using Words = std::vector<std::string>;
using testing::TempFolder;

const std::string kText = "The Cat sees a Dog\nA dog sees the cat\nthe Bird sees a bird\n";

TEST(Normalization, NfkcMendsWhatPdfsContain) {
  const TextOptions nfkc = {.normalize = Normalization::nfkc};
  EXPECT_EQ(line_words("\xEF\xAC\x81"
                       "brosis",
                       nfkc),
            Words{"fibrosis"});                                              // a ligature
  EXPECT_EQ(line_words("co\xC2\xADoperate", nfkc), Words{"cooperate"});      // a soft hyphen
  EXPECT_EQ(line_words("zero\xE2\x80\x8Bwidth", nfkc), Words{"zerowidth"});  // a zero-width space
  EXPECT_EQ(line_words("5\xE2\x80\x89mg 10\xC2\xA0mg", nfkc),
            (Words{"5", "mg", "10", "mg"}));  // other spaces
  EXPECT_EQ(line_words("\xC2\xAD", nfkc), Words{});
  EXPECT_EQ(line_words("plain words", nfkc), (Words{"plain", "words"}));
}

TEST(Normalization, NfcComposesOnly) {
  const TextOptions nfc = {.normalize = Normalization::nfc};
  EXPECT_EQ(line_words("cafe\xCC\x81", nfc), Words{"caf\xC3\xA9"});
  EXPECT_EQ(line_words("\xEF\xAC\x81n", nfc), Words{"\xEF\xAC\x81n"});
}

TEST(Normalization, HoldsForCountsInEveryFormat) {
  const CountOptions text = {.text = {.normalize = Normalization::nfkc}};
  const Counts counts = count_text(Inputs::from_text("\xEF\xAC\x81n 10\xC2\xA0m\n"), text);
  ASSERT_EQ(counts.vocabulary().size(), 3u);
  EXPECT_NE(counts.info().text_options.find("normalize=nfkc"), std::string::npos);
  // A token of CoNLL-U stays one token.
  const CountOptions conllu = {.text = {.format = InputFormat::conllu, .normalize = Normalization::nfkc}};
  const Counts tokens = count_text(Inputs::from_text("1\t10\xC2\xA0m\t_\t_\t_\t_\t_\t_\t_\t_\n"), conllu);
  ASSERT_EQ(tokens.vocabulary().size(), 1u);
  EXPECT_EQ(tokens.vocabulary().word(0), "10_m");
}

TEST(Tokenize, SplitsScriptsWithoutBlanksByDictionary) {
  const TextOptions tokenize = {.tokenize = true};
  EXPECT_EQ(line_words("\u6211\u4eec\u4eca\u5929\u53bb\u5317\u4eac\u5927\u5b66", tokenize),
            (Words{"\u6211\u4eec", "\u4eca\u5929", "\u53bb", "\u5317\u4eac", "\u5927\u5b66"}));
  EXPECT_EQ(
      line_words("\u0e09\u0e31\u0e19\u0e23\u0e31\u0e01\u0e1b\u0e23\u0e30\u0e40\u0e17\u0e28\u0e44\u0e17\u0e22",
                 tokenize),
      (Words{"\u0e09\u0e31\u0e19", "\u0e23\u0e31\u0e01",
             "\u0e1b\u0e23\u0e30\u0e40\u0e17\u0e28\u0e44\u0e17\u0e22"}));
  EXPECT_EQ(line_words("\u79c1\u306f\u6771\u4eac\u306b\u4f4f\u3080", tokenize),
            (Words{"\u79c1", "\u306f", "\u6771\u4eac", "\u306b", "\u4f4f\u3080"}));
}

TEST(Preprocessing, IsWrittenAndReadBack) {
  for (const bool lowercase : {false, true}) {
    for (const TextBoundaries boundaries : {TextBoundaries::lines, TextBoundaries::stream}) {
      for (const Normalization form : {Normalization::none, Normalization::nfc, Normalization::nfkc}) {
        const Preprocessing done = {boundaries, form, lowercase, !lowercase};
        EXPECT_EQ(text::parse_preprocessing(text::describe(done)), done);
      }
    }
  }
  EXPECT_EQ(text::parse_preprocessing(""), std::nullopt);
  EXPECT_EQ(text::parse_preprocessing("format=text"), std::nullopt);
}

TEST(Preprocessing, ClusteringsKeepIt) {
  const Counts counts = count_text(Inputs::from_text(kText), {.text = {.lowercase = true}});
  const Clustering classes = cluster(counts, ExchangeOptions{.classes = 2}).clustering;
  ASSERT_TRUE(classes.preprocessing());
  EXPECT_TRUE(classes.preprocessing()->lowercase);
  EXPECT_EQ(Clustering::from_bytes(classes.to_bytes()).preprocessing(), classes.preprocessing());
  const TempFolder folder;
  save_clustering(folder.file("out"), classes, ClusterFormat::firth);
  EXPECT_EQ(load_clustering(folder.file("out")).preprocessing(), classes.preprocessing());
  EXPECT_EQ(classes.cut(1).preprocessing(), classes.preprocessing());
  EXPECT_FALSE(parse_clustering("a\t0\nb\t1\n", "classes").preprocessing());
}

TEST(Preprocessing, LanguageModelsKeepIt) {
  const LmTrainOptions options = {.order = 2, .text = {.lowercase = true, .tokenize = true}};
  const LanguageModel model = train_word_lm(Inputs::from_text(kText), VocabularyOptions{}, options);
  ASSERT_TRUE(model.preprocessing());
  EXPECT_EQ(*model.preprocessing(), preprocessing_of(options.text));
  EXPECT_EQ(LanguageModel::from_bytes(model.to_bytes()).preprocessing(), model.preprocessing());
  const LanguageModel other = train_word_lm(Inputs::from_text(kText), VocabularyOptions{}, {.order = 2});
  const std::vector<double> weights = {0.5, 0.5};
  EXPECT_FALSE(mix_models(std::vector{model, other}, weights).preprocessing());
  const LanguageModel both = mix_models(std::vector{model, model}, weights);
  EXPECT_EQ(LanguageModel::from_bytes(both.to_bytes()).preprocessing(), model.preprocessing());
}

TEST(Preprocessing, HiddenMarkovModelsKeepIt) {
  const HmmResult result =
      train_hmm(Inputs::from_text(kText), {.states = 2, .iterations = 2, .text = {.lowercase = true}});
  ASSERT_TRUE(result.model.preprocessing);
  EXPECT_TRUE(result.model.preprocessing->lowercase);
  EXPECT_EQ(HmmModel::from_bytes(result.model.to_bytes()).preprocessing, result.model.preprocessing);
}

TEST(Repairs, AreCounted) {
  testing::Warnings warnings;
  RunOptions run;
  run.progress = &warnings;
  const CountOptions replace = {.text = {.invalid_utf8 = InvalidUtf8::replace}};
  (void)count_text(Inputs::from_text("a\xff b\xfe \xEF\xBF\xBD\n"), replace, run);
  EXPECT_EQ(warnings.messages, std::vector<std::string>{
                                   "2 parts of the text that could not be decoded were replaced by U+FFFD"});
  warnings.messages.clear();
  (void)count_text(Inputs::from_text("a \xEF\xBF\xBD\n"), replace, run);
  (void)train_word_lm(Inputs::from_text("a \xff\n"), VocabularyOptions{}, {.order = 1, .text = replace.text},
                      run);
  EXPECT_THAT(warnings.messages,
              ::testing::Contains("1 part of the text that could not be decoded was replaced by U+FFFD"));
}

TEST(MinCount, GrowsWithTheText) {
  EXPECT_EQ(suggested_min_count(0), 1u);
  EXPECT_EQ(suggested_min_count(499'999), 1u);
  EXPECT_EQ(suggested_min_count(500'000), 3u);
  EXPECT_EQ(suggested_min_count(10'000'000), 5u);
  for (const auto& [text_options, wanted] : std::vector<std::pair<std::string, Count>>{
           {"format=text boundaries=lines", 3}, {"format=ids names=no", 1}, {"format=u32 names=yes", 1}}) {
    CountsInfo info{.tokens = 500'000};
    info.text_options = text_options;
    EXPECT_EQ(suggested_min_count(Counts({}, PairCounts(), info)), wanted) << text_options;
  }
}

}  // namespace
}  // namespace firth

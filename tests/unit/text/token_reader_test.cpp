#include "text/token_reader.hpp"

#include <gmock/gmock.h>

#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "support/temp_folder.hpp"

namespace firth::text {
namespace {

using firth::testing::TempFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<TaggedSentence> read(std::string_view text, const TokenOptions& options = {}) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write("file", text)};
  return read_tagged(files, options, {});
}

std::string problem(std::string_view text, const TokenOptions& options = {}) {
  try {
    read(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ReadTagged, ColumnsWithTabs) {
  const auto sentences = read("# id = 1\nNew York\tX\tB-LOC\n#tag\ty\tO\n\t\n\nin\tz\tO\n");
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0].words, ElementsAre("New_York", "#tag"));
  EXPECT_THAT(sentences[0].tags, ElementsAre("B-LOC", "O"));
  EXPECT_THAT(sentences[0].lines, ElementsAre(2u, 3u));
  EXPECT_THAT(sentences[1].words, ElementsAre("in"));
}

TEST(ReadTagged, ColumnsWithBlanksAndDocuments) {
  const auto sentences = read("-DOCSTART- O\n\n010 I-MISC\nis  O\r\n\nthe O");
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0].words, ElementsAre("010", "is"));
  EXPECT_THAT(sentences[0].tags, ElementsAre("I-MISC", "O"));
  EXPECT_THAT(sentences[1].words, ElementsAre("the"));
}

TEST(ReadTagged, ColumnsByNumber) {
  const TokenOptions options = {TokenFormat::columns, 2, -3};
  const auto sentences = read("1 a T x\n2 b U y\n", {TokenFormat::columns, 2, 3});
  EXPECT_THAT(sentences[0].words, ElementsAre("a", "b"));
  EXPECT_THAT(sentences[0].tags, ElementsAre("T", "U"));
  EXPECT_THAT(problem("1 a T x\n", options), HasSubstr("same column"));
}

TEST(ReadTagged, Conllu) {
  const auto sentences = read(
      "# text = du bon\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\tIN\t_\t2\tcase\t_\t_\n"
      "2\tle\tle\tDET\tDT\t_\t0\troot\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_THAT(sentences[0].words, ElementsAre("de", "le"));
  EXPECT_THAT(sentences[0].tags, ElementsAre("ADP", "DET"));
}

TEST(ReadTagged, SaysWhereColumnsAreMissing) {
  EXPECT_THAT(problem("a\tO\nb\n"),
              AllOf(HasSubstr("file:2: 1 column, but 2 on line 1"), HasSubstr("same columns")));
  EXPECT_THAT(problem("a b O\nb O\n"), HasSubstr("file:2: 2 columns, but 3 on line 1"));
  EXPECT_THAT(problem("a\tO\n", {TokenFormat::columns, 1, 3}),
              AllOf(HasSubstr("file:1: "), HasSubstr("no column 3")));
  EXPECT_THAT(problem("a\nb\n"), AllOf(HasSubstr("file:1: "), HasSubstr("same column")));
  EXPECT_THAT(problem("\tO\n"), AllOf(HasSubstr("file:1: an empty word"), HasSubstr("take the line out")));
  EXPECT_THAT(problem("a\t\n"), HasSubstr("file:1: an empty tag"));
  EXPECT_THAT(problem("1\ta\n", {TokenFormat::conllu}), HasSubstr("2 columns instead of 10"));
  EXPECT_THAT(problem("x\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", {TokenFormat::conllu}),
              HasSubstr("not a word number"));
  EXPECT_THAT(problem("a\tO\n\xff\tO\n"), HasSubstr("file:2:"));
}

TEST(ReadTagged, EmptyFilesAndBlankLinesAreRefused) {
  EXPECT_THROW(read(""), InputError);
  EXPECT_THROW(read("\n\n \n\t\n"), InputError);
}

TokenFormat format_of(std::string_view text, const char* name = "file") {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write(name, text)};
  const RunOptions run;
  TokenReader reader(files, {}, ReadColumns::words, run);
  TokenSentence sentence;
  EXPECT_TRUE(reader.next(sentence));
  return reader.format();
}

TEST(TokenReader, FindsOutTheFormat) {
  EXPECT_EQ(format_of("The cat sat .\nA dog ran .\n"), TokenFormat::text);
  EXPECT_EQ(format_of("a b\nc d\n"), TokenFormat::text);
  EXPECT_EQ(format_of("The O\ncat O\nsat O\n\nA O\n"), TokenFormat::columns);
  EXPECT_EQ(format_of("The\tO\n"), TokenFormat::columns);
  EXPECT_EQ(format_of("# x\n1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n"), TokenFormat::conllu);
}

TEST(TokenReader, ColumnsWithBlanksAreToldByTheirTagsOrTheirName) {
  const std::string sentence = "EU NNP B-ORG\nrejects VBZ O\n";
  EXPECT_EQ(format_of(sentence), TokenFormat::columns);
  EXPECT_EQ(format_of("-DOCSTART- -X- O\n\n" + sentence), TokenFormat::columns);
  EXPECT_EQ(format_of("-DOCSTART-\n\nEU\tB-ORG\n"), TokenFormat::columns);
  EXPECT_EQ(format_of("EU NNP\nrejects VBZ\n"), TokenFormat::text);
  EXPECT_EQ(format_of("EU NNP\n", "a.conll"), TokenFormat::columns);
  EXPECT_EQ(format_of("EU NNP\n", "a.txt"), TokenFormat::text);
  EXPECT_EQ(format_of("My type is O\nYour type is O\n"), TokenFormat::text);
  EXPECT_EQ(format_of("vitamin B-complex\n"), TokenFormat::text);
}

TEST(TokenReader, NumbersInTheFirstColumnAreNotTakenForWords) {
  const std::string text = "1\tThe\tDT\n2\tcat\tNN\n";
  EXPECT_THAT(problem(text), AllOf(HasSubstr("numbers, not words"), HasSubstr("TokenOptions::word_column")));
  EXPECT_EQ(read(text, {.word_column = 2}).front().words.front(), "The");
}

// A pipe brings lines in any pieces: what was found out from some of them holds with all.
TEST(TokenFormat, MoreLinesDoNotChangeWhatWasFoundOut) {
  const std::vector<std::string> lines = {
      "The cat sat .\n", "a b\n",  "EU B-ORG\n",    "it O\n",
      "a\tO\n",          "word\n", "# x\n",         "\n",
      "-DOCSTART- O\n",  "{\n",    "\"text\": 1\n", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"};
  const std::size_t n = lines.size();
  for (std::size_t i = 0; i < n * n * n * n; ++i) {
    std::string text;
    std::optional<firth::TokenFormat> found;
    bool told = false;
    for (std::size_t left = i, k = 0; k < 4; ++k, left /= n) {
      text += lines[left % n];
      const auto now = find_token_format(text, {});
      ASSERT_TRUE(!found || found == now) << text;
      found = now;
      const bool tells = tells_token_format(text, firth::TokenFormat::automatic, {});
      ASSERT_TRUE(!told || tells) << text;
      told = tells;
    }
    const auto whole = find_token_format(text, {.complete = true});
    ASSERT_TRUE(whole && (!found || found == whole)) << text;
  }
}

TEST(TokenReader, TextIsALineASentence) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write("a", "one two\n\n three\n"),
                                          folder.write("b", "four")};
  const RunOptions run;
  TokenReader reader(files, {}, ReadColumns::words, run);
  TokenSentence sentence;
  std::vector<std::string_view> words;
  ASSERT_TRUE(reader.next(sentence));
  sentence.words(words);
  EXPECT_THAT(words, ElementsAre("one", "two"));
  ASSERT_TRUE(reader.next(sentence));
  EXPECT_EQ(sentence.lines.front().number, 3u);
  ASSERT_TRUE(reader.next(sentence));
  sentence.words(words);
  EXPECT_THAT(words, ElementsAre("four"));
  EXPECT_FALSE(reader.next(sentence));
  EXPECT_THROW(TokenReader(files, {TokenFormat::text}, ReadColumns::tags, run), UsageError);
}

TEST(PartOf, SmallerPartsAreWithinLargerOnes) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += std::to_string(i) + "\tO\n\n";
  const auto all = read(text);
  const auto tenth = sample_sentences(all, 10, 1);
  const auto half = sample_sentences(all, 50, 1);
  EXPECT_EQ(tenth.size(), 20u);
  EXPECT_EQ(half.size(), 100u);
  EXPECT_EQ(sample_sentences(all, 0.001, 1).size(), 1u);
  for (const TaggedSentence& sentence : tenth) {
    EXPECT_TRUE(std::any_of(half.begin(), half.end(),
                            [&](const TaggedSentence& other) { return other.words == sentence.words; }));
  }
  EXPECT_NE(sample_sentences(all, 10, 2).front().words, tenth.front().words);
  EXPECT_THROW(sample_sentences(all, 0, 1), UsageError);
}

}  // namespace
}  // namespace firth::text

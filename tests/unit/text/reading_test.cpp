// How files become words: places where a reader can go wrong.
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "counts/count/counting.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "reference/naive_counter.hpp"
#include "support/temp_folder.hpp"
#include "text/sentence_reader.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using Words = std::map<std::string, Count>;

class Reading : public ::testing::Test {
 protected:
  Counts count(const std::string& content, const CountOptions& options = {}) const {
    const std::vector<std::string> inputs = {folder_.write("input", content)};
    return count_text(inputs, options, {.threads = 2});
  }
  Words words(const std::string& content, const CountOptions& options = {}) const {
    return reference::as_naive(count(content, options)).words;
  }
  /// The message without the path of the file.
  std::string error(const std::string& content, const CountOptions& options = {}) const {
    try {
      count(content, options);
    } catch (const InputError& failure) {
      const std::string message = failure.what();
      const std::string path = folder_.file("input");
      EXPECT_THAT(message, ::testing::StartsWith(path));
      return message.substr(path.size());
    }
    return "no error";
  }

  testing::TempFolder folder_;
};

CountOptions conllu(const std::string& column = "") {
  CountOptions options;
  options.text.format = InputFormat::conllu;
  options.text.column = column;
  return options;
}

CountOptions table() {
  CountOptions options;
  options.text.format = InputFormat::counts;
  return options;
}

TEST_F(Reading, SeparatesAtAsciiWhiteSpaceOnly) {
  EXPECT_THAT(words("a b\tc\vd\fe\rf\n"), ::testing::SizeIs(6));
  EXPECT_THAT(words("a\xc2\xa0"
                    "b c"),
              UnorderedElementsAre(Pair("a\xc2\xa0"
                                        "b",
                                        1),
                                   Pair("c", 1)));
  EXPECT_THAT(words("x\x01y"), UnorderedElementsAre(Pair("x\x01y", 1)));
}

TEST_F(Reading, WordsOfALineAreThoseOfATextWithThatLine) {
  const std::string line = " It's  \xC3\x89t\xC3\xA9, na\xC3\xAFve\t(NO\xC2\xA0WAY)... \r";
  for (const bool lowercase : {false, true}) {
    for (const bool tokenize : {false, true}) {
      const TextOptions text{.lowercase = lowercase, .tokenize = tokenize};
      Words seen;
      for (const std::string& word : line_words(line, text)) ++seen[word];
      EXPECT_EQ(seen, words(line + "\n", {.text = text})) << lowercase << tokenize;
    }
  }
  EXPECT_THAT(line_words("a\xFF b", {}), ::testing::ElementsAre("a\xEF\xBF\xBD", "b"));
  EXPECT_TRUE(line_words(" \t", {}).empty());
}

TEST_F(Reading, ByteOrderMarkLineEndsAndMissingLastLineFeedDoNotMatter) {
  const Counts plain = count("a b\nc a b\n");
  for (const char* other : {"\xef\xbb\xbf"
                            "a b\nc a b\n",
                            "a b\r\nc a b\r\n", "a b\nc a b", "\n\n a b \n\n\nc a b \n"}) {
    EXPECT_TRUE(reference::same_arrays(plain, count(other))) << other;
  }
  EXPECT_EQ(plain.info().sequences, 2u);
}

TEST_F(Reading, ByteOrderMarkBeforeConllu) {
  EXPECT_THAT(words("\xef\xbb\xbf"
                    "1\tA\ta\tX\tX\t_\t_\t_\t_\t_\n",
                    conllu()),
              UnorderedElementsAre(Pair("A", 1)));
}

TEST_F(Reading, WordsOfAnyLength) {
  for (const std::size_t size : {1u, 7u, 8u, 9u, 15u, 16u, 17u, 129u, 1u << 20, 3u << 20}) {
    const std::string word(size, 'w');
    EXPECT_THAT(words(word + " x " + word), UnorderedElementsAre(Pair(word, 2), Pair("x", 1))) << size;
  }
}

TEST_F(Reading, LinesOfAnyLengthAreOneSequence) {
  std::string line;
  while (line.size() < (10u << 20)) line += "a b ";
  const Counts counts = count(line + "\nb a\n");
  EXPECT_EQ(counts.info().sequences, 2u);
  EXPECT_EQ(counts.bigrams().total(), counts.info().tokens - 2);
}

TEST_F(Reading, BrokenUtf8IsNamedWithLineAndByteColumn) {
  EXPECT_THAT(error("fine\nok \xffoops"), HasSubstr(":2:4: broken UTF-8; "));
  EXPECT_THAT(error("\xc3\xa9\xc3 x"), HasSubstr(":1:3: broken UTF-8"));
  EXPECT_THAT(error("\xef\xbb\xbf"
                    "a\xff"),
              HasSubstr(":1:5: broken UTF-8"));
  // Overlong, surrogate, beyond U+10FFFF, cut off, continuation alone.
  for (const char* bad : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x98",
                          "\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_THAT(error(bad), HasSubstr(":1:1: broken UTF-8")) << bad;
  }
}

TEST_F(Reading, BrokenUtf8CanBeReplaced) {
  CountOptions options;
  options.text.invalid_utf8 = InvalidUtf8::replace;
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_THAT(words("a\xff"
                    "b \xe2\x82 \xf0\x9f\x98\x80",
                    options),
              UnorderedElementsAre(Pair("a" + mark + "b", 1), Pair(mark, 1), Pair("\xf0\x9f\x98\x80", 1)));
  EXPECT_THAT(words("\xe2\x82\xe2\x82", options), UnorderedElementsAre(Pair(mark + mark, 1)));
}

TEST_F(Reading, NulBytesAreAnErrorThatSaysSo) {
  EXPECT_THAT(error(std::string("a b\nc\0d", 7)), HasSubstr(":2:2: NUL byte; "));
  EXPECT_THAT(error(std::string("a\0b\0c\0d\0\n\0", 10)), HasSubstr("this is not text in UTF-8"));
}

TEST_F(Reading, SomeNulBytesCanBeReplaced) {
  CountOptions replace;
  replace.text.invalid_utf8 = InvalidUtf8::replace;
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_THAT(words(std::string("\xff\0d e\0 f", 8), replace),
              UnorderedElementsAre(Pair(mark + mark + "d", 1), Pair("e" + mark, 1), Pair("f", 1)));
  // Within a line that is longer than a block, too.
  const std::string line(3 << 20, 'x');
  EXPECT_THAT(words(line + std::string("\0y", 2) + line + " z", replace),
              UnorderedElementsAre(Pair(line + mark + "y" + line, 1), Pair("z", 1)));
}

TEST_F(Reading, ManyNulBytesAreNoText) {
  CountOptions replace;
  replace.text.invalid_utf8 = InvalidUtf8::replace;
  EXPECT_THAT(error(std::string("a\0b\0c\0d\0\n\0", 10), replace),
              HasSubstr(":1:2: NUL byte; this is not text"));
  EXPECT_THAT(error(std::string(3 << 20, '\0'), replace), HasSubstr(":1:1: NUL byte; this is not text"));
}

TEST_F(Reading, TheFirstErrorIsReportedWhateverTheThreads) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "words and words\n";
  const std::string bad = text + "first \xff\n" + text + "second \xff\n";
  for (int round = 0; round < 3; ++round) EXPECT_THAT(error(bad), HasSubstr(":300001:7: broken"));
}

TEST_F(Reading, LowerCaseIsUnicode) {
  CountOptions options;
  options.text.lowercase = true;
  EXPECT_THAT(
      words("The THE the \xc3\x89t\xc3\xa9 \xc3\xa9T\xc3\x89 \xce\xa3\xce\x91\xce\xa3 \xc4\xb0", options),
      UnorderedElementsAre(Pair("the", 3), Pair("\xc3\xa9t\xc3\xa9", 2), Pair("\xcf\x83\xce\xb1\xcf\x82", 1),
                           Pair("i\xcc\x87", 1)));
}

TEST_F(Reading, TokenizeSplitsAtUnicodeWordBoundaries) {
  CountOptions options;
  options.text.tokenize = true;
  EXPECT_THAT(words("Don't stop, (3.14)!\xc2\xa0"
                    "End",
                    options),
              UnorderedElementsAre(Pair("Don't", 1), Pair("stop", 1), Pair(",", 1), Pair("(", 1),
                                   Pair("3.14", 1), Pair(")", 1), Pair("!", 1), Pair("End", 1)));
}

TEST_F(Reading, StreamsEndWithTheirFile) {
  CountOptions options;
  options.text.boundaries = TextBoundaries::stream;
  const std::vector<std::string> inputs = {folder_.write("1", "a\nb"), folder_.write("2", "c\nd")};
  const Counts counts = count_text(inputs, options, {});
  EXPECT_EQ(counts.bigrams().total(), 2u);
  EXPECT_EQ(counts.info().sequences, 2u);
}

TEST_F(Reading, ConlluColumnsAndSkippedLines) {
  const std::string text =
      "# text\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\tIN\t_\t0\troot\t_\t_\n"
      "2\tel 1\tel\tDET\tDT\t_\t1\tdet\t_\t_\n2.1\tghost\tg\tX\tX\t_\t_\t_\t_\t_\n\n"
      "1\t_\t_\tPUNCT\t_\t_\t0\troot\t_\t_";
  EXPECT_THAT(words(text, conllu()), UnorderedElementsAre(Pair("de", 1), Pair("el_1", 1), Pair("_", 1)));
  EXPECT_THAT(words(text, conllu("lemma")), UnorderedElementsAre(Pair("de", 1), Pair("el", 1), Pair("_", 1)));
  EXPECT_THAT(words(text, conllu("upos")),
              UnorderedElementsAre(Pair("ADP", 1), Pair("DET", 1), Pair("PUNCT", 1)));
  EXPECT_THAT(words(text, conllu("xpos")), UnorderedElementsAre(Pair("IN", 1), Pair("DT", 1), Pair("_", 1)));
  EXPECT_EQ(count(text, conllu()).info().sequences, 2u);
}

TEST_F(Reading, ConlluErrorsNameTheLine) {
  EXPECT_THAT(error("# c\n1\ta\tb\n", conllu()), HasSubstr(":2:1: 3 columns instead of 10"));
  EXPECT_THAT(error("x\ta\tb\t_\t_\t_\t_\t_\t_\t_\n", conllu()), HasSubstr(":1:1: 'x' is not a word number"));
  EXPECT_THAT(error("1\t\tb\t_\t_\t_\t_\t_\t_\t_\n", conllu()), HasSubstr(":1:3: an empty column"));
}

TEST_F(Reading, CountTables) {
  const Counts counts = count("a b 3\nb\tc\t5\n\na b 2\r\nx y 0\n", table());
  EXPECT_THAT(reference::as_naive(counts).words,
              UnorderedElementsAre(Pair("a", 5), Pair("b", 10), Pair("c", 5)));
  EXPECT_EQ(counts.bigrams().total(), 10u);
  EXPECT_EQ(counts.info().tokens, 20u);
}

TEST_F(Reading, CountTablesHaveSixtyFourBits) {
  EXPECT_EQ(count("a b 9223372036854775807\n", table()).bigrams().total(), 9223372036854775807u);
  EXPECT_THAT(error("a b 1\na b 18446744073709551616\n", table()),
              HasSubstr(":2:5: the count 18446744073709551616 is too large"));
  const std::vector<std::string> inputs = {folder_.write("big", "a b 18446744073709551615\nc d 1\n")};
  EXPECT_THROW(count_text(inputs, table(), {}), InputError);
}

TEST_F(Reading, CountTableErrorsNameTheLine) {
  EXPECT_THAT(error("a b 1\na b\n", table()), HasSubstr(":2:1: not three fields"));
  EXPECT_THAT(error("a b c 1\n", table()), HasSubstr(":1:1: not three fields"));
  EXPECT_THAT(error("a b -1\n", table()), HasSubstr(":1:5: '-1' is not a count"));
  EXPECT_THAT(error("a b 1.5\n", table()), HasSubstr("'1.5' is not a count"));
}

TEST_F(Reading, EmptyInputGivesEmptyCountsAndReadCountsRefusesIt) {
  const std::vector<std::string> inputs = {folder_.write("empty", "")};
  EXPECT_TRUE(count_text(inputs, {}, {}).vocabulary().empty());
  EXPECT_THROW(read_counts(inputs, {}, {}), InputError);
}

TEST_F(Reading, FoldersAreReadRecursivelyWithoutHiddenFiles) {
  folder_.write("d/b.txt", "b");
  folder_.write("d/sub/c.txt", "c");
  folder_.write("d/.hidden", "h");
  folder_.write("d/.git/x", "x");
  const std::vector<std::string> inputs = {folder_.file("d")};
  EXPECT_THAT(reference::as_naive(count_text(inputs, {}, {})).words,
              UnorderedElementsAre(Pair("b", 1), Pair("c", 1)));
  std::filesystem::create_directory(folder_.file("nothing"));
  const std::vector<std::string> none = {folder_.file("nothing")};
  EXPECT_THROW(count_text(none, {}, {}), InputError);
}

TEST_F(Reading, OptionsThatMakeNoSense) {
  const std::vector<std::string> inputs = {folder_.write("t", "a b")};
  const auto refused = [&](const CountOptions& options) {
    EXPECT_THROW(count_text(inputs, options, {}), UsageError);
  };
  for (const auto& distances : std::vector<std::vector<int>>{{}, {0}, {6}, {2, 1}, {1, 1}}) {
    CountOptions options;
    options.distances = distances;
    refused(options);
  }
  CountOptions tokenized = conllu();
  tokenized.text.tokenize = true;
  refused(tokenized);
  CountOptions dropped = table();
  dropped.vocabulary.rare = RarePolicy::drop;
  dropped.vocabulary.min_count = 2;
  refused(dropped);
  EXPECT_THROW(count_text({}, {}, {}), UsageError);
  const std::vector<std::string> twice = {"-", "-"};
  EXPECT_THROW(count_text(twice, {}, {}), UsageError);
  const std::vector<std::string> missing = {folder_.file("missing")};
  EXPECT_THROW(count_text(missing, {}, {}), IoError);
}

TEST(SentenceReader, EveryLineIsASentenceBlankOrNot) {
  base::Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    std::string content;
    const std::size_t size = rng.below(60);
    for (std::size_t i = 0; i < size; ++i) content += "ab c\t\n\n\r\f"[rng.below(9)];
    if (round % 3 == 0) content += " a word longer than sixteen bytes-in-all";
    std::vector<std::vector<std::string>> expected;
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      expected.emplace_back(std::istream_iterator<std::string>(fields), std::istream_iterator<std::string>());
    }
    text::SentenceReader reader(text::expand_inputs(Inputs::from_text(content), {}),
                                {.format = InputFormat::text}, {});
    std::vector<std::vector<std::string>> found;
    for (std::span<const WordId> sentence; reader.next(sentence);) {
      found.emplace_back();
      for (const WordId word : sentence) found.back().emplace_back(reader.word(word));
    }
    EXPECT_EQ(found, expected) << ::testing::PrintToString(content);
  }
}

}  // namespace
}  // namespace firth
